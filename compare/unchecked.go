package compare

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/perftrack/perftrack/runner/record"
)

// Unchecked is what a trial left out for want of rounds: benchmarks that no look
// could have flagged, however much slower they became.
type Unchecked struct {
	Benchmarks int
	Regressed  int           // of these, in another unit: a summary counts them as that
	Rounds     int           // that the last of them takes until a look can
	Fixed      bool          // the trial was one of fixed length
	Cut        bool          // the check was interrupted, or killed
	Budget     time.Duration // of a check that brings these rounds; 0 where it is unknown
}

// String says so, and what would do.
func (u Unchecked) String() string {
	text := fmt.Sprintf("%d benchmarks were not checked", u.Benchmarks)
	if u.Benchmarks == 1 {
		text = "1 benchmark was not checked"
	}
	switch {
	case u.Regressed == 1 && u.Benchmarks == 1:
		text += " in a unit, and regressed in another"
	case u.Regressed > 0:
		text += fmt.Sprintf(" in a unit (%d of these regressed in another)", u.Regressed)
	}
	text += ": "
	switch {
	case u.Fixed:
		return text + fmt.Sprintf("too few rounds; --rounds %d would do", u.Rounds)
	case u.Cut:
		return text + fmt.Sprintf("the check was interrupted before round %d; run it again", u.Rounds)
	case u.Budget > 0:
		return text + fmt.Sprintf("the budget ended before round %d; --budget %s would do", u.Rounds, ShortDuration(u.Budget))
	}
	return text + fmt.Sprintf("the check ended before round %d; run it again", u.Rounds)
}

// NotChecked returns what the comparison left out. A benchmark that failed is not
// part of it: more rounds would not help.
func (c *Comparison) NotChecked() Unchecked {
	type benchmark struct {
		target string
		id     record.BenchmarkID
	}
	var u Unchecked
	found, regressed := map[benchmark]bool{}, map[benchmark]bool{}
	needs := map[*Pairing]int{}
	for _, t := range c.Tables {
		for _, r := range t.Rows {
			if r.Verdict == Regressed {
				regressed[benchmark{r.Target, r.BenchmarkID}] = true
			}
			if r.Verdict != NotChecked || c.Settled(r) || slices.ContainsFunc(c.Failures, func(f Failure) bool { return f.of(r) }) {
				continue
			}
			found[benchmark{r.Target, r.BenchmarkID}] = true
			u.Rounds = max(u.Rounds, r.Need)
			u.Fixed, u.Cut = u.Fixed || !t.checked(), u.Cut || t.cut()
			needs[t.Pairing] = max(needs[t.Pairing], r.Need)
		}
	}
	u.Benchmarks = len(found)
	for b := range found {
		if regressed[b] {
			u.Regressed++
		}
	}
	for _, s := range c.Starved {
		u.Benchmarks += s.Benchmarks
		u.Rounds = max(u.Rounds, s.Rounds)
	}
	if u.Benchmarks > 0 && !u.Fixed && !u.Cut {
		u.Budget = c.budget(needs, u.Rounds)
	}
	return u
}

// cut reports whether what ended the newest session was no budget.
func (p *Pairing) cut() bool {
	var last *record.Run
	for _, r := range p.runs[head] {
		if last == nil || r.Start.After(last.Start) {
			last = r
		}
	}
	return last != nil && last.Status == record.Partial
}

// BudgetOf estimates what a check takes that goes on until these rows have the rounds that they
// need; 0 where it is unknown.
func (c *Comparison) BudgetOf(rows []*Row) time.Duration {
	var setup, rounds time.Duration
	for _, t := range c.Tables {
		more := 0
		for _, r := range t.Rows {
			if slices.Contains(rows, r) {
				more = max(more, r.Need-r.Rounds)
			}
		}
		if more == 0 {
			continue
		}
		s, d, ok := t.pace(c.newest)
		if !ok || !t.checked() {
			return 0
		}
		setup, rounds = max(setup, s), max(rounds, d*time.Duration(more))
	}
	return roundUp((setup + rounds) * 11 / 10)
}

func (c *Comparison) noteNotChecked() {
	if u := c.NotChecked(); u.Benchmarks > 0 {
		c.addCaveat(Caveat{Code: CodeNotChecked, Text: u.String()})
	}
}

// Starved are the benchmarks of a target of which the budget of a check brought no round: all of them,
// or those that its plan left out.
type Starved struct {
	Target     string
	Benchmarks int
	Rounds     int           // that they need
	Setup      time.Duration // that was spent until there was no time for a round
	Round      time.Duration // that one of them all would take, by the warm-up

	part   Part // which it is of; the zero value is of none
	beside int  // functions that the same trial measured
}

// SetStarved notes on a run of a target of how many benchmarks nothing was measured.
func SetStarved(r *record.Run, s Starved) {
	r.Facts = r.Facts.Set(record.KeyStarved, fmt.Sprintf("%d benchmarks, %d rounds of %v after %v",
		s.Benchmarks, s.Rounds, s.Round.Round(time.Millisecond), s.Setup.Round(time.Millisecond)))
}

// starvedOf reads back what SetStarved noted, within bounds.
func starvedOf(r *record.Run) (s Starved, ok bool) {
	var round, setup string
	_, err := fmt.Sscanf(r.Facts.Get(record.KeyStarved), "%d benchmarks, %d rounds of %s after %s", &s.Benchmarks, &s.Rounds, &round, &setup)
	if err != nil {
		return s, false
	}
	s.Benchmarks, s.Rounds = min(max(s.Benchmarks, 1), record.MaxBenchmarks), min(max(s.Rounds, 1), record.MaxSamples)
	s.Round, _ = believed(round)
	s.Setup, _ = believed(setup)
	return s, true
}

// starved counts what the newest check left without a round. A later one of the same selection that came
// to its end says itself what is left; one of others takes off what it is the first to measure.
func (c *Comparison) starved(p *Pairing) {
	if !p.checked() {
		return
	}
	var left Starved
	var selection string
	seen := map[record.BenchmarkID]bool{}
	runs := slices.SortedStableFunc(slices.Values(p.runs[head]), func(a, b *record.Run) int { return a.Start.Compare(b.Start) })
	for _, r := range runs {
		first := 0
		for _, b := range r.Benchmarks {
			if !seen[b.BenchmarkID] {
				first++
			}
			seen[b.BenchmarkID] = true
		}
		switch s, ok := starvedOf(r); {
		case ok:
			left, selection = s, r.Facts.Get(record.KeySelection)
		case len(r.Benchmarks) > 0 && r.Status != record.Partial && r.Facts.Get(record.KeySelection) == selection:
			left = Starved{}
		default:
			left.Benchmarks -= first
		}
	}
	if left.Benchmarks > 0 {
		left.Target, left.part = p.Target, p.part()
		c.Starved = append(c.Starved, left)
	}
}

// of reports whether the failure is of the benchmark that a row is of: it names that, what it
// is a part of, or the target that is one program.
func (f Failure) of(r *Row) bool { return f.Names(r.Target, r.BenchmarkID) }

// Names reports whether what failed is the benchmark, or all that it was measured with.
func (f Failure) Names(target string, id record.BenchmarkID) bool {
	switch {
	case f.Target != target:
		return false
	case f.Benchmark == target, f.Unbuilt() && f.Benchmark == id.Package:
		return true
	}
	for name := id.Name; name != ""; name = name[:max(0, strings.LastIndexByte(name, '/'))] {
		if f.Benchmark == name || f.Benchmark == id.Package+"."+name {
			return true
		}
	}
	return false
}

// SetPace notes on a run of a checked trial how long it took to begin, and a round.
func SetPace(r *record.Run, setup, round time.Duration) {
	r.Facts = r.Facts.Set(record.KeySetupTime, setup.Round(time.Millisecond).String())
	r.Facts = r.Facts.Set(record.KeyRoundTime, round.Round(time.Millisecond).String())
}

// maxPace is the longest time that is believed: whoever opens a pull request can
// write what they like.
const maxPace = 24 * time.Hour

// believed reads a time that somebody wrote.
func believed(text string) (d time.Duration, ok bool) {
	d, err := time.ParseDuration(text)
	if err != nil || d < 0 || d > maxPace {
		return 0, false
	}
	return d, true
}

// pace reads back what SetPace noted, of the slowest session, or of the newest.
func (p *Pairing) pace(newest bool) (setup, round time.Duration, ok bool) {
	for _, runs := range p.runs {
		for _, r := range runs {
			s, ok1 := believed(r.Facts.Get(record.KeySetupTime))
			d, ok2 := believed(r.Facts.Get(record.KeyRoundTime))
			if ok1 && ok2 && d > 0 && newest {
				setup, round, ok = s, d, true
			} else if ok1 && ok2 && d > 0 {
				setup, round, ok = max(setup, s), max(round, d), true
			}
		}
	}
	return setup, round, ok
}

// budget estimates what a check takes that brings each target the rounds that it
// needs, the others as many as they had, a tenth more and rounded up; 0 if a target
// does not say how fast it was. Each part of a divided one has a budget of its own.
func (c *Comparison) budget(needs map[*Pairing]int, most int) time.Duration {
	var setup time.Duration
	rounds := map[Part]time.Duration{}
	of := func(p Part) Part { return Part{N: p.N, Of: p.Of} }
	seen := map[*Pairing]bool{}
	for _, t := range c.Tables {
		if seen[t.Pairing] {
			continue
		}
		seen[t.Pairing] = true
		s, d, ok := t.pace(c.newest)
		n := needs[t.Pairing]
		if n == 0 {
			for _, end := range t.sessions() {
				n = max(n, min(end, most))
			}
		}
		if !ok {
			return 0
		}
		setup = max(setup, s)
		rounds[of(t.part())] += d * time.Duration(n)
	}
	for _, s := range c.Starved {
		if s.Round == 0 {
			return 0
		}
		setup = max(setup, s.Setup)
		rounds[of(s.part)] += s.Round * time.Duration(s.Rounds)
	}
	longest := time.Duration(0)
	for _, d := range rounds {
		longest = max(longest, d)
	}
	return roundUp((setup + longest) * 11 / 10)
}

// roundUp rounds a time up to what somebody would write down.
func roundUp(d time.Duration) time.Duration {
	step := time.Second
	for _, s := range []struct{ from, step time.Duration }{
		{20 * time.Second, 5 * time.Second}, {time.Minute, 10 * time.Second}, {3 * time.Minute, 30 * time.Second},
		{10 * time.Minute, time.Minute}, {time.Hour, 5 * time.Minute},
	} {
		if d > s.from {
			step = s.step
		}
	}
	return (d + step - 1) / step * step
}

// ShortDuration writes 25m where String writes 25m0s.
func ShortDuration(d time.Duration) string {
	text := d.String()
	for _, zero := range []string{"0s", "0m"} {
		if cut := strings.TrimSuffix(text, zero); cut != text && cut != "" && !strings.ContainsAny(cut[len(cut)-1:], "0123456789.") {
			text = cut
		}
	}
	return text
}
