package compare

import (
	"strings"

	"github.com/perftrack/perftrack/store"
)

// The fact of a trial's run that says which benchmarks of its target it was to measure: all
// of them, or those that the rest of the command line selected. What a narrow trial found
// says nothing of the others.
const (
	selectionKey = "selection"
	selectedAll  = "all"
)

// SetSelection notes on a run which benchmarks of its target were to be measured, in the
// words of the command line; "" is all.
func SetSelection(r *store.Run, selection string) {
	if selection == "" {
		selection = selectedAll
	}
	if len(selection) <= store.MaxSettingLen && !strings.ContainsAny(selection, "\r\n") {
		r.Facts = r.Facts.Set(selectionKey, selection)
	}
}

// SelectionCovers reports whether a run was to measure all that the selection, in the
// same words, would have it measure. Of a run that does not say it is not known.
func SelectionCovers(r *store.Run, selection string) bool {
	have := r.Facts.Get(selectionKey)
	return have == selectedAll || have != "" && have == selection
}

// noteSelection says of each target that only a part of it was checked, where no trial
// was of all of it.
func (c *Comparison) noteSelection() {
	whole, parts := map[string]bool{}, map[string]string{}
	var targets []string
	for _, p := range c.pairings {
		for _, r := range p.runs[head] {
			have := r.Facts.Get(selectionKey)
			if have == "" || have == selectedAll {
				whole[r.Target] = true
				continue
			}
			if parts[r.Target] == "" {
				targets = append(targets, r.Target)
			} else if strings.Contains(parts[r.Target], have) {
				continue
			} else {
				have = parts[r.Target] + ", " + have
			}
			parts[r.Target] = have
		}
	}
	for _, t := range targets {
		if !whole[t] {
			c.addCaveat(Caveat{CodeSelection, "only some of the benchmarks were selected, the others were not checked", t + ": " + parts[t]})
		}
	}
}
