package runtest

import (
	"fmt"
	"math"
	"strings"
	"time"

	"github.com/perftrack/perftrack/runner/record"
)

// LargeTrial makes the two runs of a trial of n benchmarks with every field at its limit, and of
// so many rounds. Only the first benchmark has the highest numbers that there
// are: all could not be of one measurement.
func LargeTrial(n, rounds int, base, head string) []*record.Run {
	full := func(prefix string, size int) string { return prefix + strings.Repeat("v", size-len(prefix)) }
	var runs []*record.Run
	for side, sha := range map[record.Side]string{record.Base: base, record.Head: head} {
		r := &record.Run{
			Target: full("target", record.MaxSettingLen), Commit: record.Commit{SHA: sha, Tree: strings.Repeat("c", 64), Branch: full("branch", record.MaxSettingLen)},
			Status: record.Partial, Trial: full("t", 64), Side: side, Tool: full("v1", record.MaxSettingLen),
		}
		if r.Start = time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC); side == record.Head {
			r.Start = r.Start.Add(time.Second) // which is the order in which a clone stores them
		}
		for _, k := range record.Keys {
			switch {
			case k.Name == record.KeyGOMAXPROCS:
				r.Set(k.Name, "100")
			case k.Role == record.EnvironmentKey || k.Role == record.FactKey && !k.Numbered && !meant[k.Name]:
				r.Set(k.Name, full(k.Name, record.MaxSettingLen))
			}
		}
		r.Set(record.KeyDecision, "typical-and-mean")
		for i := range record.MaxSettings {
			r.Set(full(fmt.Sprintf("k%d-", i), record.MaxKeyLen), full("", record.MaxSettingLen))
		}
		for i := range record.MaxUnits {
			r.Units = append(r.Units, record.Unit{Name: full(fmt.Sprintf("u%d-", i), record.MaxUnitLen), Better: +1, Exact: true})
		}
		for i := range record.MaxFailures {
			r.AddFailure(full(fmt.Sprintf("f%d-", i), record.MaxFailureLen), full("reason", record.MaxFailureLen))
		}
		var ways []record.Way
		var processes []record.Process
		for i := range n {
			b := record.Benchmark{BenchmarkID: record.BenchmarkID{
				Kind: record.Bench, Package: full(fmt.Sprintf("example.com/%d/", i%3), record.MaxSettingLen),
				Suite: full("suite", record.MaxSettingLen), Name: full(fmt.Sprintf("B%d/", i), record.MaxNameLen),
			}}
			ways = append(ways, record.Way{Package: b.Package, Name: fmt.Sprintf("B%d/a b", i), How: record.WaySlices, Clock: "wall", Why: "ü  \x01"})
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
		record.SetWays(r, ways)
		record.SetProcesses(r, processes)
		record.SetNumbered(r, record.KeyJudgedBy, full("", record.MaxParts*record.MaxSettingLen), record.MaxParts)
		if side == record.Base {
			runs = append([]*record.Run{r}, runs...)
		} else {
			runs = append(runs, r)
		}
	}
	return runs
}

// meant are facts that would say something else of a trial if they had any text.
var meant = map[string]bool{
	record.KeyDecision: true, record.KeyProcedure: true, record.KeyStarved: true, record.KeyMeasured: true,
	record.KeyShard: true, record.KeyCarried: true, record.KeyPlacement: true,
}
