package compare

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/perf/benchunit"

	"github.com/perftrack/perftrack/compare/stat"
	"github.com/perftrack/perftrack/runner/record"
)

// Targets that were measured together are one family of hypotheses. Among all targets that
// share the error rate a family has the part that its number is of them. Within it the rate is
// divided by the number of hypotheses that each target had in its first round, when nothing
// was decided of any: so each hypothesis has as much as if all were of one target, and none
// that comes later, or is decided, takes anything from those of another target.

// SetFamily notes on a run with which targets, among so many that share the error rate, its
// own was measured first.
func SetFamily(r *record.Run, of int, targets []string) {
	text := strconv.Itoa(of) + ": " + strings.Join(slices.Sorted(slices.Values(targets)), ", ")
	text = strings.ToValidUTF8(text[:min(len(text), record.MaxSettingLen)], "")
	r.Facts = r.Facts.Set(record.KeyFamily, strings.TrimSpace(text))
}

// FamilyOf returns what SetFamily noted when the target of the runs, all of one trial, first
// had samples on both sides. ok is false if it had none yet.
func FamilyOf(runs []*record.Run) (noted string, ok bool) {
	for _, p := range pairRuns(bySide(runs)) {
		if first, _ := p.firstRound(); first > 0 {
			noted, _ = p.family(first)
			return noted, true
		}
	}
	return "", false
}

// CopyFamily notes on a run what SetFamily noted on an earlier one of its target.
func CopyFamily(r *record.Run, noted string) { r.Facts = r.Facts.Set(record.KeyFamily, noted) }

// Spent returns how much of the error rate of a trial the families of these targets have that
// were measured in it.
func Spent(runs []*record.Run) (spent float64) {
	byTarget := map[string][]*record.Run{}
	for _, r := range runs {
		byTarget[r.Target] = append(byTarget[r.Target], r)
	}
	for _, of := range byTarget {
		if noted, ok := FamilyOf(of); ok {
			spent += 1 / float64(max(1, familySize(noted)))
		}
	}
	return min(spent, 1)
}

// familySize is among how many targets a family is, 0 if that is not known.
func familySize(noted string) int {
	number, _, _ := strings.Cut(noted, ":")
	of, err := strconv.Atoi(number)
	if err != nil || of < 1 {
		return 0
	}
	return of
}

// family returns of which family the pairing is, and among how many targets: what the run
// says in which a round was measured; "" and 0 if it says nothing.
func (p *Pairing) family(round int) (noted string, of int) {
	for _, r := range p.runs[head] {
		for _, b := range r.Benchmarks {
			if slices.ContainsFunc(b.Rounds, func(x record.Round) bool { return x.N == round }) {
				noted = r.Facts.Get(record.KeyFamily)
				if of = familySize(noted); of == 0 {
					noted = ""
				}
				return noted, of
			}
		}
	}
	return "", 0
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

// A portion is the part of the error rate that a pairing has.
type portion struct {
	alpha float64 // of its family, which bounds what is said of one series
	flags float64 // the part of it that bounds the flags of the pairing; 0 where there is nothing to test
}

// A member is a pairing of a family, with the hypotheses of its first round.
type member struct {
	*Pairing
	of             int // targets that share the error rate; 0 if it does not say
	known, unknown int
}

// portions returns what each of the pairings has of the error rate. Those of the peers, which
// are not compared now, count as well.
func (c *Comparison) portions(pairings []*Pairing) map[*Pairing]portion {
	families := map[string][]member{}
	for _, p := range slices.Concat(pairings, c.peers(pairings)) {
		m := member{Pairing: p}
		first, series := p.firstRound()
		noted, of := p.family(first)
		m.of = of
		m.known, m.unknown = c.hypotheses(p.Target, series)
		families[noted] = append(families[noted], m)
	}
	out := map[*Pairing]portion{}
	for _, members := range families {
		c.divide(members, out)
	}
	return out
}

// divide gives each member of a family its portion. What the history of the base does not
// know takes little from the others, as within a target: see [stat.Weight].
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

// peers pairs the runs of targets that are not among the pairings.
func (c *Comparison) peers(pairings []*Pairing) []*Pairing {
	others := slices.DeleteFunc(slices.Clone(c.Options.Peers), func(r *record.Run) bool {
		return slices.ContainsFunc(pairings, func(p *Pairing) bool { return p.Target == r.Target })
	})
	return slices.DeleteFunc(pairRuns(bySide(others)), func(p *Pairing) bool { return !p.Trial })
}

// firstRound returns the first round of which both sides have a sample of one series, 0 if
// there is none, and the series that have in it.
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

// hypotheses counts the series of a target's first round that will be tested. Counts are left
// out, unless there is nothing else: those that repeat need no part of the error rate,
// and one round does not tell whether they do.
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
