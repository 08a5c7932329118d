package compare

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/perftrack/perftrack/compare/pairs"
	"github.com/perftrack/perftrack/compare/stat"
)

// A change may be larger on one CPU model than on another. A spread trial decides on the rounds of
// all of them together, and a note on the row shows the change for each model.

// noteModels shows the change on each CPU model if the row is flagged, or if the models differ
// clearly: the intervals of two models have no change in common.
func (r *Row) noteModels(of pairs.Models, all []stat.Pair) {
	if r.Exact || r.Shift.Absolute {
		return
	}
	var shown []string
	least, most := math.Inf(1), math.Inf(-1) // the lowest upper end and the highest lower end
	for _, m := range of.List {
		change, n := m.Change(all)
		if n == 0 {
			continue
		}
		least, most = min(least, change.Hi), max(most, change.Lo)
		rounds := "1 round"
		if n > 1 {
			rounds = fmt.Sprint(n, " rounds")
		}
		shown = append(shown, signed(change.Center)+" on "+m.Name+" ("+rounds+")")
	}
	flagged := slices.Contains([]Verdict{Regressed, Improved, Changed}, r.Verdict)
	text := "the change on each of the " + of.Kind + "; the verdict is about all of them together"
	switch {
	case len(shown) < 2:
		return
	case least < most:
		text = "the change differs between the " + of.Kind + "; the verdict is about all of them together"
	case !flagged:
		return
	}
	r.Notes = append(r.Notes, Caveat{CodeModels, text, strings.Join(shown, ", ")})
}

// signed formats the logarithm of a ratio as a change in percent.
func signed(log float64) string {
	text := fmt.Sprintf("%+.1f %%", 100*math.Expm1(log))
	if text == "-0.0 %" {
		return "+0.0 %"
	}
	return text
}

// noteSpread adds a caveat that names the machines of a spread trial, or says why they were decided
// separately.
func (c *Comparison) noteSpread(p *pairs.Pairing) {
	if p.NotJoined != "" {
		c.addCaveat(Caveat{CodeSpread, "the rounds were spread over machines, but each environment is decided on its own: " + p.NotJoined, p.Target})
	}
	s := p.Spread()
	if s == nil {
		return
	}
	text := "the rounds were measured by one machine"
	if s.Machines > 1 {
		text = fmt.Sprintf("the rounds were spread over %d machines", s.Machines)
	}
	found := p.Models()
	if len(found.List) > 0 {
		text += fmt.Sprintf(", %d %s", len(found.List), found.Kind)
	}
	if missing, last := p.Missing(); missing > 0 {
		text += fmt.Sprintf("; %d of %d rounds are missing", missing, last)
	}
	var of []string
	if s.Class != "" {
		of = append(of, "class "+s.Class)
	}
	for _, m := range found.List {
		of = append(of, m.Name)
	}
	c.addCaveat(Caveat{CodeSpread, text, strings.Join(of, ", ")})
}
