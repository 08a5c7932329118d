package compare

import (
	"slices"
	"strings"
)

// noteSelection adds a caveat for each target if all of its trials selected only some benchmarks.
func (c *Comparison) noteSelection() {
	whole, parts := map[string]bool{}, map[string][]string{}
	var targets []string
	for _, p := range c.pairings {
		for _, r := range p.Runs[head] {
			if !r.Protocol.SelectsSome() {
				whole[r.Target] = true
				continue
			}
			if parts[r.Target] == nil {
				targets = append(targets, r.Target)
			}
			if text := r.Protocol.Selection.String(); !slices.Contains(parts[r.Target], text) {
				parts[r.Target] = append(parts[r.Target], text)
			}
		}
	}
	for _, t := range targets {
		if !whole[t] {
			c.addCaveat(Caveat{CodeSelection, "only some of the benchmarks were selected; the others were not checked", t + ": " + strings.Join(parts[t], ", ")})
		}
	}
}
