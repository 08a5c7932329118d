package runtest

import (
	"fmt"
	"math"
	"strings"
	"time"

	"github.com/perftrack/perftrack/runner/record"
)

// fullNames is the number of benchmarks whose names in the protocol have the maximum length.
// Reading a run compares each result with the protocol above it, so more of these names would only
// cost time.
const fullNames = 50

// LargeTrial returns the two runs of a trial with n benchmarks and the given number of rounds, with
// every field at its limit. The commit hashes of the two sides are base and head. Only the first
// benchmark has the largest possible numbers, because no real measurement has them everywhere.
func LargeTrial(n, rounds int, base, head string) []*record.Run {
	full := func(prefix string, size int) string { return prefix + strings.Repeat("v", size-len(prefix)) }
	var runs []*record.Run
	for side, sha := range map[record.Side]string{record.Base: base, record.Head: head} {
		r := &record.Run{
			Target: full("target", record.MaxSettingLen), Commit: record.Commit{SHA: sha, Tree: strings.Repeat("c", 64), Branch: full("branch", record.MaxSettingLen)},
			Status: record.Partial, Trial: full("t", 64), Side: side, Tool: full("v1", record.MaxSettingLen),
		}
		if r.Start = time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC); side == record.Head {
			r.Start = r.Start.Add(time.Second) // a clone of the repository stores the runs in this order
		}
		for _, k := range record.Keys {
			switch {
			case k.Name == record.KeyGOMAXPROCS:
				r.Set(k.Name, "100")
			case k.Role == record.EnvironmentKey || k.Role == record.FactKey && k.Parts == 0 && !meant[k.Name]:
				r.Set(k.Name, full(k.Name, record.MaxSettingLen))
			}
		}
		r.Protocol = record.Protocol{Decision: "typical-and-mean", Terms: &record.Terms{Alpha: 0.01, Families: 1, Threshold: 0.05}}
		for i := range record.MaxSettings {
			r.Set(full(fmt.Sprintf("k%d-", i), record.MaxKeyLen), full("", record.MaxSettingLen))
		}
		for i := range record.MaxUnits {
			r.Units = append(r.Units, record.Unit{Name: full(fmt.Sprintf("u%d-", i), record.MaxUnitLen), Better: +1, Exact: true, From: full("f", record.MaxFromLen)})
		}
		for i := range record.MaxFailures {
			r.AddFailure(full(fmt.Sprintf("f%d-", i), record.MaxFailureLen), full("reason", record.MaxFailureLen))
		}
		var ways []record.Method
		var processes []record.Process
		for i := range n {
			b := record.Benchmark{BenchmarkID: record.BenchmarkID{
				Kind: record.Bench, Package: full(fmt.Sprintf("example.com/%d/", i%3), record.MaxSettingLen),
				Suite: full("suite", record.MaxSettingLen), Name: full(fmt.Sprintf("B%d/", i), record.MaxNameLen),
			}}
			pkg := b.Package
			if i >= fullNames {
				pkg = pkg[:20]
			}
			ways = append(ways, record.Method{Package: pkg, Name: fmt.Sprintf("B%d/a b", i), How: record.MethodSlices, Clock: "wall", Why: "ü  \x01"})
			processes = append(processes, record.Process{Suite: b.Suite[:20], Round: i + 1, Resident: math.MaxInt64})
			units := r.Units[:3]
			if i == 0 {
				units = r.Units
			}
			for _, u := range units {
				b.Samples = append(b.Samples, record.Samples{Unit: u.Name, Values: make([]float64, rounds)})
			}
			for j := range rounds {
				round := record.Round{N: j + 1, Order: i, Iters: math.MaxInt64, Seed: math.MaxUint64, Slices: 1 + j, Spread: 1 / float64(3+i), Mean: 1e9 / float64(3+i+j), Slow: 1 / float64(3+j)}
				if i == 0 {
					round.N, round.Order, round.Slices = 4000-j, math.MaxInt64, math.MaxInt64
					round.Spread, round.Mean = math.MaxFloat64, math.MaxFloat64
				}
				b.Rounds = append(b.Rounds, round)
				for k := range b.Samples {
					b.Samples[k].Values[j] = 1e9 / float64(3+i+j+k)
				}
			}
			if i == 0 {
				b.Samples[0].Values[0] = math.MaxFloat64
			}
			r.Benchmarks = append(r.Benchmarks, b)
		}
		r.Protocol.Methods = ways
		record.SetProcesses(r, processes)
		for _, b := range r.Benchmarks[:min(n, fullNames)] {
			r.Protocol.Terms.Floors = append(r.Protocol.Terms.Floors, record.TermsFloor{Package: b.Package, Suite: b.Suite, Name: b.Name, Unit: b.Samples[0].Unit, Noise: 1e-9})
		}
		if side == record.Base {
			runs = append([]*record.Run{r}, runs...)
		} else {
			runs = append(runs, r)
		}
	}
	return runs
}

// meant lists the facts that would change the meaning of a trial if they had an arbitrary value.
var meant = map[string]bool{
	record.KeyMeasured: true, record.KeyCarried: true, record.KeyPlacement: true,
}
