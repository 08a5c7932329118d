package check

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/perftrack/perftrack/compare/stat"
)

// fiftySeven returns 57 candidates. A round of each takes a second, but five seconds for number 41;
// three differ in the warm-up.
func fiftySeven() (all []candidate) {
	for i := range 57 {
		all = append(all, candidate{asked: []string{fmt.Sprintf("B%02d", i)}, path: 3, change: 0.02, takes: time.Second})
	}
	all[40].change, all[20].change, all[50].change = 4, 0.7, 0.3 // the sign makes no difference
	all[41].takes = 5 * time.Second
	return all
}

func once(all []candidate, d time.Duration) {
	for i := range all {
		all[i].once = d
	}
}

func asked(all []candidate) string {
	var names []string
	for _, c := range all {
		names = append(names, c.asked[0])
	}
	return strings.Join(names, " ")
}

func TestPlanFor(t *testing.T) {
	first := stat.Options{Alpha: 0.01}.FirstLook
	few, all := first(3), first(57)
	for _, tt := range []struct {
		name   string
		change func([]candidate)
		left   time.Duration
		want   string // the first measured benchmarks
		n      int
		say    string
	}{
		{"time for all", nil, time.Duration(all*61) * time.Second, "B40", 57, ""},
		{"the plain changes first, the largest first", nil, time.Duration(few*3)*time.Second*10/9 + time.Second, "B40 B20 B50", 3,
			"the budget of 1m is enough to decide about 3 of 57 benchmarks, so only these are measured; about "},
		{"edited ones before them", func(c []candidate) { c[7].edited = true }, time.Duration(few*3)*time.Second*10/9 + time.Second, "B07 B40 B20", 3, "decide about 3 of 57"},
		{"then those near to changed code", func(c []candidate) { c[9].path, c[8].path = 1, 2 }, time.Duration(first(5)*5)*time.Second*10/9 + time.Second, "B40 B20 B50 B09 B08", 5, ""},
		{"unknown paths last", func(c []candidate) {
			for i := range 56 {
				c[i].path = 0
			}
		}, time.Duration(first(4)*4)*time.Second*10/9 + time.Second, "B40 B20 B50 B56", 4, ""},
		{"a long one leaves its time to shorter ones", func(c []candidate) { c[41].change = 5 }, time.Duration(few*3)*time.Second*10/9 + time.Second, "B40 B20 B50", 3, ""},
		{"choosing ways takes time", func(c []candidate) { once(c, 4*time.Second) }, time.Duration(few*3)*time.Second*10/9 + time.Second, "B40 B20", 2, ""},
		{"no more than its share", func(c []candidate) { once(c, time.Hour) }, time.Duration(few*3)*time.Second*10/9*3/2 + 2*time.Second, "B40 B20", 2, ""},
		{"more units make the look later", func(c []candidate) {
			for i := range c {
				c[i].units = 50
			}
		}, time.Duration(few*3)*time.Second*10/9 + time.Second, "B40 B20", 2, ""},
		{"rounds of earlier checks count", func(c []candidate) { c[3].had = few - 1 }, 5 * time.Second, "B03", 1, "is enough to decide about 1 of 57"},
		{"for none: all go on", nil, time.Second, "B40", 57, "the budget of 1m is too short to decide any of 57 benchmarks; about "},
	} {
		c := fiftySeven()
		if tt.change != nil {
			tt.change(c)
		}
		p := planFor(c, tt.left, first)
		if got := asked(p.measured); !strings.HasPrefix(got, tt.want) || len(p.measured) != tt.n || len(p.measured)+len(p.left) != 57 {
			t.Errorf("%s: measured are %d, %s", tt.name, len(p.measured), got)
		}
		if say := p.words(time.Minute, time.Minute); !strings.Contains(say, tt.say) || (tt.n == 57 && tt.left > time.Minute) != (say == "") {
			t.Errorf("%s: %q", tt.name, say)
		}
		if p.look != first(hypotheses(p.measured)) || p.round != tt.left/time.Duration(p.look) {
			t.Errorf("%s: up to round %d, each of %v", tt.name, p.look, p.round)
		}
	}
	if p := planFor(nil, time.Second, first); len(p.measured)+len(p.left) > 0 || p.words(0, time.Second) != "" {
		t.Errorf("without benchmarks: %+v", p)
	}
}

// The choice does not depend on the order of the benchmarks.
func TestPlanKnowsNoOrder(t *testing.T) {
	first := stat.Options{Alpha: 0.01}.FirstLook
	there := planFor(fiftySeven(), time.Minute, first)
	back := fiftySeven()
	for i, j := 0, len(back)-1; i < j; i, j = i+1, j-1 {
		back[i], back[j] = back[j], back[i]
	}
	again := planFor(back, time.Minute, first)
	if asked(there.measured[:3]) != asked(again.measured[:3]) || len(there.measured) != len(again.measured) {
		t.Errorf("measured are %s, and the other way round %s", asked(there.measured), asked(again.measured))
	}
}

// If rounds take twice as long as the warm-up predicted, only half of the benchmarks get further
// rounds.
func TestKeep(t *testing.T) {
	all := fiftySeven()[:10]
	for _, tt := range []struct {
		took, left time.Duration
		rounds     int
		want       int
	}{
		{10 * time.Second, 80 * time.Second, 8, 10}, {20 * time.Second, 80 * time.Second, 8, 5},
		{20 * time.Second, 100 * time.Second, 8, 6}, {time.Minute, 10 * time.Second, 8, 0}, {time.Minute, 0, 0, 10},
	} {
		if got := keep(all, tt.took, tt.left, tt.rounds); got != tt.want {
			t.Errorf("rounds of %v, %d in %v: %d go on, want %d", tt.took, tt.rounds, tt.left, got, tt.want)
		}
	}
}
