// Package workloads is the registry of what the engine is measured by: the
// first stage of engine -> runner -> store -> compare -> reports. Each workload
// is one named operation with a declared amount of work; those of one subject
// are a suite.
//
// The workloads reach the runner in two ways that print the same lines: as the
// Benchmark functions of this package's test and, for the suites other than
// [Enhanced], of the packages below it, so that go test -bench and any revision
// of the repository can run them; and through [Main], by which the perftrack
// binary measures itself where there is no Go toolchain. Either way a suite can
// also be run once as a whole under the scope profiler, see [Profile].
//
// Begin with workloads.go; each suite is a file of its name (enhanced.go, standard.go,
// deep.go, memory.go, training.go), main.go prints what go test would.
package workloads

import (
	"reflect"
	"slices"
	"time"
)

// The suites.
const (
	Enhanced = "enhanced" // kernels and tensor operations in several sizes, and both models
	Standard = "standard" // three inferences of Small, stage by stage
	Deep     = "deep"     // three inferences of Medium, down to its projections
	Memory   = "memory"   // what pools, operations in place and fused kernels save
	Training = "training" // a small network, and autoregressive training of Small
)

// Workload is one named operation.
type Workload struct {
	Name  string // without the Benchmark prefix: "MatMul_64x64"
	Suite string

	// FLOPs and Bytes are declared, for one operation, so that they mean the
	// same whatever the implementation does: the arithmetic of the defining
	// formula, and the least memory traffic, each operand moved once. 0 where
	// neither is the point of the workload.
	FLOPs int64
	Bytes int64

	// Tokens are generated, Examples are learned from, by one operation.
	Tokens   int64
	Examples int64

	// Threads is how many threads it works on, 0 for one; the name then ends in _2T.
	Threads int

	// Wasteful names the workload of the suite that does the same and
	// allocates more, "" if there is none.
	Wasteful string

	// Setup prepares the inputs and returns the function to be timed. That
	// function may be called any number of times, always does the same work and
	// does it Calls times.
	Setup func(m *Meter) (op func())

	// Calls is how many operations one call of op does: 1, or the number of
	// sizes an _Iteration workload goes through, or of tokens. Every figure is for
	// one operation.
	Calls int
}

// A Meter collects what only the operation itself can measure.
type Meter struct {
	firstToken time.Duration // a sum
	calls      int
}

// FirstToken records how long the operation took until its first token.
func (m *Meter) FirstToken(d time.Duration) {
	m.firstToken += d
	m.calls++
}

// A suite is a list of workloads and a program that runs all its subject once.
type suite struct {
	name      string
	workloads []Workload
	program   func(r *profileRun)
}

func suites() []suite {
	return []suite{
		{Enhanced, enhanced(), runEnhanced},
		{Standard, standard(), runStandard},
		{Deep, deep(), runDeep},
		{Memory, memory(), runMemory},
		{Training, training(), runTraining},
	}
}

// Suites returns the names of the suites in the order of All.
func Suites() []string {
	var names []string
	for _, s := range suites() {
		names = append(names, s.name)
	}
	return names
}

// All returns every workload in the order of the reports.
func All() []Workload {
	var all []Workload
	for _, s := range suites() {
		for _, w := range s.workloads {
			w.Suite = s.name
			all = append(all, w)
		}
	}
	return all
}

// InSuite returns the workloads of a suite in the order of All, none if there
// is no such suite.
func InSuite(suite string) []Workload {
	return slices.DeleteFunc(All(), func(w Workload) bool { return w.Suite != suite })
}

// ByName returns the workload of that exact name in the suite and whether there
// is one.
func ByName(suite, name string) (Workload, bool) {
	for _, w := range InSuite(suite) {
		if w.Name == name {
			return w, true
		}
	}
	return Workload{}, false
}

// packageOf returns the import path of the package whose test has the suite's
// Benchmark functions.
func packageOf(suite string) string {
	path := reflect.TypeFor[Workload]().PkgPath()
	if suite == Enhanced {
		return path
	}
	return path + "/" + suite
}
