package inference

import (
	"fmt"
	"math"
	"strings"
)

// A Saving is a way to allocate less, and how its benchmarks and scopes are named: X_Fresh does
// what X_Pooled does, with more memory. The words may stand anywhere in the name.
type Saving struct{ Heading, With, Without string }

// Pooled is the saving of a pool, whose first calls allocate all the same.
var Pooled = Saving{"Pooled against fresh", "_Pooled", "_Fresh"}

// Savings are those that are known, in the order in which they are shown.
var Savings = []Saving{
	Pooled,
	{"In place against allocating", "_InPlace", "_Allocating"},
	{"Fused against step by step", "_Fused", "_Steps"},
}

// Wasteful returns the name of what does the same as name without the saving; false where name
// does not save.
func (s Saving) Wasteful(name string) (string, bool) {
	return strings.Replace(name, s.With, s.Without, 1), strings.Contains(name, s.With)
}

// Saved is the part of the bytes that is no longer allocated; NaN where nothing was, or where
// either is not known.
func Saved(without, with float64) float64 {
	if !(without > 0) {
		return math.NaN()
	}
	return 1 - with/without
}

// SavedText shows a saved part. Only what saves everything saves 100 %.
func SavedText(x float64) string {
	if x < 1 {
		x = math.Min(x, 0.999)
	}
	return fmt.Sprintf("%.1f %%", 100*x)
}
