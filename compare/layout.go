package compare

import (
	"math"
	"slices"

	"github.com/perftrack/perftrack/runner/record"
)

// layoutDefault is the value of [record.KeyLayout] if the code layout is left to the build, so that
// each side has one build, with one layout, for the whole trial.
const layoutDefault = "default"

// notRotated is the reason given for a row whose change may be due to code placement alone.
const notRotated = "code placement not rotated"

// placedOnce reports whether a side of the pairing is a single build with an arbitrary layout of
// its own.
func (p *Pairing) placedOnce() bool {
	same := func(r *record.Run) bool { return r.Facts.Get(record.KeyPlacement) == record.PlacementSame }
	if !slices.ContainsFunc(slices.Concat(p.runs[base], p.runs[head]), func(r *record.Run) bool { return !same(r) }) {
		return false
	}
	return p.Env[base].Get(record.KeyLayout) == layoutDefault || p.Env[head].Get(record.KeyLayout) == layoutDefault
}

// placedBy is the largest change attributed to code placement, as the logarithm of a ratio: 20 %.
// Programs written to demonstrate the effect can change by more.
var placedBy = math.Log(1.2)

// beyondPlacement reports whether the whole interval of a change lies beyond the effects of code
// placement.
func (r *Row) beyondPlacement() bool {
	s := r.Shift
	return !s.Absolute && (math.Log1p(s.Lo) > placedBy || math.Log1p(s.Hi) < -placedBy)
}

// demotePlaced marks every change as suspect that code placement alone may have caused. An edit
// that touches no instruction in a loop can still move the loop across a cache line. Tests rightly
// call the effect significant, and no number of rounds with the same two builds can tell whether
// placement is the cause. Memory counts do not depend on placement, and a change far beyond the
// effects of placement is real.
func (c *Comparison) demotePlaced() {
	for _, t := range c.Tables {
		if !t.Trial || !t.placedOnce() {
			continue
		}
		for _, r := range t.Rows {
			if r.Exact || r.Unit == "B/op" || r.Unit == "allocs/op" || r.beyondPlacement() {
				continue
			}
			switch r.Verdict {
			case Regressed, Improved, Changed:
				r.Verdict, r.Reason = Suspect, notRotated
				c.addCaveat(Caveat{CodeLayout, "each side was built only once, and code placement alone can change its timings: " +
					"a time that changed by less than 20 % is at most suspect; set layout = \"seed\" in perftrack.toml if the build takes PERFTRACK_LAYOUT_SEED, " +
					"or layout = \"accept\" if placement is part of the change", t.Target})
			}
		}
	}
}
