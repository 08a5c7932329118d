package tree

import (
	"slices"
	"strings"
)

// These names denote work of the runtime not attributed to a single function.
const (
	PartAllocation = "(allocation and GC)"
	PartScheduling = "(scheduling)"
	PartRuntime    = "(runtime, other)"
)

// ownSamples counts the samples of each process by the function they are attributed to.
func ownSamples(s Profile) []map[string]float64 {
	var out []map[string]float64
	for _, stacks := range s.Processes {
		sums := map[string]float64{}
		for _, stack := range stacks {
			if name, ok := ownTime(stack.Functions); ok {
				sums[name] += stack.Value
			}
		}
		out = append(out, sums)
	}
	return out
}

// ownTime returns the function the time of a stack is attributed to. ok is false for stacks of the
// harness: these are not part of an operation.
func ownTime(functions []string) (name string, ok bool) {
	if len(functions) == 0 || isHarness(functions) {
		return "", false
	}
	of := slices.IndexFunc(functions, func(f string) bool { return !isRuntime(f) })
	if of < 0 {
		of = len(functions)
	}
	switch inner := functions[:of]; {
	case slices.ContainsFunc(inner, allocates):
		return PartAllocation, true
	case slices.ContainsFunc(inner, schedules):
		return PartScheduling, true
	}
	return caller(functions), true
}

// caller returns the innermost function outside the runtime, or PartRuntime if there is none. The
// time for copying, hashing and map accesses is attributed to this function.
func caller(functions []string) string {
	for _, f := range functions {
		if !isRuntime(f) {
			return f
		}
	}
	return PartRuntime
}

// isRuntime reports whether a function belongs to the Go runtime or is one of its assembly routines
// (these have no package).
func isRuntime(function string) bool {
	path := packagePath(function)
	switch path {
	case "", "runtime", "internal/bytealg", "internal/abi", "internal/cpu", "internal/chacha8rand", "internal/race":
		return true
	}
	return strings.HasPrefix(path, "runtime/internal/") || strings.HasPrefix(path, "internal/runtime/")
}

// packagePath returns the import path in a function's full name, such as "a/b" for
// "a/b.(*T).F[...]".
func packagePath(function string) string {
	function, _, _ = strings.Cut(function, "[")
	slash := strings.LastIndexByte(function, '/') + 1
	dot := strings.IndexByte(function[slash:], '.')
	if dot < 0 {
		return ""
	}
	return function[:slash+dot]
}

var allocating = []string{
	"runtime.mallocgc", "runtime.newobject", "runtime.gc", "runtime.GC", "runtime.bgsweep", "runtime.bgscavenge", "runtime.deductAssistCredit",
	"runtime.(*mheap)", "runtime.(*mcache)", "runtime.(*mcentral)", "runtime.(*mspan)", "runtime.(*gcWork)", "runtime.(*gcBits)",
	"runtime.scanobject", "runtime.greyobject", "runtime.markroot", "runtime.wbBuf", "runtime.sweepone", "runtime.(*sweepLocked)",
}

var scheduling = []string{
	"runtime.schedule", "runtime.findRunnable", "runtime.park_m", "runtime.gopark", "runtime.goready", "runtime.ready", "runtime.wakep",
	"runtime.startm", "runtime.stopm", "runtime.newproc", "runtime.goexit0", "runtime.gosched", "runtime.sysmon", "runtime.mstart", "runtime.sema",
	"runtime.notesleep", "runtime.notewakeup", "runtime.mcall",
}

func allocates(function string) bool { return hasPrefix(function, allocating) }

func schedules(function string) bool { return hasPrefix(function, scheduling) }

func hasPrefix(s string, prefixes []string) bool {
	return slices.ContainsFunc(prefixes, func(p string) bool { return strings.HasPrefix(s, p) })
}

// startsAnother lists the functions that a benchmark uses to start a sub-benchmark and print its
// result.
var startsAnother = []string{"testing.(*B).Run", "testing.(*B).run", "testing.(*B).run1", "testing.(*B).doBench"}

// isHarness reports whether a stack shows the test binary's own work: its main goroutine, writing
// the profile, or the garbage collection before each run.
func isHarness(functions []string) bool {
	const run = "testing.(*B).runN"
	if begins := slices.IndexFunc(functions, func(f string) bool { return slices.Contains(startsAnother, f) }); begins >= 0 && begins < slices.Index(functions, run) {
		return true // a benchmark starts a sub-benchmark
	}
	if at := slices.Index(functions, run); at >= 0 {
		return at == 0 || isRuntime(functions[at-1]) || packagePath(functions[at-1]) == "testing"
	}
	return slices.ContainsFunc(functions, func(f string) bool {
		return f == "main.main" || f == "runtime.main" || f == "runtime.doInit" || strings.HasPrefix(f, "testing.(*M)") || strings.HasPrefix(f, "testing.(*B).") && f != "testing.(*B).RunParallel.func1" ||
			packagePath(f) == "runtime/pprof"
	})
}
