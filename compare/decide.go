package compare

import (
	"fmt"
	"math"
	"slices"

	"github.com/perftrack/perftrack/compare/pairs"
	"github.com/perftrack/perftrack/compare/stat"
	"github.com/perftrack/perftrack/compare/units"
	"github.com/perftrack/perftrack/runner/record"
)

// decide decides the rows of all trials and marks suspect rows of unpaired runs. Checks and
// fixed-length trials have separate error rates, because a fixed-length trial looks at its samples
// only once, at its end.
func (c *Comparison) decide() {
	for _, checks := range []bool{true, false} {
		c.decideTrials(func(p *pairs.Pairing) bool {
			return p.Trial && p.Checked() == checks && p.Foreign == ""
		})
	}
	c.suspect()
	c.noteTests()
	c.estimateDerived()
	for _, t := range c.Tables {
		if !t.Calibrates() {
			continue
		}
		for _, r := range t.Rows {
			r.Verdict, r.Reason = NoVerdict, ""
		}
	}
	c.demotePlaced()
	for r := range c.Rows() {
		r.noteDirection()
	}
}

// NoDirection tells how to declare the direction of the unit that it is followed by.
const NoDirection = `neither better nor worse, because no direction is declared: add a [[rule]] with better = "lower" or "higher" to perftrack.toml for the unit`

// noteDirection tells how to declare the direction that a changed row lacks.
func (r *Row) noteDirection() {
	if r.Better == 0 && (r.Verdict == Changed || r.Verdict == Suspect) {
		r.Notes = append(r.Notes, Caveat{CodeDirection, NoDirection, r.OrigUnit})
	}
}

// decideTrials decides the pairings selected by of.
func (c *Comparison) decideTrials(of func(*pairs.Pairing) bool) {
	families := map[*pairs.Pairing][]*Row{}
	var order []*pairs.Pairing
	for _, t := range c.Tables {
		if !of(t.Pairing) {
			continue
		}
		if !slices.Contains(order, t.Pairing) {
			order = append(order, t.Pairing)
		}
		for _, r := range t.Rows {
			switch {
			case !r.Compared() || r.Derived:
			case c.rewritten(r):
				r.Verdict, r.Reason = NotComparable, "the benchmark changed"
			default:
				families[t.Pairing] = append(families[t.Pairing], r)
			}
		}
	}
	portions := c.portions(order)
	for _, p := range order {
		c.decideFamily(p, families[p], portions[p])
	}
}

func (c *Comparison) decideFamily(p *pairs.Pairing, rows []*Row, part portion) {
	all, means := p.Rounds(), p.Means()
	last := 0
	var t stat.Trial
	for _, r := range rows {
		pairs := all[pairs.SeriesUnit{BenchmarkID: r.BenchmarkID, Unit: r.OrigUnit}]
		last = max(last, len(pairs))
		s := SeriesOf(r.Unit, r.Better, r.declared)
		s.Threshold, s.Unknown, s.Pairs = r.Threshold, c.unknown(r), pairs
		if c.Options.Noise != nil {
			s.Noise = c.Options.Noise(p.Target, r.BenchmarkID, r.OrigUnit)
		}
		if c.Options.Capped != nil && p.Checked() {
			s.Capped = c.Options.Capped(p.Target, r.BenchmarkID, r.OrigUnit)
		}
		if r.OrigUnit == units.Time {
			s.Means = means[r.BenchmarkID]
		}
		t.Series = append(t.Series, s)
	}
	t.Sessions = p.Sessions()
	opt := stat.Options{Alpha: part.alpha, Part: part.flags}
	if !p.Checked() {
		t.Sessions = []int{last}
		opt.Plan = stat.FixedPlan(max(last, 1))
	} else if c.Options.Ongoing && len(t.Sessions) > 0 {
		t.Sessions = t.Sessions[:len(t.Sessions)-1]
	}
	seq := stat.NewSequence(t, opt)
	if p.Checked() && c.Options.Ongoing {
		from := 0
		if n := len(t.Sessions); n > 0 {
			from = t.Sessions[n-1]
		}
		for i, s := range t.Series {
			for round := from + 1; round <= len(s.Pairs); round++ {
				seq.Add(i, round, s.Pairs[round-1])
			}
			for round := from + 1; round <= len(s.Means); round++ {
				seq.AddMean(i, round, s.Means[round-1])
			}
		}
		seq.Complete(last)
	}
	found := p.Models()
	for i, d := range seq.Decisions() {
		within := rows[i].MeanWithin
		rows[i].Decision, rows[i].reach = DecisionOf(d, rows[i].Better), d.Reach
		rows[i].MeanWithin = within
		if rows[i].Mean != nil {
			rows[i].Mean.Slow = p.Slow(rows[i].BenchmarkID)
		}
		if rows[i].ByMean {
			rows[i].showMeans(t.Series[i].Means, c.Options)
		}
		if !p.Checked() && d.Tested && d.Shift.Absolute {
			rows[i].noteZero()
		}
		if d.Capped && d.Tested && !d.Exact {
			rows[i].noteCapped(t.Series[i].Capped)
		}
		pairs := t.Series[i].Pairs
		if rows[i].ByMean {
			pairs = t.Series[i].Means
		}
		if d.Outcome != stat.Open && !d.Exact {
			rows[i].noteLook(d.Round, pairs)
		}
		rows[i].noteModels(found, pairs)
	}
	c.Tested += seq.Tested()
	noteUnchecked(rows)
}

// noteLook adds a note if the row was decided by an analysis ("look") before its last round. The
// row's change, interval and p are from the look, whereas the medians and the number of samples
// cover all rounds.
func (r *Row) noteLook(look int, pairs []stat.Pair) {
	all := 0
	for _, p := range pairs {
		if !math.IsNaN(p.Base) && !math.IsNaN(p.Head) {
			all++
		}
	}
	if all > r.Rounds {
		r.Notes = append(r.Notes, Caveat{Code: CodeLook, Text: fmt.Sprintf("decided after %d rounds: change and p come from %d of its %d rounds, and later rounds do not change the verdict", look, r.Rounds, all)})
	}
}

func (r *Row) noteCapped(calibrated bool) {
	why := "a few rounds are far off"
	if calibrated {
		why = "its rounds are often far off on this machine"
	}
	r.Notes = append(r.Notes, Caveat{Code: CodeCapped, Text: why + ": outliers weigh no more than ordinary rounds"})
}

// noteUnchecked marks rows as not checked if they are undecided for lack of rounds. If another unit
// of the same benchmark was checked, a unit with few values stays inconclusive.
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
