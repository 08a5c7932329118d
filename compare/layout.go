package compare

import (
	"math"
)

// notRotated is the reason given for a row whose change may be due to code placement alone.
const notRotated = "code placement not rotated"

// placedBy is the largest change attributed to code placement, as the logarithm of a ratio: 20 %.
// Programs written to demonstrate the effect can change by more.
var placedBy = math.Log(1.2)

// beyondPlacement reports whether the whole interval of a change lies beyond the effects of code
// placement.
func (r *Row) beyondPlacement() bool {
	s := r.Shift
	return !s.Absolute && (math.Log1p(s.Lo) > placedBy || math.Log1p(s.Hi) < -placedBy)
}

// demotePlaced marks a change as suspect if code placement alone may have caused it. An edit that
// touches no instruction in a loop can still move the loop across a cache line. Tests rightly call
// the effect significant, and no number of rounds with the same two builds can show whether
// placement is the cause. Memory counts do not depend on placement, and a change far beyond the
// effects of placement is real.
func (c *Comparison) demotePlaced() {
	for _, t := range c.Tables {
		if !t.Trial || !t.PlacedOnce() {
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
