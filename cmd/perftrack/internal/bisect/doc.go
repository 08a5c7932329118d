// Package bisect finds the commit that changed a benchmark. It can run one step of git bisect run
// or the whole search.
//
// Measurements and decisions are logged in .perftrack/bisect, so that a search can continue after
// an interruption. Begin with bisect.go, which determines the subject; step.go judges one commit
// for git, auto.go drives the whole search, and measure.go measures two commits against each other.
package bisect
