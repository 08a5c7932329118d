// Package profiles compares two profiles, or two runs of one of the engine's suites, as a whole:
// totals, the methods that changed most, the engine's models, and the rates of its kernels.
//
// [Of] returns a [Diff] for each target with a profile in a [compare.Comparison]. Begin with
// profiles.go; models.go and kernels.go handle the engine's models and kernels. Like package
// compare, the package does no I/O and depends only on its input.
package profiles
