package compare

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/perftrack/perftrack/runner/record"
)

// A check may measure a part of the benchmarks while other machines measure the others. Each
// part is a trial of its own, with its share of alpha: so all parts together keep to alpha,
// whatever they find (Bonferroni). What no part measured was not checked, and nobody sees
// that in the parts which are there: so each says of how many it is, and how all were divided.

// MaxParts is into how many parts a check can be divided.
const MaxParts = 64

// A Part is which part of the benchmarks of a target a run was to measure.
type Part struct {
	N, Of    int // which part, from 1, of how many
	Own, All int // benchmark functions that are to be measured: of the part, of all parts
	// Division identifies how all of them were divided, "" where it never came to that.
	Division string
}

func (p Part) String() string { return fmt.Sprintf("part %d of %d", p.N, p.Of) }

// Share is the part of alpha that each part has.
func (p Part) Share() float64 { return 1 / float64(max(1, p.Of)) }

// SetPart notes on a run of which part it is.
func SetPart(r *record.Run, p Part) {
	text := fmt.Sprintf("%d/%d", p.N, p.Of)
	if p.Division != "" {
		text += fmt.Sprintf(": %d of %d, %s", p.Own, p.All, p.Division)
	}
	r.Facts = r.Facts.Set(record.KeyShard, text)
}

// PartOf returns of which part a run is; ok is false if it is of none.
func PartOf(r *record.Run) (p Part, ok bool) {
	number, rest, _ := strings.Cut(r.Facts.Get(record.KeyShard), ": ")
	if p, ok = ParsePart(number); !ok {
		return Part{}, false
	}
	if _, err := fmt.Sscanf(rest, "%d of %d, %s", &p.Own, &p.All, &p.Division); err != nil || p.Own < 0 || p.Own > p.All || p.All > record.MaxBenchmarks {
		p.Own, p.All, p.Division = 0, 0, ""
	}
	return p, true
}

// ParsePart reads a part as the command line has it: 2/4.
func ParsePart(text string) (p Part, ok bool) {
	n, of, _ := strings.Cut(text, "/")
	var err1, err2 error
	p.N, err1 = strconv.Atoi(n)
	p.Of, err2 = strconv.Atoi(of)
	return p, err1 == nil && err2 == nil && p.N >= 1 && p.N <= p.Of && p.Of <= MaxParts
}

// A LostPart is benchmarks of a target that nothing is known of, since the part that was to
// measure them is not among what is compared, or ended without a result.
type LostPart struct {
	Target string
	Part
	Why string
}

// LostParts returns the parts that are missing of each target of which there are some. A trial of
// the whole target, or all parts of one division, leave none. One that had nothing to do is
// lost all the same, as long as no other target is known to miss it.
func (c *Comparison) LostParts() (lost []LostPart) {
	if c.Options.OnePart {
		return nil
	}
	var targets []string
	for _, p := range c.parts {
		if p.Of > 0 && !slices.Contains(targets, p.target) {
			targets = append(targets, p.target)
		}
	}
	var idle []LostPart
	for _, t := range targets {
		of, nothing := c.lostOf(t)
		if nothing {
			idle = append(idle, of...)
		} else {
			lost = append(lost, of...)
		}
	}
	missed := map[Part]bool{}
	for _, l := range lost {
		missed[l.Part] = true
	}
	for _, l := range idle {
		if !missed[l.Part] {
			lost = append(lost, l)
		}
	}
	return lost
}

// A portionOf is what one trial has of a target: all of it, where Of is 0.
type portionOf struct {
	target string
	Part
	failed   bool // nothing of it can be compared
	selected bool // it is of those benchmarks alone that were asked for
}

// lostOf returns the parts that are missing of a target; idle says that the others have all of
// its benchmarks.
func (c *Comparison) lostOf(target string) (lost []LostPart, idle bool) {
	most, division := -1, portionOf{}
	// That all of a few benchmarks were measured says nothing of the others.
	all := slices.ContainsFunc(c.parts, func(p portionOf) bool { return p.target == target && !p.selected })
	for _, p := range c.parts {
		if p.target != target || p.failed || all && p.selected {
			continue
		}
		if p.Of == 0 {
			return nil, false
		}
		n, _ := c.found(p)
		if n == p.Of {
			n = MaxParts + 1 // nothing is missing of it, however many another one has
		}
		if p.Division != "" && n > most {
			most, division = n, p
		}
	}
	of := division.Of
	for _, p := range c.parts {
		if p.target == target && most < 0 {
			of = max(of, p.Of)
		}
	}
	for n := 1; n <= of; n++ {
		l := LostPart{Target: target, Part: Part{N: n, Of: of}, Why: "there is no result"}
		is := func(other portionOf) bool {
			return other.target == target && other.N == n && other.Of == of && other.selected == division.selected
		}
		if slices.ContainsFunc(c.parts, func(p portionOf) bool { return is(p) && division.covers(p) }) {
			continue
		}
		if i := slices.IndexFunc(c.parts, is); i >= 0 && (c.parts[i].failed || c.parts[i].Division == "") {
			l.Why = "nothing of it could be measured"
		} else if i >= 0 {
			l.Why = "the benchmarks were divided in another way than for the others, so some may be of no part: the machines, their Go or their stores differ"
		}
		lost = append(lost, l)
	}
	_, own := c.found(division)
	return lost, division.Division != "" && own == division.All
}

// covers reports whether another part is of the same division, and has a result.
func (p portionOf) covers(other portionOf) bool {
	return p.Division != "" && other.target == p.target && other.Of == p.Of && other.Division == p.Division && other.selected == p.selected && !other.failed
}

// found counts the parts of a division that have a result, and the benchmarks that were theirs.
func (c *Comparison) found(p portionOf) (parts, own int) {
	seen := map[int]bool{}
	for _, other := range c.parts {
		if p.covers(other) && !seen[other.N] {
			seen[other.N] = true
			own += other.Own
		}
	}
	return len(seen), own
}

// readParts notes which portions of their targets the runs of one trial are.
func (c *Comparison) readParts() {
	failed := c.FailedTargets()
	for _, p := range c.pairings {
		if !p.Trial {
			continue
		}
		for _, r := range p.runs[head] {
			one := portionOf{target: r.Target, failed: slices.ContainsFunc(failed, func(t FailedTarget) bool { return t.Target == r.Target })}
			part, ok := PartOf(r)
			one.selected = !SelectionIs(r, "") && r.Facts.Get(record.KeySelection) != ""
			switch {
			case ok && part.Own > 0 && len(r.Benchmarks) == 0 && !c.explains(r.Target):
				one.Part = Part{N: part.N, Of: part.Of} // it was divided, and then nothing came of it
			case ok:
				one.Part = part
			case one.selected || r.Status == record.Partial || len(r.Benchmarks)+len(c.Same)+len(c.Unreached) == 0:
				continue // no word of the rest
			}
			if !slices.Contains(c.parts, one) {
				c.parts = append(c.parts, one)
			}
		}
	}
}

// explains reports whether it is said why there are no samples of a target: there was no time for
// any, or they failed.
func (c *Comparison) explains(target string) bool {
	return slices.ContainsFunc(c.Starved, func(s Starved) bool { return s.Target == target }) ||
		slices.ContainsFunc(c.Failures, func(f Failure) bool { return f.Target == target })
}

// part returns of which part the pairing is; the zero value is of none.
func (p *Pairing) part() Part {
	for _, r := range p.runs[head] {
		if part, ok := PartOf(r); ok {
			return part
		}
	}
	return Part{}
}

// divided reports whether the trial is one of a part.
func (c *Comparison) divided() bool {
	return slices.ContainsFunc(c.pairings, func(p *Pairing) bool { return p.part().Of > 0 })
}

// noteParts says which parts there are, where not all are.
func (c *Comparison) noteParts() {
	if c.Options.OnePart {
		for _, p := range c.parts {
			if p.Of > 0 && p.Division != "" {
				c.addCaveat(Caveat{CodePart, fmt.Sprintf("%v: %d of %d benchmark functions to be measured; what is in the others is not judged here", p.Part, p.Own, p.All), p.target})
			}
		}
		return
	}
	var said []Caveat
	for _, of := range byReason(c.LostParts()) {
		text := DescribeLost(of) + ": " + of[0].Why
		i := slices.IndexFunc(said, func(x Caveat) bool { return x.Text == text })
		if i < 0 {
			said = append(said, Caveat{CodePart, text, of[0].Target})
		} else {
			said[i].Detail += ", " + of[0].Target
		}
	}
	for _, x := range said {
		c.addCaveat(x)
	}
}

// byReason puts those of one target together that are lost for one reason.
func byReason(lost []LostPart) (groups [][]LostPart) {
	for _, l := range lost {
		i := slices.IndexFunc(groups, func(g []LostPart) bool { return g[0].Target == l.Target && g[0].Why == l.Why && g[0].Of == l.Of })
		if i < 0 {
			groups = append(groups, nil)
			i = len(groups) - 1
		}
		groups[i] = append(groups[i], l)
	}
	return groups
}

// DescribeLost says in a few words which parts have no result, of whichever targets; "" if
// none is lost.
func DescribeLost(lost []LostPart) string {
	var numbers []string
	seen := map[Part]bool{}
	lost = slices.SortedFunc(slices.Values(lost), func(a, b LostPart) int { return cmp.Or(cmp.Compare(a.Of, b.Of), cmp.Compare(a.N, b.N)) })
	for _, l := range lost {
		if p := (Part{N: l.N, Of: l.Of}); !seen[p] {
			seen[p] = true
			numbers = append(numbers, strconv.Itoa(l.N))
		}
	}
	switch n := len(numbers); {
	case n == 0:
		return ""
	case n == 1:
		return fmt.Sprintf("part %s of %d was not checked", numbers[0], lost[0].Of)
	case n > 8:
		return fmt.Sprintf("%d of %d parts were not checked", n, lost[0].Of)
	}
	last := len(numbers) - 1
	return fmt.Sprintf("parts %s and %s of %d were not checked", strings.Join(numbers[:last], ", "), numbers[last], lost[0].Of)
}

// United shows the trials as the one measurement that they are the parts of, if nothing else
// is among them and no benchmark is in two of them.
func (c *Comparison) United() {
	if slices.ContainsFunc(c.pairings, func(p *Pairing) bool { return p.part().Of == 0 }) {
		return
	}
	in := map[seriesKey]string{}
	for _, t := range c.Tables {
		for _, r := range t.Rows {
			if of, ok := in[r.series()]; ok && of != t.OfTrial {
				return
			}
			in[r.series()] = t.OfTrial
		}
	}
	for _, p := range c.pairings {
		p.OfTrial = ""
	}
	c.Trials = 0
}
