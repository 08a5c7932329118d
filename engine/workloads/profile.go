package workloads

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"io"
	"strings"

	"github.com/perftrack/perftrack/engine/profile"
)

// A profileRun is one run of a suite's profiling program.
type profileRun struct {
	parameters
	stack  *profile.Stack
	serial bool      // whether nothing may run concurrently
	tokens []int     // all generated tokens
	losses []float64 // losses of all training steps
}

// Profile runs a suite, optionally with a different prompt, number of tokens and model, as in
// "standard prompt=32 tokens=100 model=4x256". It runs the suite once to record times and a second
// time, without concurrency, to count allocations. It writes the call tree in Go benchmark format;
// see profile.Tree.WriteBenchmarks. The value of the line "result:" is a hash of the generated
// tokens and the losses, which is the same for two commits that compute the same results. The lines
// about the garbage collector are for the first run.
func Profile(asked string, w io.Writer) error {
	name, p, err := parseSuite(asked)
	if err != nil {
		return err
	}
	collector := profile.WatchCollector()
	timed, tree := runUnder(name, p, profile.Timing)
	collected := collector.Lines() // before the second pass adds its own collections
	counted, allocations := runUnder(name, p, profile.Allocations)
	if timed.result() != counted.result() {
		return fmt.Errorf("profile %s: the two passes calculated different results", name)
	}
	tree.AddAllocations(allocations)
	lines := header(name) + strings.Replace(conditions(name), "suite: "+name+"\n", "suite: "+asked+"\n", 1) + collected
	if len(timed.tokens)+len(timed.losses) > 0 {
		lines += "result: " + timed.result() + "\n"
	}
	if _, err := io.WriteString(w, lines); err != nil {
		return fmt.Errorf("write profile: %w", err)
	}
	return tree.WriteBenchmarks(w)
}

func runUnder(name string, p parameters, mode profile.Mode) (*profileRun, *profile.Tree) {
	prof := profile.New(profile.Options{Mode: mode})
	r := &profileRun{parameters: p, stack: prof.Stack(), serial: mode == profile.Allocations}
	for _, s := range suites() {
		if s.name == name {
			s.program(r)
		}
	}
	return r, prof.Tree()
}

// result returns a hash of the generated tokens and the losses.
func (r *profileRun) result() string {
	sum := sha256.New()
	for _, t := range r.tokens {
		_ = binary.Write(sum, binary.LittleEndian, int64(t)) // writing to a hash never fails
	}
	_ = binary.Write(sum, binary.LittleEndian, r.losses)
	return fmt.Sprintf("%x", sum.Sum(nil)[:8])
}

// kernel runs a workload the given number of times inside a scope with the workload's name. Each
// call gets its own scope named inner.
func (r *profileRun) kernel(w Workload, inner string, calls int) {
	op := r.setup(w)
	defer r.stack.Scope(w.Name).End()
	for range calls {
		r.call(op, inner)
	}
}

func (r *profileRun) setup(w Workload) func() {
	defer r.stack.Scope("PrepareInputs").End()
	return w.Setup(&Meter{})
}

func (r *profileRun) call(op func(), name string) {
	defer r.stack.Scope(name).End()
	op()
}
