// Package profiles says of two profiles, or two runs of one of the engine's suites, what
// they show beside the verdicts: totals, the methods that changed most, models, kernels
// and their rates.
//
// A [compare.Comparison] goes in ([Of]), a [Diff] for each target that has a profile comes
// out. Begin with profiles.go; models.go and kernels.go are about the engine. It is as
// pure as package compare.
package profiles
