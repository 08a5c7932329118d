package profiles

import (
	"fmt"
	"math"
	"slices"

	"github.com/google/pprof/profile"

	"github.com/perftrack/perftrack/compare/tree"
	"github.com/perftrack/perftrack/runner"
)

// The values of the profiles that are kept, by their names in pprof.
const (
	nanoseconds = "cpu"
	Bytes       = "alloc_space"
	Objects     = "alloc_objects"
)

// leastTime is how much CPU time a profile that is kept has at least: a nanosecond is its
// smallest, and the operations of both sides are as many.
const leastTime = 1.0

// Operations is of how many operations the CPU profiles of sides are kept, which take so many
// seconds each: a power of ten, for all of them, so that they can be compared file by file.
func Operations(perOp ...float64) float64 {
	longest := slices.Max(perOp)
	if !(longest > 0) || math.IsInf(longest, 0) {
		return 0
	}
	return math.Pow(10, math.Max(0, math.Ceil(math.Log10(leastTime/longest))))
}

// OfTime merges the CPU profiles of the processes of a side, as time of so many operations that take
// perOp seconds each: a benchmark runs as long whatever an operation takes, so that samples
// alone say nothing of how it changed. Without operations the values stay as they are.
func OfTime(processes []*profile.Profile, perOp, operations float64) (p *profile.Profile, samples int, err error) {
	if p, err = profile.Merge(processes); err != nil {
		return nil, 0, fmt.Errorf("merge profiles: %w", err)
	}
	at, count := valueIndex(p, nanoseconds), valueIndex(p, "samples")
	if at < 0 {
		return nil, 0, fmt.Errorf("merge profiles: there are no times in them")
	}
	total := 0.0
	for _, s := range p.Sample {
		total += float64(s.Value[at])
		if count >= 0 {
			samples += int(s.Value[count])
		}
	}
	if scale := perOp * operations * 1e9 / total; scale > 0 && !math.IsInf(scale, 0) {
		for _, s := range p.Sample {
			s.Value[at] = int64(math.Round(float64(s.Value[at]) * scale))
		}
	}
	p.DefaultSampleType = nanoseconds
	return p, samples, nil
}

// OfAllocations is what a side allocated in its operations: what the process of many has more than
// that of few. Sizes that only the other one has are left out.
func OfAllocations(side runner.FunctionProfile) (*profile.Profile, error) {
	few := side.Few.Copy()
	few.Scale(-1)
	p, err := profile.Merge([]*profile.Profile{side.Many, few})
	if err != nil {
		return nil, fmt.Errorf("subtract profiles: %w", err)
	}
	objects, bytes := valueIndex(p, Objects), valueIndex(p, Bytes)
	if objects < 0 || bytes < 0 {
		return nil, fmt.Errorf("subtract profiles: there are no allocations in them")
	}
	p.SampleType = []*profile.ValueType{p.SampleType[objects], p.SampleType[bytes]}
	for _, s := range p.Sample {
		s.Value = []int64{s.Value[objects], s.Value[bytes]}
	}
	p.Sample = slices.DeleteFunc(p.Sample, func(s *profile.Sample) bool { return s.Value[0] <= 0 || s.Value[1] <= 0 })
	p.DefaultSampleType = Bytes
	return p.Compact(), nil
}

// PerOperation are the stacks of a profile that was kept: seconds, bytes or objects of an operation, by
// kind. Of one that does not say of how many operations it is, they are as they were sampled.
func (p Profile) PerOperation(kind string) []tree.Stack {
	scale := 1.0
	if p.Operations > 0 {
		scale = 1 / p.Operations
	}
	if kind == nanoseconds {
		scale *= 1e-9
	}
	return Stacks(p.Profile, kind, scale)
}

// Seconds are the stacks of a CPU profile, in seconds of an operation.
func (p Profile) Seconds() []tree.Stack { return p.PerOperation(nanoseconds) }

// Time adds up the CPU profiles of one benchmark, of one side or of base and head, in seconds of an
// operation, and counts their samples. It is nil where nothing was sampled.
func Time(all []Profile) (s *tree.Sampled, samples int) { return sampled(all, CPU, Profile.Seconds) }

// Allocations are Bytes or Objects of an operation, nil where nothing was allocated.
func Allocations(all []Profile, kind string) *tree.Sampled {
	s, _ := sampled(all, Allocs, func(p Profile) []tree.Stack { return p.PerOperation(kind) })
	return s
}

// sampled adds up the profiles of a kind, of one side or of base and head, with the values that
// the function takes of each; nil where there is nothing.
func sampled(all []Profile, kind string, values func(Profile) []tree.Stack) (s *tree.Sampled, samples int) {
	var sides [][]tree.Stack
	for _, p := range all {
		if p.Kind == kind {
			sides = append(sides, slices.Concat([]tree.Stack{}, values(p)))
			samples += p.Samples
		}
	}
	switch len(sides) {
	case 0:
		return nil, 0
	case 1:
		sides = [][]tree.Stack{nil, sides[0]}
	}
	s = tree.NewSampled(sides[0], sides[1], kind == Allocs)
	if len(s.Functions) == 0 {
		return nil, samples
	}
	return s, samples
}

// sharedBlock is the size of a block that the runtime puts several small objects into.
const sharedBlock = 16

// Stacks are the samples of a profile with the values of one kind, scaled.
func Stacks(p *profile.Profile, kind string, scale float64) (out []tree.Stack) {
	at, bytes := valueIndex(p, kind), valueIndex(p, Bytes)
	if at < 0 {
		return nil
	}
	for _, s := range p.Sample {
		stack := tree.Stack{Value: scale * float64(s.Value[at])}
		stack.Shared = kind == Objects && bytes >= 0 && s.Value[bytes] == sharedBlock*s.Value[at]
		for _, l := range s.Location {
			for _, line := range l.Line { // the innermost of what is inlined first
				if line.Function != nil {
					stack.Functions = append(stack.Functions, line.Function.Name)
				}
			}
		}
		if stack.Value != 0 {
			out = append(out, stack)
		}
	}
	return out
}

// valueIndex is where the samples of a profile have the values of a kind, -1 if they have none.
func valueIndex(p *profile.Profile, kind string) int {
	return slices.IndexFunc(p.SampleType, func(t *profile.ValueType) bool { return t.Type == kind })
}
