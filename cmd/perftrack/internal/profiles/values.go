package profiles

import (
	"fmt"
	"math"
	"slices"

	"github.com/google/pprof/profile"

	"github.com/perftrack/perftrack/compare/tree"
	"github.com/perftrack/perftrack/runner"
)

// The types of values in stored profiles, as named in pprof.
const (
	nanoseconds = "cpu"
	Bytes       = "alloc_space"
	Objects     = "alloc_objects"
)

// leastTime is the minimum total CPU time, in seconds, of the slowest side's scaled profile. Values
// in a profile are whole nanoseconds, and all sides are scaled to the same number of operations.
const leastTime = 1.0

// Operations returns the number of operations for scaling the CPU profiles of all sides. perOp is
// the time per operation on each side in seconds. The result is a power of ten, the same for all
// sides, to make the files comparable. It is 0 if the times are unknown.
func Operations(perOp ...float64) float64 {
	longest := slices.Max(perOp)
	if !(longest > 0) || math.IsInf(longest, 0) {
		return 0
	}
	return math.Pow(10, math.Max(0, math.Ceil(math.Log10(leastTime/longest))))
}

// OfTime merges the CPU profiles of a side's processes and scales the result to the given number of
// operations of perOp seconds each. Unscaled samples would not show a change, because every
// benchmark runs for about the same time. If perOp or operations is 0, the values are not scaled.
// OfTime also returns the number of samples.
func OfTime(processes []*profile.Profile, perOp, operations float64) (p *profile.Profile, samples int, err error) {
	if p, err = profile.Merge(processes); err != nil {
		return nil, 0, fmt.Errorf("merge profiles: %w", err)
	}
	at, count := valueIndex(p, nanoseconds), valueIndex(p, "samples")
	if at < 0 {
		return nil, 0, fmt.Errorf("merge profiles: they contain no times")
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

// OfAllocations returns a side's allocations in side.Operations operations: the allocations in a
// process with many operations minus the allocations in a process with few. It leaves out zero and
// negative differences.
func OfAllocations(side runner.FunctionProfile) (*profile.Profile, error) {
	few := side.Few.Copy()
	few.Scale(-1)
	p, err := profile.Merge([]*profile.Profile{side.Many, few})
	if err != nil {
		return nil, fmt.Errorf("subtract profiles: %w", err)
	}
	objects, bytes := valueIndex(p, Objects), valueIndex(p, Bytes)
	if objects < 0 || bytes < 0 {
		return nil, fmt.Errorf("subtract profiles: they contain no allocations")
	}
	p.SampleType = []*profile.ValueType{p.SampleType[objects], p.SampleType[bytes]}
	for _, s := range p.Sample {
		s.Value = []int64{s.Value[objects], s.Value[bytes]}
	}
	p.Sample = slices.DeleteFunc(p.Sample, func(s *profile.Sample) bool { return s.Value[0] <= 0 || s.Value[1] <= 0 })
	p.DefaultSampleType = Bytes
	return p.Compact(), nil
}

// PerOperation returns the stacks of a stored profile. kind selects seconds, bytes or objects. The
// values are per operation, or unscaled if the number of operations is unknown.
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

// Seconds returns the stacks of a CPU profile in seconds per operation.
func (p Profile) Seconds() []tree.Stack { return p.PerOperation(nanoseconds) }

// Time combines the CPU profiles of one benchmark, either one profile or the profiles of base and
// head. The values are in seconds per operation. Time also returns the number of samples. s is nil
// without any samples.
func Time(all []Profile) (s *tree.Sampled, samples int) { return sampled(all, CPU, Profile.Seconds) }

// Allocations returns the Bytes or Objects allocated per operation, or nil.
func Allocations(all []Profile, kind string) *tree.Sampled {
	s, _ := sampled(all, Allocs, func(p Profile) []tree.Stack { return p.PerOperation(kind) })
	return s
}

// sampled combines the profiles of one kind, either one profile or the profiles of base and head.
// The function values returns a profile's stacks. s is nil if there are no stacks.
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

// sharedBlock is the size in bytes of the runtime's blocks for small objects.
const sharedBlock = 16

// Stacks returns the samples in a profile as stacks, with their values of the given kind multiplied
// by scale.
func Stacks(p *profile.Profile, kind string, scale float64) (out []tree.Stack) {
	at, bytes := valueIndex(p, kind), valueIndex(p, Bytes)
	if at < 0 {
		return nil
	}
	for _, s := range p.Sample {
		stack := tree.Stack{Value: scale * float64(s.Value[at])}
		stack.Shared = kind == Objects && bytes >= 0 && s.Value[bytes] == sharedBlock*s.Value[at]
		for _, l := range s.Location {
			for _, line := range l.Line { // inlined functions, innermost first
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

// valueIndex returns the index of the values of a kind in each sample, or -1 if the samples have no
// such values.
func valueIndex(p *profile.Profile, kind string) int {
	return slices.IndexFunc(p.SampleType, func(t *profile.ValueType) bool { return t.Type == kind })
}
