// Package bisect finds the commit that changed a benchmark: one step of git bisect run, or
// the whole search.
//
// What is measured and decided is logged in .perftrack/bisect, so that a search goes on
// where it stopped. Begin with bisect.go, the subject; step.go answers git, auto.go
// drives the search, measure.go measures two commits against each other.
package bisect
