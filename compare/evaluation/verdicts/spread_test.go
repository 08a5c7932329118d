package verdicts

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/perftrack/perftrack/compare"
	"github.com/perftrack/perftrack/compare/evaluation"
	"github.com/perftrack/perftrack/compare/evaluation/figures"
	"github.com/perftrack/perftrack/compare/stat"
)

// Eight machines are no more often wrong than alpha allows, find no fewer changes than one machine,
// and take less than a sixth of its time.
func TestSimulateSpread(t *testing.T) {
	for i, f := range Fleets() {
		n, m := 24, spreadBenchmarks
		if evaluation.Handful() {
			n, m = 2, 40
		}
		one, eight := RunDealt(f, alone, m, n, 7+uint64(i)<<32), RunDealt(f, Spread, m, n, 7+uint64(i)<<32+1<<31)
		t.Logf("%s: %d and %d of %d found, %.3f of the time", f.Name, one.Found, eight.Found, n, eight.Time/one.Time)
		if eight.PullRequests != n || eight.All != n*m {
			t.Errorf("%s: %d pull requests, %d benchmarks", f.Name, eight.PullRequests, eight.All)
		}
		if evaluation.Handful() {
			continue
		}
		if f.isNull() && figures.AtLeast(max(eight.Alarms, eight.Wrong.Of(compare.Improved)), n) > mostAlarms {
			t.Errorf("%s: false alarms in %d of %d pull requests", f.Name, eight.Alarms, n)
		}
		if figures.AtMost(eight.Found, n) < figures.AtLeast(one.Found, n) {
			t.Errorf("%s: eight machines find %d of %d, one machine %d", f.Name, eight.Found, n, one.Found)
		}
		if ratio := eight.Time / one.Time; ratio > mostTime && f.isUsual() {
			t.Errorf("%s: %.3f of the time of one machine", f.Name, ratio)
		}
	}
}

// A trial decided while jobs finish in any order is decided in the same way from its stored rounds.
// These include rounds that were measured beyond the deciding look.
func TestDealtIsReplayed(t *testing.T) {
	for i, q := range []Queue{alone, Spread, {Machines: 3, Groups: 2, Rounds: 4, Across: true, Ahead: 12}} {
		f := Fleet{Pair: 0.03, Level: 0.3, Effect: 0.05, Interaction: 0.01}
		d := newDealing(q, &f, rand.New(rand.NewPCG(3, uint64(i))), 20)
		d.run()
		var stored stat.Trial
		last := 0
		for b, pairs := range d.typical {
			stored.Series = append(stored.Series, stat.Series{Better: -1, Threshold: 0.05, Pairs: pairs, Means: d.means[b]})
			for n, p := range pairs {
				if p.Base == p.Base {
					last = max(last, n+1)
				}
			}
		}
		if last < d.decided || q.Ahead > 4 && last == d.decided {
			t.Errorf("%+v: measured %d rounds and decided after %d", q, last, d.decided)
		}
		stored.Sessions = []int{last}
		for b, want := range d.seq.Decisions() {
			got := stat.Replay(stored, stat.Options{})[b]
			if want.Outcome != stat.Open && fmt.Sprintf("%+v", got) != fmt.Sprintf("%+v", want) {
				t.Errorf("%+v: benchmark %d is replayed as\n%+v, not\n%+v", q, b, got, want)
			}
		}
	}
}

// The rounds up to each look are divided evenly, so that no machine measures beyond it while others
// wait for its verdicts.
func TestBlocks(t *testing.T) {
	plan := stat.CheckPlan()
	for _, tt := range []struct {
		q    Queue
		want []int
	}{
		{Queue{Rounds: 4}, []int{3, 6, 9, 10, 11, 12, 13, 14, 15, 16, 17, 21, 24, 27, 31, 34, 38, 42, 45, 48}},
		{Queue{Rounds: 4, Across: true}, []int{4, 8, 12, 16, 20, 24, 28, 32, 36, 40, 44, 48}},
	} {
		if got := tt.q.blocks(plan); !slices.Equal(got, tt.want) {
			t.Errorf("%+v: blocks end after %v, want %v", tt.q, got, tt.want)
		}
	}
}

// The figures depend only on the arguments.
func TestDealtIsDeterministic(t *testing.T) {
	f := Fleets()[3]
	one, again := RunDealt(f, Spread, 20, 5, 1), RunDealt(f, Spread, 20, 5, 1)
	if *one != *again {
		t.Errorf("%+v, and then %+v", one, again)
	}
}
