package compare

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/perftrack/perftrack/compare/pairs"
	"github.com/perftrack/perftrack/runner/record"
)

// A Shortfall describes the benchmarks not checked for lack of rounds: no look (analysis of the
// trial) could have flagged them, however much slower they became.
type Shortfall struct {
	Benchmarks int
	Regressed  int           // how many of these regressed in another unit; a summary counts them as regressed
	Rounds     int           // rounds needed until a look can flag the last of them
	Fixed      bool          // the trial had a fixed length
	Cut        bool          // the check was interrupted or killed
	Budget     time.Duration // budget for a check of this many rounds; 0 if unknown
}

// String describes the shortfall and its remedy.
func (u Shortfall) String() string {
	text := fmt.Sprintf("%d benchmarks were not checked", u.Benchmarks)
	if u.Benchmarks == 1 {
		text = "1 benchmark was not checked"
	}
	switch {
	case u.Regressed == 1 && u.Benchmarks == 1:
		text += " in one unit and regressed in another"
	case u.Regressed > 0:
		text += fmt.Sprintf(" in one unit (%d of them regressed in another)", u.Regressed)
	}
	text += ": "
	switch {
	case u.Fixed:
		return text + fmt.Sprintf("too few rounds; use --rounds %d", u.Rounds)
	case u.Cut:
		return text + fmt.Sprintf("the check was interrupted before round %d; run it again", u.Rounds)
	case u.Budget > 0:
		return text + fmt.Sprintf("the budget ran out before round %d; use --budget %s", u.Rounds, ShortDuration(u.Budget))
	}
	return text + fmt.Sprintf("the check ended before round %d; run it again", u.Rounds)
}

// NotChecked returns the shortfall of the comparison. It excludes failed benchmarks, because more
// rounds would not help them.
func (c *Comparison) NotChecked() Shortfall {
	type benchmark struct {
		target string
		id     record.BenchmarkID
	}
	var u Shortfall
	found, regressed := map[benchmark]bool{}, map[benchmark]bool{}
	needs := map[*pairs.Pairing]int{}
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
			u.Fixed, u.Cut = u.Fixed || !t.Checked(), u.Cut || t.CutShort()
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

// BudgetOf estimates how long a check must run until the given rows have as many rounds as they
// need. It returns 0 if this is unknown.
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
		pace := t.Pace(c.newest)
		if pace == nil || !t.Checked() {
			return 0
		}
		setup, rounds = max(setup, pace.Setup), max(rounds, pace.Round*time.Duration(t.PerMachine(more)))
	}
	return roundUp((setup + rounds) * 11 / 10)
}

func (c *Comparison) noteNotChecked() {
	if u := c.NotChecked(); u.Benchmarks > 0 {
		c.addCaveat(Caveat{Code: CodeNotChecked, Text: u.String()})
	}
}

// starved counts the benchmarks that the newest check left without a round. A later check of the
// same selection replaces the count with its own, or with 0 if it left out nothing and was not
// interrupted. A check of another selection reduces the count by the benchmarks it is the first to
// measure.
func (c *Comparison) starved(p *pairs.Pairing) {
	if !p.Checked() {
		return
	}
	var left Starved
	var selection *record.Selection
	seen := map[record.BenchmarkID]bool{}
	runs := slices.SortedStableFunc(slices.Values(p.Runs[head]), func(a, b *record.Run) int { return a.Start.Compare(b.Start) })
	for _, r := range runs {
		first := 0
		for _, b := range r.Benchmarks {
			if !seen[b.BenchmarkID] {
				first++
			}
			seen[b.BenchmarkID] = true
		}
		switch starved := r.Protocol.Starved; {
		case starved != nil:
			left = Starved{Benchmarks: starved.Benchmarks, Rounds: starved.Rounds, Setup: starved.Setup, Round: starved.Round}
			selection = r.Protocol.Selection
		case len(r.Benchmarks) > 0 && r.Status != record.Partial && sameSelection(r.Protocol.Selection, selection):
			left = Starved{}
		default:
			left.Benchmarks -= first
		}
	}
	if left.Benchmarks > 0 {
		left.Target, left.part = p.Target, p.Part()
		c.Starved = append(c.Starved, left)
	}
}

func sameSelection(a, b *record.Selection) bool {
	return a == nil && b == nil || a != nil && b != nil && a.Equal(*b)
}

// budget estimates how long a check takes if it measures the rounds in needs for each target listed
// there, and as many rounds as before for the other targets. It adds a tenth and rounds up. It
// returns 0 if any target's pace is unknown. The parts of a divided check run separately, so the
// longest part counts.
func (c *Comparison) budget(needs map[*pairs.Pairing]int, most int) time.Duration {
	var setup time.Duration
	rounds := map[record.Part]time.Duration{}
	of := func(p record.Part) record.Part { return record.Part{N: p.N, Of: p.Of} }
	seen := map[*pairs.Pairing]bool{}
	for _, t := range c.Tables {
		if seen[t.Pairing] {
			continue
		}
		seen[t.Pairing] = true
		pace := t.Pace(c.newest)
		n := needs[t.Pairing]
		if n == 0 {
			for _, end := range t.Sessions() {
				n = max(n, min(end, most))
			}
		}
		if pace == nil {
			return 0
		}
		setup = max(setup, pace.Setup)
		rounds[of(t.Part())] += pace.Round * time.Duration(t.PerMachine(n))
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

// roundUp rounds a duration up to a multiple of a step that grows with the duration.
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

// ShortDuration formats a duration without trailing zero units: 25m, where String returns 25m0s.
func ShortDuration(d time.Duration) string {
	text := d.String()
	for _, zero := range []string{"0s", "0m"} {
		if cut := strings.TrimSuffix(text, zero); cut != text && cut != "" && !strings.ContainsAny(cut[len(cut)-1:], "0123456789.") {
			text = cut
		}
	}
	return text
}
