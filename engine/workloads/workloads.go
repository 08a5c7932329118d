// Package workloads is the registry of what the engine is measured by: the
// first stage of engine -> runner -> store -> compare -> reports. Each workload
// is one named operation with a declared amount of arithmetic.
//
// The workloads reach the runner in two ways that print the same lines: as the
// Benchmark functions of this package's test, so that go test -bench and any
// revision of the repository can run them, and through Main, by which the
// perftrack binary measures itself where there is no Go toolchain.
package workloads

import "slices"

// Workload is one named operation.
type Workload struct {
	Name  string // without the Benchmark prefix: "MatMul_64x64"
	Suite string

	// FLOPs and Bytes are declared, for one operation, so that they mean the
	// same whatever the implementation does: the arithmetic of the defining
	// formula, and the least memory traffic, each operand moved once.
	FLOPs int64
	Bytes int64

	// Setup prepares the inputs and returns the function to be timed. That
	// function may be called any number of times, always does the same work and
	// does it Calls times.
	Setup func() (op func())

	// Calls is how many operations one call of op does: 1, or the number of
	// sizes an _Iteration workload goes through. Every figure is for one operation.
	Calls int
}

var registry = enhanced()

// All returns every workload in the order of the reports.
func All() []Workload { return slices.Clone(registry) }

// InSuite returns the workloads of a suite in the order of All, none if there
// is no such suite.
func InSuite(suite string) []Workload {
	return slices.DeleteFunc(All(), func(w Workload) bool { return w.Suite != suite })
}

// ByName returns the workload of that exact name and whether there is one.
func ByName(name string) (Workload, bool) {
	for _, w := range registry {
		if w.Name == name {
			return w, true
		}
	}
	return Workload{}, false
}
