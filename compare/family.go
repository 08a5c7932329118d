package compare

import (
	"cmp"
	"math"
	"slices"

	"golang.org/x/perf/benchunit"

	"github.com/perftrack/perftrack/compare/stat"
	"github.com/perftrack/perftrack/runner/record"
)

// Targets measured together form one family of hypotheses. Each target's share of the error rate is
// proportional to its number of hypotheses in its first round, before any of them was decided. So
// each hypothesis gets the same share as if all of them belonged to one target, and hypotheses
// added or decided later take nothing from those of another target. Families divide the error rate
// in proportion to their number of targets.

// FamilyOf returns the family a target belonged to when it first had samples on both sides, or nil
// if its runs do not state one. All runs must belong to one trial. ok is false if the target does
// not have samples on both sides yet.
func FamilyOf(runs []*record.Run) (f *record.Family, ok bool) {
	for _, p := range pairRuns(bySide(runs)) {
		if first, _ := p.firstRound(); first > 0 {
			return p.family(first), true
		}
	}
	return nil, false
}

// Spent returns the fraction of a trial's error rate used up by the families already measured in
// it.
func Spent(runs []*record.Run) (spent float64) {
	byTarget := map[string][]*record.Run{}
	for _, r := range runs {
		byTarget[r.Target] = append(byTarget[r.Target], r)
	}
	for _, of := range byTarget {
		if f, ok := FamilyOf(of); ok {
			spent += 1 / float64(max(1, familySize(f)))
		}
	}
	return min(spent, 1)
}

// familySize returns the number of targets sharing alpha, including those of the family itself, or
// 0 if it is unknown.
func familySize(f *record.Family) int {
	if f == nil {
		return 0
	}
	return f.Of
}

// family returns the family stated by the run with the given round, or nil.
func (p *Pairing) family(round int) *record.Family {
	for _, r := range p.runs[head] {
		for _, b := range r.Benchmarks {
			if slices.ContainsFunc(b.Rounds, func(x record.Round) bool { return x.N == round }) {
				return r.Protocol.Family
			}
		}
	}
	return nil
}

func bySide(runs []*record.Run) (ofBase, ofHead []*record.Run) {
	for _, r := range runs {
		if r.Side == record.Head {
			ofHead = append(ofHead, r)
		} else {
			ofBase = append(ofBase, r)
		}
	}
	return ofBase, ofHead
}

// A portion is a pairing's share of the error rate.
type portion struct {
	alpha float64 // the family's share, which bounds the error of single intervals
	flags float64 // the fraction of alpha that bounds the pairing's flags; 0 if there is nothing to test
}

// A member is a pairing in a family, with the number of hypotheses in its first round.
type member struct {
	*Pairing
	of             int // number of targets sharing the error rate; 0 if unknown
	known, unknown int
}

// portions returns each pairing's share of the error rate. Peers also count in the division,
// although they are not compared now.
func (c *Comparison) portions(pairings []*Pairing) map[*Pairing]portion {
	families := map[string][]member{}
	for _, p := range slices.Concat(pairings, c.peers(pairings)) {
		m := member{Pairing: p}
		first, series := p.firstRound()
		f := p.family(first)
		m.of = familySize(f)
		m.known, m.unknown = c.hypotheses(p.Target, series)
		key := ""
		if f != nil {
			key = record.CompactJSON(f)
		}
		families[key] = append(families[key], m)
	}
	out := map[*Pairing]portion{}
	for _, members := range families {
		c.divide(members, out)
	}
	return out
}

// divide stores the portion of each member of a family in out. Hypotheses missing from the base's
// history take little from the others, just as within a target; see [stat.Weight].
func (c *Comparison) divide(members []member, out map[*Pairing]portion) {
	known, strange := 0, 0
	targets := map[string]bool{}
	for _, m := range members {
		if m.known+m.unknown > 0 {
			targets[m.Target] = true
		}
		if known += m.known; m.known == 0 {
			strange += m.unknown
		}
	}
	all := max(cmp.Or(members[0].of, c.Options.Families), len(targets), 1)
	for _, m := range members {
		own, among := m.known, known
		if m.known == 0 {
			own, among = m.unknown, strange
		}
		out[m.Pairing] = portion{
			alpha: m.share() * c.Options.Alpha * float64(max(len(targets), 1)) / float64(all),
			flags: stat.Weight(known, strange, m.known == 0) * float64(own) / float64(max(among, 1)),
		}
	}
}

// peers pairs the runs of the peers with targets not in pairings.
func (c *Comparison) peers(pairings []*Pairing) []*Pairing {
	others := slices.DeleteFunc(slices.Clone(c.Options.Peers), func(r *record.Run) bool {
		return slices.ContainsFunc(pairings, func(p *Pairing) bool { return p.Target == r.Target })
	})
	return slices.DeleteFunc(pairRuns(bySide(others)), func(p *Pairing) bool { return !p.Trial })
}

// firstRound returns the first round in which any series has samples on both sides, and the series
// that start in that round. It returns 0 if there is no such round.
func (p *Pairing) firstRound() (first int, series []seriesUnit) {
	first = math.MaxInt
	for key, pairs := range p.byRound() {
		switch i := slices.IndexFunc(pairs, func(x stat.Pair) bool { return x.Base == x.Base && x.Head == x.Head }); {
		case i < 0 || i+1 > first:
		case i+1 < first:
			first, series = i+1, []seriesUnit{key}
		default:
			series = append(series, key)
		}
	}
	if series == nil {
		return 0, nil
	}
	return first, series
}

// hypotheses returns the number of series in a target's first round that will be tested, separately
// for those known and unknown to the base's history. It includes counts only if there is nothing
// else: exactly repeating counts need no share of the error rate, and one round does not show
// whether they repeat.
func (c *Comparison) hypotheses(target string, series []seriesUnit) (known, unknown int) {
	times := map[record.BenchmarkID]bool{}
	for _, s := range series {
		times[s.BenchmarkID] = times[s.BenchmarkID] || isTime(s.tidied())
	}
	var counts [2]int
	for _, s := range series {
		stranger := 0
		if c.Options.Known != nil && !c.Options.Known(target, s.BenchmarkID, s.unit) {
			stranger = 1
		}
		switch {
		case isDerived(s.tidied()) && times[s.BenchmarkID]:
		case isCount(s.tidied()):
			counts[stranger]++
		case stranger == 1:
			unknown++
		default:
			known++
		}
	}
	if known+unknown == 0 {
		return min(counts[0], 1), min(counts[1], 1)
	}
	return known, unknown
}

func (s seriesUnit) tidied() string {
	_, unit := benchunit.Tidy(1, s.unit)
	return unit
}
