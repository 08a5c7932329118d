package tails

import (
	"io"
	"math"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"github.com/perftrack/perftrack/compare/evaluation"
	"github.com/perftrack/perftrack/compare/evaluation/figures"
)

// family is the number of benchmarks sharing the error rate.
const family = 29

// TestSimulateTails writes the tables of slow tails, one for each machine:
//
//	PERFTRACK_SIMULATE=full go test -C compare/evaluation -run 'SimulateTails$' -timeout 60m -v ./tails
func TestSimulateTails(t *testing.T) {
	for i, m := range Machines {
		t.Run(m.Name, func(t *testing.T) {
			if !evaluation.Full() {
				t.Skip("it takes minutes: PERFTRACK_SIMULATE=full")
			}
			out := &strings.Builder{}
			Table(io.MultiWriter(out, os.Stdout), m, family, 100, 20261101+uint64(i)<<48)
			for l := range strings.Lines(out.String()) {
				if strings.Contains(l, "NaN") || !strings.HasPrefix(l, "|") || !strings.HasSuffix(l, "|\n") {
					t.Errorf("odd line in the table: %s", l)
				}
			}
		})
	}
}

// A mean rising to almost three times its value, or falling to a little over a third, is hardly
// ever called unchanged. With 50 slices of one call, it is called unchanged in 0.3 % of the trials,
// because a single round may have had a hiccup. Without a change, the rate of flags stays within
// alpha, and most trials find the benchmark unchanged.
func TestSimulateTailsAreSeen(t *testing.T) {
	n, machines := 100, Machines
	if evaluation.Handful() {
		n, machines = 12, Machines[:2]
	}
	for i, m := range machines {
		for j, c := range Cases(m, family) {
			if c.Slices != 50 || evaluation.Handful() && (c.Calls > 3 || c.Both) {
				continue // 50 slices are the hardest
			}
			change := c.Change()
			if change != 0 && math.Abs(math.Log1p(change)) < 1 {
				continue // the table covers smaller changes
			}
			got := c.Run(n, 5+uint64(i)<<48+uint64(j)<<32)
			t.Logf("%s, %s, %d slices of %d calls: %+v", m.Name, c.Name(), c.Slices, c.Calls, got)
			switch {
			case change == 0 && figures.AtLeast(max(got.Regressed, got.Improved), n) > 0.01:
				t.Errorf("%s, %s, %d slices of %d calls: flagged though nothing changed: %+v", m.Name, c.Name(), c.Slices, c.Calls, got)
			case change == 0 && 2*got.Unchanged < n:
				t.Errorf("%s, %s, %d slices of %d calls: not unchanged: %+v", m.Name, c.Name(), c.Slices, c.Calls, got)
			case change != 0 && got.Unchanged > n/100:
				t.Errorf("%s, %s, %d slices of %d calls: called unchanged: %+v", m.Name, c.Name(), c.Slices, c.Calls, got)
			case change > 0 && got.Improved > 0 || change < 0 && got.Regressed > 0:
				t.Errorf("%s, %s, %d slices of %d calls: the wrong way: %+v", m.Name, c.Name(), c.Slices, c.Calls, got)
			}
		}
	}
}

// The slices have the mean that their case implies.
func TestSlicesHaveTheirMean(t *testing.T) {
	for _, c := range []Case{
		{Tail: Tails[1], Calls: 3}, {Tail: Tails[1], Calls: 1, Base: true}, {Tail: Tails[2], Calls: 100}, {Tail: Tails[3], Calls: 100},
		{Tail: Tails[4], Calls: 1}, {Tail: Tails[5], Calls: 1}, {Machine: Machines[0], Tail: Tails[0], Calls: 1},
	} {
		r, sums := rand.New(rand.NewPCG(1, 2)), [2]float64{}
		for range 200 {
			for _, s := range c.round(r, 200) {
				sums[0], sums[1] = sums[0]+s[0], sums[1]+s[1]
			}
		}
		if got := sums[1]/sums[0] - 1; math.Abs(math.Log1p(got)-math.Log1p(c.Change())) > 0.05 {
			t.Errorf("%s: the means differ by %.3f", c.Name(), got)
		}
	}
}
