// Package profiles compares two profiles, or two runs of one of the engine's suites, as a
// whole: totals, the methods that changed most, the engine's models, and the rates of its
// kernels.
//
// A [compare.Comparison] goes in ([Of]), a [Diff] for each target that has a profile comes
// out. Begin with profiles.go; models.go and kernels.go are about the engine. It is as
// pure as package compare.
package profiles
