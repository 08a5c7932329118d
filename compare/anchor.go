package compare

import (
	"math"
	"slices"
	"strings"

	"golang.org/x/perf/benchunit"

	"github.com/perftrack/perftrack/compare/stat"
	"github.com/perftrack/perftrack/runner/record"
)

// ProcedureAnchor is the value of [record.KeyProcedure] in the runs of a trial whose base
// is an anchor: a fixed baseline, a build of one old revision, that new revisions are
// measured against in pairs, so that the effects of the host cancel out of their ratio. The
// head is a run of its commit like any other.
const ProcedureAnchor = "anchor"

// IsAnchor reports whether a run is that of an anchor. Such a run is no point of a history,
// in which the anchor's commit would have as many points as all others together.
func IsAnchor(r *record.Run) bool {
	return r.Side == record.Base && r.Facts.Get(record.KeyProcedure) == ProcedureAnchor
}

// FindAnchor returns the point of the anchor at commit, a hash or its beginning, that head
// was paired with; nil if there is none on the same machine.
func FindAnchor(head *record.HistoryPoint, points []record.HistoryPoint, commit string) *record.HistoryPoint {
	var found *record.HistoryPoint
	least := 0 // of several, as with `go test -cpu 1,2`, the closest environment counts
	for i := range points {
		p := &points[i]
		if p.Run.Trial != head.Run.Trial || p.Run.Side != record.Base || !strings.HasPrefix(p.Run.Commit.SHA, commit) {
			continue
		}
		different := p.Run.Env.Differences(head.Run.Env)
		apart := slices.ContainsFunc(different, fixed)
		if !apart && (found == nil || len(different) < least) {
			found, least = p, len(different)
		}
	}
	return found
}

// Anchored reports whether a run may be compared with an anchor: the head of a trial of
// fixed length. A trial that ends when it is decided may not, because it ends the earlier
// the larger a difference looks, which biases the ratio.
func Anchored(head *record.Run) bool {
	procedure := head.Facts.Get(record.KeyProcedure)
	return head.Trial != "" && head.Side == record.Head && (procedure == "" || procedure == ProcedureAnchor)
}

// common reports whether an environment key acts on both builds of a trial alike, so that
// it cancels out of their ratio. The processor, the toolchain and the number of threads do
// not: the ratio on one says nothing about another.
func common(key string) bool {
	k, _ := record.Lookup(key)
	return k.Common
}

// Relative returns the head's point as a point of ratios: head over anchor in each round
// with both, in the unit of [RatioUnit]. Units that do not depend on the host, or that
// follow from the time, are left out, and so are rounds in which either value is 0. Its
// environment is the head's without the keys that cancel out. ok is false if there is no
// ratio.
func Relative(head, anchor *record.HistoryPoint) (ratio record.HistoryPoint, ok bool) {
	ratio = *head
	ratio.Run.Env = slices.DeleteFunc(slices.Clone(head.Run.Env), func(s record.Setting) bool { return common(s.Key) })
	ratio.Run.EnvironmentID = ratio.Run.Env.EnvironmentID()
	ratio.Run.Units = nil
	ratio.Benchmark.Rounds = firstOfRounds(head.Benchmark.Rounds)
	ratio.Benchmark.Samples = nil
	for _, unit := range hostUnits(head) {
		s := record.Samples{Unit: RatioUnit(unit)}
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

// AtLevel returns the head's point as it would have been measured where the anchor took what level
// says of its units: in each round, or where that has no anchor in all of them, by how much the anchor
// was off. Units of which level says nothing stay as they are.
func AtLevel(head, anchor *record.HistoryPoint, level map[string]float64) record.HistoryPoint {
	out := *head
	out.Benchmark.Samples = slices.Clone(head.Benchmark.Samples)
	for i := range out.Benchmark.Samples {
		s := &out.Benchmark.Samples[i]
		to := level[s.Unit]
		beside, all := valuesByRound(&anchor.Benchmark, s.Unit), AnchorLevel(anchor, s.Unit)
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

// AnchorLevel is the median of an anchor's samples of a unit that depends on the host, 0 without any.
func AnchorLevel(anchor *record.HistoryPoint, unit string) float64 {
	if !slices.Contains(hostUnits(anchor), unit) {
		return 0
	}
	s, _ := anchor.Benchmark.Unit(unit)
	return stat.Median(s.Present())
}

// firstOfRounds returns one sample a round, as samples of one round came from one process.
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

// hostUnits returns the units of a point that depend on the host. Counts do not, and units
// that follow from the time would say the same twice.
func hostUnits(p *record.HistoryPoint) []string {
	_, nanoseconds := p.Benchmark.Unit("ns/op")
	_, seconds := p.Benchmark.Unit("sec/op")
	var units []string
	for _, s := range p.Benchmark.Samples {
		_, unit := tidied(record.Samples{Unit: s.Unit})
		switch {
		case unit == "B/op", unit == "allocs/op", p.Run.Exact(s.Unit):
		case Follows(unit) && (nanoseconds || seconds):
		default:
			units = append(units, s.Unit)
		}
	}
	return units
}

// ratioEnd is the suffix of a ratio's unit. No unit of a benchmark has a space.
const ratioEnd = " ratio"

// RatioUnit is the unit of the ratio of two values of a unit.
func RatioUnit(unit string) string { return unit + ratioEnd }

// IsRatio reports whether a unit is that of a ratio.
func IsRatio(unit string) bool { return strings.HasSuffix(unit, ratioEnd) }

// summarizeRatios is the median of ratios and its interval, both computed from logarithms,
// so that head over anchor is exactly the inverse of anchor over head.
func summarizeRatios(s record.Samples, confidence float64) (sum Summary, unit string) {
	of, _ := strings.CutSuffix(s.Unit, ratioEnd)
	_, unit = benchunit.Tidy(1, of)
	values, ok := stat.Logs(s.Present())
	if len(values) == 0 || !ok {
		return Summary{}, RatioUnit(unit)
	}
	sum = summarize(values, false, confidence)
	sum.Center, sum.Hi = math.Exp(sum.Center), math.Exp(sum.Hi)
	if !math.IsInf(sum.Lo, -1) {
		sum.Lo = math.Exp(sum.Lo)
	}
	return sum, RatioUnit(unit)
}

// Follows reports whether a tidied unit is derived from the time of the same benchmark, or
// is an extreme of it, so that its steps are those of the time.
func Follows(unit string) bool {
	return isDerived(unit) || unit == "min-sec/op" || unit == "max-sec/op"
}
