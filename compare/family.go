package compare

import (
	"cmp"
	"slices"

	"github.com/perftrack/perftrack/compare/pairs"
	"github.com/perftrack/perftrack/compare/stat"
	"github.com/perftrack/perftrack/compare/units"
	"github.com/perftrack/perftrack/runner/record"
)

// Targets measured together form one family of hypotheses. Each target's share of the error rate is
// proportional to its number of hypotheses in its first round, before any of them was decided. So
// each hypothesis gets the same share as if all of them belonged to one target, and hypotheses
// added or decided later do not change the shares of another target. Families divide the error rate
// in proportion to their number of targets.

// A portion is a pairing's share of the error rate.
type portion struct {
	alpha float64 // the family's share, which bounds the error of single intervals
	flags float64 // the fraction of alpha that bounds the pairing's flags; 0 if there is nothing to test
}

// A member is a pairing in a family, with the number of hypotheses in its first round.
type member struct {
	*pairs.Pairing
	of             int // number of targets that share the error rate; 0 if unknown
	known, unknown int
}

// portions returns each pairing's share of the error rate. Peers get a share, too, although they
// are not compared.
func (c *Comparison) portions(pairings []*pairs.Pairing) map[*pairs.Pairing]portion {
	families := map[string][]member{}
	for _, p := range slices.Concat(pairings, c.peers(pairings)) {
		m := member{Pairing: p}
		first, series := p.FirstRound()
		f := p.Family(first)
		m.of = pairs.FamilySize(f)
		m.known, m.unknown = c.hypotheses(p.Target, series)
		key := ""
		if f != nil {
			key = record.CompactJSON(f)
		}
		families[key] = append(families[key], m)
	}
	out := map[*pairs.Pairing]portion{}
	for _, members := range families {
		c.divide(members, out)
	}
	return out
}

// divide stores the portion of each member of a family in out. Hypotheses missing from the base's
// history get only a small share, just as within a target; see [stat.Weight].
func (c *Comparison) divide(members []member, out map[*pairs.Pairing]portion) {
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
			alpha: m.Share() * c.Options.Alpha * float64(max(len(targets), 1)) / float64(all),
			flags: stat.Weight(known, strange, m.known == 0) * float64(own) / float64(max(among, 1)),
		}
	}
}

// peers pairs the runs of the peers with targets not in pairings.
func (c *Comparison) peers(pairings []*pairs.Pairing) []*pairs.Pairing {
	others := slices.DeleteFunc(slices.Clone(c.Options.Peers), func(r *record.Run) bool {
		return slices.ContainsFunc(pairings, func(p *pairs.Pairing) bool { return p.Target == r.Target })
	})
	return slices.DeleteFunc(pairs.Of(pairs.BySide(others)), func(p *pairs.Pairing) bool { return !p.Trial })
}

// hypotheses returns the number of series in a target's first round that will be tested, separately
// for those known and unknown to the base's history. It includes counts only if there is nothing
// else: exactly repeating counts need no share of the error rate, and one round does not show
// whether they repeat.
func (c *Comparison) hypotheses(target string, series []pairs.SeriesUnit) (known, unknown int) {
	times := map[record.BenchmarkID]bool{}
	for _, s := range series {
		times[s.BenchmarkID] = times[s.BenchmarkID] || units.IsTime(s.Tidied())
	}
	var counts [2]int
	for _, s := range series {
		stranger := 0
		if c.Options.Known != nil && !c.Options.Known(target, s.BenchmarkID, s.Unit) {
			stranger = 1
		}
		switch {
		case units.IsDerived(s.Tidied()) && times[s.BenchmarkID]:
		case units.IsCount(s.Tidied()):
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
