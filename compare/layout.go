package compare

import (
	"math"
	"slices"

	"github.com/perftrack/perftrack/runner/record"
)

// layoutDefault is the value of [record.KeyLayout] where nothing is done about where the
// code of a build happens to lie: each side is one build, with one layout, for the whole
// trial.
const layoutDefault = "default"

// notRotated is the reason of a row that may show nothing but where its code lies.
const notRotated = "code placement not rotated"

// placedOnce reports whether a side of the pairing is one build whose layout nobody
// answers for, and not the other side's, too.
func (p *Pairing) placedOnce() bool {
	same := func(r *record.Run) bool { return r.Facts.Get(record.KeyPlacement) == record.PlacementSame }
	if !slices.ContainsFunc(slices.Concat(p.runs[base], p.runs[head]), func(r *record.Run) bool { return !same(r) }) {
		return false
	}
	return p.Env[base].Get(record.KeyLayout) == layoutDefault || p.Env[head].Get(record.KeyLayout) == layoutDefault
}

// placedBy is the largest change that is put down to placement, as the logarithm of a ratio: one of
// 20 %. Programs made to show it change by more.
var placedBy = math.Log(1.2)

// beyondPlacement reports whether a change is with its whole interval larger than placement brings about.
func (r *Row) beyondPlacement() bool {
	s := r.Shift
	return !s.Absolute && (math.Log1p(s.Lo) > placedBy || math.Log1p(s.Hi) < -placedBy)
}

// demotePlaced takes back to a suspicion what placement alone may have brought about. A
// change that touches no instruction of a loop can still move it across a cache line, and
// no number of rounds with the same two builds tells one from the other; tests
// call it significant, and rightly so. Counts of memory do not depend on it, and a change far beyond
// what placement does is one of the program.
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
				c.addCaveat(Caveat{CodeLayout, "each side is one build, and where its code happens to lie moves a time by itself: " +
					"a change of a time by less than 20 % is no more than suspect; declare in perftrack.toml that the build takes PERFTRACK_LAYOUT_SEED (layout = \"seed\"), " +
					"or that placement is part of the change (layout = \"accept\")", t.Target})
			}
		}
	}
}
