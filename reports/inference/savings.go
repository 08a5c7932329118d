package inference

import (
	"fmt"
	"math"
	"strings"
)

// A Saving is a way to allocate less. With and Without are the parts of the names of benchmarks and
// scopes that distinguish the variants with and without the saving: X_Fresh does the same as
// X_Pooled but uses more memory.
type Saving struct{ Heading, With, Without string }

// Pooled is the saving achieved by a pool. The calls that fill the pool still allocate.
var Pooled = Saving{"Pooled against fresh", "_Pooled", "_Fresh"}

// Savings lists the known ways to save memory, in the order of the report.
var Savings = []Saving{
	Pooled,
	{"In place against allocating", "_InPlace", "_Allocating"},
	{"Fused against step by step", "_Fused", "_Steps"},
}

// Wasteful returns the name of the variant without the saving. name must be the variant with the
// saving; otherwise ok is false.
func (s Saving) Wasteful(name string) (wasteful string, ok bool) {
	return strings.Replace(name, s.With, s.Without, 1), strings.Contains(name, s.With)
}

// Saved returns the saved share of the bytes. It returns NaN if the variant without the saving
// allocates nothing or if a number is unknown.
func Saved(without, with float64) float64 {
	if !(without > 0) {
		return math.NaN()
	}
	return 1 - with/without
}

// SavedText formats the saved share as a percentage. The result is 100 % only if all bytes are
// saved.
func SavedText(x float64) string {
	if x < 1 {
		x = math.Min(x, 0.999)
	}
	return fmt.Sprintf("%.1f %%", 100*x)
}
