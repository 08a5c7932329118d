// Package workloads is the registry of the engine's benchmarks, which perftrack runs, stores and
// compares. Each workload is a named operation with a declared amount of work. A suite consists of
// the workloads for one subject.
//
// There are two ways to run the workloads, and both print the same lines. One is go test -bench,
// with the Benchmark functions in this package and, for suites other than [Enhanced], in the
// packages below it. It works in any revision of the repository. The other is [Main]: the perftrack
// binary measures itself without a Go toolchain. Either way, a whole suite can also be run once
// under the scope profiler; see [Profile].
//
// Begin with workloads.go. Each suite has a file with its name (enhanced.go, standard.go, deep.go,
// memory.go, training.go), and main.go prints results in the format of go test.
package workloads

import (
	"reflect"
	"slices"
	"time"
)

// These are the names of the suites.
const (
	Enhanced = "enhanced" // kernels and tensor operations in several sizes, and both models
	Standard = "standard" // three inferences of Small, stage by stage
	Deep     = "deep"     // three inferences of Medium, down to the projections
	Memory   = "memory"   // savings from pools, in-place operations and fused kernels
	Training = "training" // a small network, and autoregressive training of Small
)

// Workload is one named operation.
type Workload struct {
	Name  string // without the Benchmark prefix, such as "MatMul_64x64"
	Suite string

	// FLOPs and Bytes are declared for one operation, so they do not depend on the implementation.
	// FLOPs counts the operations in the defining formula, and Bytes is the minimum memory traffic,
	// with each operand moved once. They are 0 if they do not apply to the workload.
	FLOPs int64
	Bytes int64

	// Tokens and Examples are the numbers of tokens that one operation generates and of examples
	// that it learns from.
	Tokens   int64
	Examples int64

	// Threads is the number of threads the workload is defined for, or 0 for any number. If it is
	// 2, the name ends in _2T.
	Threads int

	// Wasteful names the workload in the same suite that does the same work but allocates more, or
	// is "".
	Wasteful string

	// Setup prepares the inputs and returns the function to be timed. It may be called any number
	// of times. Each call of op performs the same operation Calls times.
	Setup func(m *Meter) (op func())

	// Calls is the number of operations in one call of op: 1, the number of sizes that an
	// _Iteration workload cycles through, or a number of tokens or steps. Every value is reported
	// per operation.
	Calls int
}

// A Meter collects measurements that only the operation itself can make.
type Meter struct {
	firstToken time.Duration // a sum over calls
	calls      int
}

// FirstToken records how long the operation took to produce its first token.
func (m *Meter) FirstToken(d time.Duration) {
	m.firstToken += d
	m.calls++
}

// A suite is a list of workloads together with a program for profiling them, which runs everything
// once.
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

// InSuite returns the suite's workloads in the order of All. It is empty if the suite is unknown.
func InSuite(suite string) []Workload {
	return slices.DeleteFunc(All(), func(w Workload) bool { return w.Suite != suite })
}

// ByName returns the workload with exactly that name in the suite and whether it exists.
func ByName(suite, name string) (Workload, bool) {
	for _, w := range InSuite(suite) {
		if w.Name == name {
			return w, true
		}
	}
	return Workload{}, false
}

// packageOf returns the import path of the package with the suite's Benchmark functions.
func packageOf(suite string) string {
	path := reflect.TypeFor[Workload]().PkgPath()
	if suite == Enhanced {
		return path
	}
	return path + "/" + suite
}
