package compare

import (
	"slices"

	"github.com/perftrack/perftrack/compare/pairs"
	"github.com/perftrack/perftrack/runner/record"
)

// Compare compares the head side h with the base side b. It never fails; the result lists
// everything incomparable, with the reason. The runs are not modified.
func Compare(b, h Side, opt Options) *Comparison {
	if parts := sidesByTrial(b, h); len(parts) > 1 {
		return compareTrials(b, h, parts, opt)
	}
	c := &Comparison{Base: b, Head: h, Options: opt.withDefaults()}
	c.pairings = pairs.Of(b.Runs, h.Runs)
	for _, p := range c.pairings {
		c.coverage(p)
		c.starved(p)
		c.addPairing(p)
	}
	c.findForeign()
	c.decide()
	for i := range c.Tables {
		c.Tables[i].Geomean.Change = MeanChange(c.Tables[i].Rows)
		c.Tables[i].fold()
	}
	c.addFailures(record.Base, b.Runs)
	c.addFailures(record.Head, h.Runs)
	c.addRunCaveats("base", b)
	c.addRunCaveats("head", h)
	c.addBusy(slices.Concat(b.Runs, h.Runs))
	c.noteNotChecked()
	c.noteFurther()
	c.noteSelection()
	c.readParts()
	c.noteParts()
	c.addLimits()
	return c
}
