package pairs

import (
	"math"
	"slices"

	"github.com/perftrack/perftrack/compare/stat"
	"github.com/perftrack/perftrack/runner/record"
)

// FamilyOf returns the family that a target belonged to when it first had samples on both sides, or
// nil if its runs do not state one. All runs must belong to one trial. ok is false if the target
// does not have samples on both sides yet.
func FamilyOf(runs []*record.Run) (f *record.Family, ok bool) {
	for _, p := range Of(BySide(runs)) {
		if first, _ := p.FirstRound(); first > 0 {
			return p.Family(first), true
		}
	}
	return nil, false
}

// Spent returns the fraction of a trial's error rate that is used up by the families already
// measured in it.
func Spent(runs []*record.Run) (spent float64) {
	byTarget := map[string][]*record.Run{}
	for _, r := range runs {
		byTarget[r.Target] = append(byTarget[r.Target], r)
	}
	for _, of := range byTarget {
		if f, ok := FamilyOf(of); ok {
			spent += 1 / float64(max(1, FamilySize(f)))
		}
	}
	return min(spent, 1)
}

// FamilySize returns the number of targets that share alpha, including those of the family itself,
// or 0 if it is unknown.
func FamilySize(f *record.Family) int {
	if f == nil {
		return 0
	}
	return f.Of
}

// Family returns the family stated by the run that contains the given round, or nil if that run
// states none.
func (p *Pairing) Family(round int) *record.Family {
	for _, r := range p.Runs[head] {
		for _, b := range r.Benchmarks {
			if slices.ContainsFunc(b.Rounds, func(x record.Round) bool { return x.N == round }) {
				return r.Protocol.Family
			}
		}
	}
	return nil
}

func BySide(runs []*record.Run) (ofBase, ofHead []*record.Run) {
	for _, r := range runs {
		if r.Side == record.Head {
			ofHead = append(ofHead, r)
		} else {
			ofBase = append(ofBase, r)
		}
	}
	return ofBase, ofHead
}

// FirstRound returns the first round with samples of a series on both sides, and the series that
// start in that round. It returns 0 if there is no such round.
func (p *Pairing) FirstRound() (first int, series []SeriesUnit) {
	first = math.MaxInt
	for key, pairs := range p.Rounds() {
		switch i := slices.IndexFunc(pairs, func(x stat.Pair) bool { return x.Base == x.Base && x.Head == x.Head }); {
		case i < 0 || i+1 > first:
		case i+1 < first:
			first, series = i+1, []SeriesUnit{key}
		default:
			series = append(series, key)
		}
	}
	if series == nil {
		return 0, nil
	}
	return first, series
}
