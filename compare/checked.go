package compare

import (
	"fmt"
	"math"
	"slices"

	"golang.org/x/perf/benchunit"

	"github.com/perftrack/perftrack/runner/record"
)

// ProcedureCheck is the value of [record.KeyProcedure] in the runs of a trial that is
// decided round by round, see [Sequence] and [CheckPlan]. Without one a trial is of fixed
// length.
const ProcedureCheck = "check"

// checked reports whether the pairing is of a trial that is decided round by
// round.
func (p *Pairing) checked() bool {
	for _, runs := range p.runs {
		for _, r := range runs {
			if r.Facts.Get(record.KeyProcedure) != ProcedureCheck {
				return false
			}
		}
	}
	return p.Trial
}

// calibrates reports whether the pairing is of one source against itself: what
// it shows is noise, whatever a test says.
func (p *Pairing) calibrates() bool {
	for _, runs := range p.runs {
		for _, r := range runs {
			if r.Facts.Get(record.KeyProcedure) == ProcedureCalibrate {
				return true
			}
		}
	}
	return false
}

// decideChecked decides the pairings of trials that are decided round by round.
// Each is a family of its own, with an equal part of the error rate: which are still to
// come is not known when the first is decided.
func (c *Comparison) decideChecked() {
	families := map[*Pairing][]*Row{}
	var order []*Pairing
	for _, t := range c.Tables {
		if !t.checked() {
			continue
		}
		if !slices.Contains(order, t.Pairing) {
			order = append(order, t.Pairing)
		}
		for _, r := range t.Rows {
			switch {
			case !r.Compared() || r.Derived:
			case c.rewritten(r):
				r.Verdict, r.Reason = Inconclusive, "the benchmark itself was rewritten"
			default:
				families[t.Pairing] = append(families[t.Pairing], r)
			}
		}
	}
	known, unknown := 0, 0
	stranger := map[*Pairing]bool{} // none of whose benchmarks is known
	for _, p := range order {
		stranger[p] = len(families[p]) > 0 && !slices.ContainsFunc(families[p], func(r *Row) bool { return !c.unknown(r) })
		if stranger[p] {
			unknown++
		} else {
			known++
		}
	}
	known = max(known, c.Options.Families-unknown)
	for _, p := range order {
		c.decideFamily(p, families[p], p.share()*c.Options.Alpha/shared(known, unknown, stranger[p]))
	}
}

func (c *Comparison) decideFamily(p *Pairing, rows []*Row, alpha float64) {
	ends := p.sessions()
	samples := p.byRound()
	last := 0
	t := SequentialTrial{Sessions: ends}
	for _, r := range rows {
		values := samples[seriesUnit{r.BenchmarkID, r.OrigUnit}]
		last = max(last, min(len(values[base]), len(values[head])))
		noise := 0.0
		if c.Options.Noise != nil {
			noise = c.Options.Noise(p.Target, r.BenchmarkID, r.OrigUnit)
		}
		t.Series = append(t.Series, SequentialSeries{
			Unit: r.Unit, Better: r.Better, Exact: r.declared, Threshold: r.Threshold, Noise: noise,
			Base: values[base], Head: values[head], Unknown: c.unknown(r),
		})
	}
	if c.Options.Ongoing && len(ends) > 0 {
		t.Sessions = ends[:len(ends)-1]
	}
	seq := NewSequence(t, SequentialOptions{Alpha: alpha, CompareAlpha: c.Options.CompareAlpha})
	if c.Options.Ongoing {
		from := 0
		if n := len(t.Sessions); n > 0 {
			from = t.Sessions[n-1]
		}
		for i, s := range t.Series {
			for round := from + 1; round <= min(len(s.Base), len(s.Head)); round++ {
				seq.Add(i, round, s.Base[round-1], s.Head[round-1])
			}
		}
		seq.Complete(last)
	}
	for i, d := range seq.Decisions() {
		r := rows[i]
		r.Decision, r.Rounds, r.DecidedAt, r.Open = d.Decision, d.Rounds, d.Round, seq.Open(i)
		r.reach = d.Reach
		r.Exact = d.Exact // also of a unit that counts nothing, or of counts that vary in few rounds
	}
	c.Tested += seq.Tested()
	noteUnchecked(rows)
}

// noteUnchecked turns what is open for want of rounds into what it is. A unit of which
// a benchmark that was checked gave but a few values stays inconclusive.
func noteUnchecked(rows []*Row) {
	checked := map[record.BenchmarkID]bool{}
	for _, r := range rows {
		if r.Tested && !r.Exact && r.reach == 0 {
			checked[r.BenchmarkID] = true
		}
	}
	for _, r := range rows {
		if r.reach > 0 && !checked[r.BenchmarkID] {
			r.Verdict, r.Reason, r.Need = NotChecked, fmt.Sprintf("%d of %d rounds", r.Rounds, r.reach), r.reach
		}
	}
}

// sessions are the last rounds of the pairs of runs that make up the trial and were
// measured.
func (p *Pairing) sessions() []int {
	var ends []int
	for i := range min(len(p.runs[base]), len(p.runs[head])) {
		if last := max(p.runs[base][i].LastRound(), p.runs[head][i].LastRound()); last > 0 {
			ends = append(ends, last)
		}
	}
	return ends
}

// A seriesUnit is one series of a pairing.
type seriesUnit struct {
	record.BenchmarkID
	unit string // as the store keeps it
}

// byRound returns the samples of all series by their round, from 1: NaN where a
// side has none. Of several samples in a round it is their median: they came
// from one process.
func (p *Pairing) byRound() map[seriesUnit]*[2][]float64 {
	all := map[seriesUnit]*[2][]float64{}
	for side, runs := range p.runs {
		rounds := map[seriesUnit]map[int][]float64{}
		for _, run := range runs {
			for i := range run.Benchmarks {
				b := &run.Benchmarks[i]
				for _, s := range b.Samples {
					key := seriesUnit{b.BenchmarkID, s.Unit}
					if rounds[key] == nil {
						rounds[key] = map[int][]float64{}
					}
					for k, v := range s.Values {
						if n := b.Rounds[k].N; v == v && n > 0 && n <= record.MaxSamples {
							rounds[key][n] = append(rounds[key][n], v)
						}
					}
				}
			}
		}
		for key, byN := range rounds {
			if all[key] == nil {
				all[key] = &[2][]float64{}
			}
			all[key][side] = medians(byN, key.unit)
		}
	}
	return all
}

// medians returns one value a round, in the tidied unit.
func medians(rounds map[int][]float64, unit string) (values []float64) {
	factor, _ := benchunit.Tidy(1, unit)
	last := 0
	for n := range rounds {
		last = max(last, n)
	}
	for n := 1; n <= last; n++ {
		v := math.NaN()
		if len(rounds[n]) > 0 {
			v = factor * median(rounds[n])
		}
		values = append(values, v)
	}
	return values
}
