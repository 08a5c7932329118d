package profiles

import (
	"github.com/google/pprof/profile"

	"github.com/perftrack/perftrack/runner"
)

// A Benchmark holds a benchmark's profiles for one side or both sides.
type Benchmark struct {
	Target, Package, Name string
	Sides                 []runner.FunctionProfile // base first
	Commits               []string                 // full commit hash of each side
	// PerOp is the time per operation on each side in seconds. If it is nil, the times measured
	// while profiling are used.
	PerOp []float64
	Time  int64 // time of profiling, in seconds since 1970
}

// Profiles returns the profiles of each side. CPU profiles are scaled to the same number of
// operations on each side if the time per operation is known.
func (b Benchmark) Profiles() ([]Profile, error) {
	perOp := b.PerOp
	if perOp == nil {
		for _, s := range b.Sides {
			perOp = append(perOp, s.PerOp)
		}
	}
	operations := Operations(perOp...)
	var out []Profile
	for i, s := range b.Sides {
		m := Meta{Target: b.Target, Package: b.Package, Benchmark: b.Name, Commit: b.Commits[i], Time: b.Time}
		if i > 0 {
			m.Base = b.Commits[0]
		}
		add := func(m Meta, p *profile.Profile) { out = append(out, Profile{Kept{Meta: m}, p}) }
		if len(s.CPU) > 0 {
			p, samples, err := OfTime(s.CPU, perOp[i], operations)
			if err != nil {
				return nil, err
			}
			m.Kind, m.Operations, m.Samples, m.Resident = CPU, operations, samples, s.Resident
			add(m, p)
		}
		if s.Many != nil {
			p, err := OfAllocations(s)
			if err != nil {
				return nil, err
			}
			m.Kind, m.Operations, m.Samples, m.Collections, m.Resident = Allocs, float64(s.Operations), 0, s.Collections, 0
			add(m, p)
		}
	}
	return out, nil
}

// Write stores the profiles in a folder.
func (b Benchmark) Write(dir string) (kept []Profile, err error) {
	all, err := b.Profiles()
	if err != nil {
		return nil, err
	}
	for i := range all {
		if all[i].Path, err = Write(dir, all[i].Meta, all[i].Profile); err != nil {
			return nil, err
		}
	}
	return all, nil
}
