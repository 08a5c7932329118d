// Package doctor measures the noise of a machine and names its causes.
//
// Begin with [Diagnose]. [Options] set how long it measures. A [Diagnosis] contains the variation
// in the time of fixed work (noise.go) and the conditions that affect timings, with a remedy for
// each bad condition. host.go and cpus.go read the conditions from /proc and /sys, and activity.go
// finds other running programs.
package doctor

import (
	"cmp"
	"context"
	"runtime"
	"time"

	"github.com/perftrack/perftrack/runner/machine"
	"github.com/perftrack/perftrack/runner/record"
)

// A Condition is a property of the machine that affects timings.
type Condition struct {
	Name   string // such as governor or turbo
	State  State
	Found  string // what the machine reports
	Remedy string // advice; "" unless State is Noisy
}

// A State describes how a condition affects timings.
type State string

// The possible states of a condition.
const (
	Quiet   State = "quiet"
	Noisy   State = "noisy"
	Unknown State = "unknown" // this machine does not provide the information
)

// A Diagnosis describes the noise of a machine and its possible causes.
type Diagnosis struct {
	Machine    record.Settings // identity of the machine, and facts such as its load
	Conditions []Condition
	Noise      []NoiseFigure
}

// Options determine where and for how long to look for noise.
type Options struct {
	// Root is the directory of proc and sys; "" means the root of this machine.
	Root string
	// Spin is how long to measure noise.
	Spin time.Duration
	// Progress is called during the measurement with the fraction done. It may be nil.
	Progress func(done float64)
}

// DefaultSpin is short enough to wait for, but long enough for about a thousand slices.
const DefaultSpin = 3 * time.Second

// Diagnose measures how much the time of fixed work varies, and reads possible causes of this noise
// from the machine. A condition it cannot determine is Unknown rather than an error. The only
// possible error is that of ctx.
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

// cpuFacts holds what the Go runtime reports about the CPUs.
type cpuFacts struct{ count, procs int }
