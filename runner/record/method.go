package record

import (
	"cmp"
	"slices"
	"strings"
	"time"
)

// The values of [Method.How].
const (
	MethodSlices = "slices" // one process per side; the two take turns of a few milliseconds
	MethodFresh  = "fresh"  // a fresh process per side, one after the other
)

// A Method describes how a benchmark is sampled. It is the same for both sides of a trial and is
// chosen once, before any verdict. If a benchmark can no longer be sliced, it continues in fresh
// processes.
type Method struct {
	Package string `json:"pkg,omitempty"`
	// Name is the benchmark's name without the -N suffix. The method of a function also covers its
	// sub-benchmarks, and a method with the name "" covers the whole run, unless a benchmark has
	// its own: see [MethodOf].
	Name   string `json:"name,omitempty"`
	How    string `json:"how"`              // MethodSlices or MethodFresh
	Why    string `json:"why,omitempty"`    // the reason for using fresh processes
	Detail string `json:"detail,omitempty"` // figures for this benchmark that support Why
	// OutOfTime means fresh processes are used only because there was no time to choose a method.
	// Later trials choose a method again.
	OutOfTime bool `json:"out_of_time,omitempty"`

	N         int           `json:"n,omitempty"`         // mean number of iterations per slice
	Slices    int           `json:"slices,omitempty"`    // pairs of slices per round
	Length    time.Duration `json:"length,omitempty"`    // approximate length of a slice, or of a fresh sample shorter than benchtime; in ns
	Clock     string        `json:"clock,omitempty"`     // wall, or cpu for the CPU time of the process
	Estimator string        `json:"estimator,omitempty"` // how a round's value is computed; package slicing defines the names
	Stopped   bool          `json:"stopped,omitempty"`   // the waiting side is stopped
	Calm      bool          `json:"calm,omitempty"`      // garbage collections before a slice stop the world
	Pinned    bool          `json:"pinned,omitempty"`    // all slices of a round run on one CPU

	// Remembered counts the consecutive trials, including this one, that took the method from the
	// previous trial; it is 0 if the method was chosen for this trial.
	Remembered int `json:"remembered,omitempty"`

	Sliced int `json:"sliced,omitempty"` // rounds measured in slices
	Fresh  int `json:"fresh,omitempty"`  // rounds measured in fresh processes
}

// Reason returns Why, followed by Detail if there is one.
func (m Method) Reason() string {
	if m.Detail != "" {
		return m.Why + " (" + m.Detail + ")"
	}
	return m.Why
}

// Chosen returns the method as it was chosen, before anything was measured.
func (m Method) Chosen() Method {
	if m.N > 0 {
		m.How, m.Why = MethodSlices, ""
	}
	m.Sliced, m.Fresh = 0, 0
	return m
}

// MethodOf returns the method for a benchmark, named as in its run. It prefers the benchmark's own
// method, then that of its function at the same GOMAXPROCS, then the run's. ok is false if the
// method is unknown.
func MethodOf(all []Method, pkg, name string) (m Method, ok bool) {
	base, procs := ProcsOfName(name)
	if m, ok = methodAbove(all, pkg, base, procs); ok && m.Name != "" {
		return m, true
	}
	return methodAbove(all, pkg, name, 0)
}

func methodAbove(all []Method, pkg, name string, procs int) (m Method, ok bool) {
	for {
		for _, p := range []string{pkg, ""} {
			i := slices.IndexFunc(all, func(m Method) bool { return m.Name == WithProcs(name, procs) && m.Package == p })
			if i >= 0 {
				return all[i], true
			}
		}
		if name == "" {
			return Method{}, false
		}
		name = name[:max(0, strings.LastIndexByte(name, '/'))]
	}
}

func compareMethods(a, b Method) int {
	return cmp.Or(strings.Compare(a.Package, b.Package), strings.Compare(a.Name, b.Name))
}
