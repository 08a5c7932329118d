// Package doctor measures how noisy a machine is and says what makes it so.
//
// [Diagnose] is where to begin; [Options] say how long to measure. A [Diagnosis] has how
// much the time of fixed work varied (noise.go), and the conditions that timings depend on,
// with a remedy for each bad condition (host.go and cpus.go read /proc and /sys,
// activity.go says what else ran meanwhile).
package doctor

import (
	"cmp"
	"context"
	"runtime"
	"time"

	"github.com/perftrack/perftrack/runner/machine"
	"github.com/perftrack/perftrack/runner/record"
)

// A Condition is something about the machine that timings depend on.
type Condition struct {
	Name   string // governor, turbo ...
	State  State
	Found  string // what the machine says
	Remedy string // what to do about it; "" unless State is Noisy
}

// A State says whether a condition makes timings noisy.
type State string

// The states of a condition.
const (
	Quiet   State = "quiet"
	Noisy   State = "noisy"
	Unknown State = "unknown" // this machine does not tell
)

// A Diagnosis is what makes timings noisy on a machine, and how noisy they are.
type Diagnosis struct {
	Machine    record.Settings // what identifies it, and its load
	Conditions []Condition
	Noise      []NoiseFigure
}

// Options say where and how long a Diagnosis looks.
type Options struct {
	// Root is the directory with proc and sys; "" is that of this machine.
	Root string
	// Spin is how long the noise is measured.
	Spin time.Duration
	// Progress is called while it is, with the share that is done; may be nil.
	Progress func(done float64)
}

// DefaultSpin is long enough for a thousand slices, of which one percent is
// still ten, and short enough to wait for.
const DefaultSpin = 3 * time.Second

// Diagnose measures the noise of fixed work and says what the machine tells
// about its causes. A fact that it does not tell is Unknown, never an error;
// the only error is ctx's.
func Diagnose(ctx context.Context, opt Options) (Diagnosis, error) {
	h := hostFiles{root: cmp.Or(opt.Root, "/")}
	before := h.activity()
	noise, err := measureNoise(ctx, opt.Spin, opt.Progress)
	if err != nil {
		return Diagnosis{}, err
	}
	after := h.activity()
	cpus := cpuFacts{count: runtime.NumCPU(), procs: runtime.GOMAXPROCS(0)}
	return Diagnosis{
		Machine:    append(machine.Environment(nil), machine.Facts()...),
		Conditions: append(h.conditions(cpus), during(before, after)...),
		Noise:      noise,
	}, nil
}

// cpuFacts are what the Go runtime knows of the CPUs.
type cpuFacts struct{ count, procs int }
