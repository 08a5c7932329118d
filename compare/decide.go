package compare

import (
	"fmt"
	"math"
	"slices"

	"github.com/perftrack/perftrack/compare/stat"
	"github.com/perftrack/perftrack/runner/record"
)

// ProcedureCheck is the value of [record.KeyProcedure] in the runs of a check: a trial that
// is measured until all is decided, in as many sessions as it takes, see [stat.CheckPlan].
// Without one a trial is of fixed length.
const ProcedureCheck = "check"

// checked reports whether the pairing is of a check.
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

// decide decides the rows of all trials, and says what is suspect of the others. Checks and
// trials of fixed length have an error rate each: a trial of fixed length is one whose only
// look is at its end.
func (c *Comparison) decide() {
	for _, checks := range []bool{true, false} {
		for _, procedure := range []stat.Procedure{stat.Pairs, stat.Typical, stat.Blocks} {
			c.decideTrials(procedure, func(p *Pairing) bool {
				return p.Trial && p.checked() == checks && p.procedure == procedure && p.undecidable == ""
			})
		}
	}
	c.suspect()
	c.noteTests()
	c.estimateDerived()
	for _, t := range c.Tables {
		if !t.calibrates() {
			continue
		}
		for _, r := range t.Rows {
			r.Verdict, r.Reason = NoVerdict, ""
		}
	}
	c.demotePlaced()
}

// decideTrials decides the pairings of one kind.
func (c *Comparison) decideTrials(procedure stat.Procedure, of func(*Pairing) bool) {
	families := map[*Pairing][]*Row{}
	var order []*Pairing
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
	var portions map[*Pairing]portion
	if procedure == stat.Blocks {
		portions = c.equalPortions(order, families)
	} else {
		portions = c.portions(order)
	}
	for _, p := range order {
		c.decideFamily(p, families[p], portions[p])
	}
}

// equalPortions divides the error rate as it was divided among trials of before: equally, and
// wholly, among the targets.
func (c *Comparison) equalPortions(order []*Pairing, families map[*Pairing][]*Row) map[*Pairing]portion {
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
	out := map[*Pairing]portion{}
	for _, p := range order {
		out[p] = portion{alpha: p.share() * c.Options.Alpha / stat.Sharing(known, unknown, stranger[p]), flags: 1}
	}
	return out
}

func (c *Comparison) decideFamily(p *Pairing, rows []*Row, part portion) {
	all, means := p.byRound(), p.means()
	last := 0
	var t stat.Trial
	for _, r := range rows {
		pairs := all[seriesUnit{r.BenchmarkID, r.OrigUnit}]
		last = max(last, len(pairs))
		s := SeriesOf(r.Unit, r.Better, r.declared)
		s.Threshold, s.Unknown, s.Pairs, s.Zeros = r.Threshold, c.unknown(r), pairs, !p.checked()
		if c.Options.Noise != nil {
			s.Noise = c.Options.Noise(p.Target, r.BenchmarkID, r.OrigUnit)
		}
		if c.Options.Capped != nil && p.checked() && p.procedure.ByPairs() {
			s.Capped = c.Options.Capped(p.Target, r.BenchmarkID, r.OrigUnit)
		}
		if r.OrigUnit == timeUnit {
			s.Means = means[r.BenchmarkID]
		}
		t.Series = append(t.Series, s)
	}
	t.Sessions = p.sessions()
	opt := stat.Options{Procedure: p.procedure, Alpha: part.alpha, Part: part.flags, CompareAlpha: c.Options.CompareAlpha}
	if !p.checked() {
		t.Sessions = []int{last}
		opt.Plan = stat.FixedPlan(max(last, 1))
	} else if c.Options.Ongoing && len(t.Sessions) > 0 {
		t.Sessions = t.Sessions[:len(t.Sessions)-1]
	}
	seq := stat.NewSequence(t, opt)
	if p.checked() && c.Options.Ongoing {
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
	for i, d := range seq.Decisions() {
		within := rows[i].MeanWithin
		rows[i].Decision, rows[i].reach = DecisionOf(d, rows[i].Better), d.Reach
		rows[i].MeanWithin = within
		if rows[i].Mean != nil {
			rows[i].Mean.Slow = p.slow(rows[i].BenchmarkID)
		}
		if rows[i].ByMean {
			rows[i].showMeans(t.Series[i].Means, c.Options)
		}
		if p.procedure != NewProcedure && !p.calibrates() && d.Need > 0 && rows[i].Open {
			rows[i].Reason, rows[i].Need = "", 0 // the trial cannot be continued
		}
		if t.Series[i].Zeros && d.Tested && d.Shift.Absolute {
			rows[i].noteZero()
		}
		if d.Capped && d.Tested && !d.Exact {
			rows[i].noteCapped(t.Series[i].Capped)
		}
		if p.procedure.ByPairs() && d.Outcome != stat.Open && !d.Exact {
			pairs := t.Series[i].Pairs
			if rows[i].ByMean {
				pairs = t.Series[i].Means
			}
			rows[i].noteLook(d.Round, pairs)
		}
	}
	c.Tested += seq.Tested()
	noteUnchecked(rows)
}

// noteLook says that a look decided the row before the last of its rounds: the change, its interval
// and p are what that look had, the medians and the number of samples are of all.
func (r *Row) noteLook(look int, pairs []stat.Pair) {
	all := 0
	for _, p := range pairs {
		if !math.IsNaN(p.Base) && !math.IsNaN(p.Head) {
			all++
		}
	}
	if all > r.Rounds {
		r.Notes = append(r.Notes, Caveat{Code: CodeLook, Text: fmt.Sprintf("decided at the look after %d rounds: change and p are of %d of its %d rounds, later ones change no verdict", look, r.Rounds, all)})
	}
}

func (r *Row) noteCapped(calibrated bool) {
	why := "single rounds of its first ten are far off"
	if calibrated {
		why = "its rounds are often far off on this machine"
	}
	r.Notes = append(r.Notes, Caveat{Code: CodeCapped, Text: why + ": such a round weighs no more than a usual one"})
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
