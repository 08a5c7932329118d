package bisections

import "github.com/perftrack/perftrack/compare/evaluation"

// A Tally counts a bisector's results on the lines of one scenario.
type Tally struct {
	Name    string
	Lines   int
	Right   int // named the culprit
	Wrong   int // named another commit
	Skipped int // left more than one commit
	Refused int // could not distinguish the ends

	Pairs, Builds, Ends int
	pairs               []int // pairs of each line, for the quantile
}

// Run lets each bisector search n lines for their culprits. The result depends only on the
// arguments.
func Run(s Scenario, n int, seed uint64, rules ...Bisector) []*Tally {
	founds := make([][]Found, len(rules))
	costs := make([][][2]int, len(rules))
	culprits := make([]int, n)
	for i := range rules {
		founds[i], costs[i] = make([]Found, n), make([][2]int, n)
	}
	evaluation.Share(func(first, step int) {
		l := newLine(s)
		for i := first; i < n; i += step {
			for k, rule := range rules {
				l.draw(seed, uint64(i)) // every bisector gets the same line
				culprits[i] = l.Culprit
				founds[k][i] = rule.Find(l)
				costs[k][i] = [2]int{l.Pairs, l.Builds}
			}
		}
	})
	var out []*Tally
	for k, rule := range rules {
		t := &Tally{Name: rule.Name}
		for i, f := range founds[k] {
			t.count(f, culprits[i], costs[k][i])
		}
		out = append(out, t)
	}
	return out
}

func (t *Tally) count(f Found, culprit int, cost [2]int) {
	t.Lines++
	switch {
	case f.Refused:
		t.Refused++
	case f.Skipped:
		t.Skipped++
	case f.Commit == culprit:
		t.Right++
	default:
		t.Wrong++
	}
	search := cost[0] - f.Ends
	t.Pairs += search
	t.pairs = append(t.pairs, search)
	t.Builds += cost[1]
	t.Ends += f.Ends
}

func (t *Tally) mean(sum int) float64 { return float64(sum) / float64(t.Lines) }

// MeanPairs returns the mean number of pairs measured in a search, excluding those of the two ends.
func (t *Tally) MeanPairs() float64 { return t.mean(t.Pairs) }

// MeanBuilds returns the mean number of commits built besides the two ends.
func (t *Tally) MeanBuilds() float64 { return t.mean(t.Builds) }
