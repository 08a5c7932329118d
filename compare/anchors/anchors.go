// Package anchors relates runs to an anchor: a build of an old revision that is measured beside each
// new one, so that the host's effects cancel out in the ratio.
package anchors

import (
	"math"
	"slices"
	"strings"

	"github.com/perftrack/perftrack/compare/pairs"
	"github.com/perftrack/perftrack/compare/stat"
	"github.com/perftrack/perftrack/compare/units"
	"github.com/perftrack/perftrack/runner/record"
)

// Procedure is the value of [record.Protocol].Procedure in a trial whose base is an anchor. An
// anchor is a build of an old revision, measured in pairs with each new revision, so the host's
// effects cancel out in the ratio. The head is an ordinary run of its commit.
const Procedure = "anchor"

// Is reports whether r measured an anchor. Runs of an anchor are not points in a history,
// because the anchor's commit would have as many points as all other commits together.
func Is(r *record.Run) bool {
	return r.Side == record.Base && r.Protocol.Procedure == Procedure
}

// Find returns the point of the anchor paired with head on the same machine, or nil. commit
// is the anchor's hash or a prefix of it.
func Find(head *record.HistoryPoint, points []record.HistoryPoint, commit string) *record.HistoryPoint {
	var found *record.HistoryPoint
	least := 0 // if there are several, as with `go test -cpu 1,2`, take the closest environment
	for i := range points {
		p := &points[i]
		if p.Run.Trial != head.Run.Trial || p.Run.Side != record.Base || !strings.HasPrefix(p.Run.Commit.SHA, commit) {
			continue
		}
		different := p.Run.Env.Differences(head.Run.Env)
		fixedDiffer := slices.ContainsFunc(different, pairs.Fixed)
		if !fixedDiffer && (found == nil || len(different) < least) {
			found, least = p, len(different)
		}
	}
	return found
}

// Fits reports whether a run may be compared with an anchor. The run must be the head of a
// fixed-length trial, because a check ends as soon as a difference looks large enough, and so
// biases the ratio.
func Fits(head *record.Run) bool {
	procedure := head.Protocol.Procedure
	return head.Trial != "" && head.Side == record.Head && (procedure == "" || procedure == Procedure)
}

// common reports whether an environment key affects both builds in a trial alike, so its effect
// cancels out in their ratio. This is not true of the processor, the toolchain and the number of
// threads: a ratio measured on one processor, for example, says nothing about another processor.
func common(key string) bool {
	k, _ := record.Lookup(key)
	return k.Common
}

// Relative returns a copy of the head's point with ratios for values: head over anchor for each
// round with both, in the unit from [RatioUnit]. It omits units independent of the host, units
// derived from the time, and rounds with a value of 0. The environment is the head's, without the
// keys whose effects cancel out. ok is false if there is no ratio.
func Relative(head, anchor *record.HistoryPoint) (ratio record.HistoryPoint, ok bool) {
	run := *head.Run
	run.Env = slices.DeleteFunc(slices.Clone(head.Run.Env), func(s record.Setting) bool { return common(s.Key) })
	run.EnvironmentID = run.Env.EnvironmentID()
	run.Units = nil
	ratio = *head
	ratio.Run = &run
	ratio.Benchmark.Rounds = firstOfRounds(head.Benchmark.Rounds)
	ratio.Benchmark.Samples = nil
	for _, unit := range hostUnits(head) {
		s := record.Samples{Unit: units.Ratio(unit)}
		of, to := valuesByRound(&head.Benchmark, unit), valuesByRound(&anchor.Benchmark, unit)
		for _, r := range ratio.Benchmark.Rounds {
			v := math.NaN()
			if x, y := stat.Median(of[r.N]), stat.Median(to[r.N]); x > 0 && y > 0 {
				v = x / y
			}
			s.Values = append(s.Values, v)
		}
		if len(s.Present()) > 0 {
			ratio.Benchmark.Samples = append(ratio.Benchmark.Samples, s)
			ratio.Run.Units = append(ratio.Run.Units, record.Unit{Name: s.Unit, Better: head.Run.Better(unit)})
		}
	}
	return ratio, len(ratio.Benchmark.Samples) > 0
}

// AtLevel returns the head's point scaled to a machine on which the anchor's values equal level.
// The factor is level divided by the anchor's median in the same round, or by the anchor's overall
// median if the anchor was not measured in that round. Units missing from level are not scaled.
func AtLevel(head, anchor *record.HistoryPoint, level map[string]float64) record.HistoryPoint {
	out := *head
	out.Benchmark.Samples = slices.Clone(head.Benchmark.Samples)
	for i := range out.Benchmark.Samples {
		s := &out.Benchmark.Samples[i]
		to := level[s.Unit]
		beside, all := valuesByRound(&anchor.Benchmark, s.Unit), Level(anchor, s.Unit)
		if !(to > 0 && all > 0) {
			continue
		}
		values := slices.Clone(s.Values)
		for k := range values {
			was := stat.Median(beside[out.Benchmark.Rounds[k].N])
			if !(was > 0) {
				was = all
			}
			values[k] *= to / was
		}
		s.Values = values
	}
	return out
}

// Level returns the median of an anchor's samples in a unit, or 0 without samples or for a
// unit independent of the host.
func Level(anchor *record.HistoryPoint, unit string) float64 {
	if !slices.Contains(hostUnits(anchor), unit) {
		return 0
	}
	s, _ := anchor.Benchmark.Unit(unit)
	return stat.Median(s.Present())
}

// firstOfRounds returns one entry per round, because all samples in a round come from one process.
func firstOfRounds(rounds []record.Round) []record.Round {
	return slices.CompactFunc(slices.Clone(rounds), func(x, y record.Round) bool { return x.N == y.N })
}

func valuesByRound(b *record.Benchmark, unit string) map[int][]float64 {
	values := map[int][]float64{}
	s, _ := b.Unit(unit)
	for i, v := range s.Values {
		if n := b.Rounds[i].N; !math.IsNaN(v) {
			values[n] = append(values[n], v)
		}
	}
	return values
}

// hostUnits returns the units of a point that depend on the host. It omits counts. If there is a
// time, it also omits units derived from it, because they would be redundant.
func hostUnits(p *record.HistoryPoint) []string {
	_, nanoseconds := p.Benchmark.Unit("ns/op")
	_, seconds := p.Benchmark.Unit("sec/op")
	var out []string
	for _, s := range p.Benchmark.Series() {
		_, unit := units.Tidied(record.Samples{Unit: s.Unit})
		switch {
		case unit == "B/op", unit == "allocs/op", p.Run.Exact(s.Unit):
		case units.Follows(unit) && (nanoseconds || seconds):
		default:
			out = append(out, s.Unit)
		}
	}
	return out
}
