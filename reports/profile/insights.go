package profile

import (
	"fmt"
	"math"
	"strings"

	"github.com/perftrack/perftrack/compare/tree"
	"github.com/perftrack/perftrack/reports"
)

// What an engineer would look into, beside the largest times; docs/profile.md has the rules.
const (
	unevenTimes = 5    // the longest call is so many times the average
	fewCalls    = 10   // of fewer the average is no rule
	muchOfARun  = 0.01 // below which nobody gains by looking
	hotMethod   = 0.05 // of the self time
	mostOfACall = 0.8  // of a call, that one inside it took
	muchOfAPass = 0.25 // of a forward pass
	// A layer stands out if it takes so many times as much as the next: of layers that are
	// built alike, each takes as much as the others.
	aboveTheNext = 1.2
)

// uneven names the methods whose longest call is far above the average: what all rounds have is the
// program's, and what few have is rather the machine's.
func (p suite) uneven(methods []*tree.Method) (out []reports.Note) {
	times := map[string]int{}
	for _, round := range p.rounds {
		for name := range unevenCalls(round) {
			times[name]++
		}
	}
	var most, few []string
	shown := unevenCalls(p.tree)
	for _, m := range methods {
		c := shown[m.Name]
		if c == nil {
			continue
		}
		text := fmt.Sprintf("%s %s of %s on average", m.Name, nanos(c.Max), nanos(c.Total/float64(c.Calls)))
		if len(p.rounds) > 1 {
			text += fmt.Sprintf(", in %d of %d rounds", times[m.Name], len(p.rounds))
		}
		if p.inMost(times[m.Name]) {
			most = append(most, text)
		} else {
			few = append(few, text)
		}
	}
	if len(most) > 0 {
		out = append(out, reports.Note{Text: fmt.Sprintf("a call took more than %d times the average, as a first call, a collection or a lock does:", unevenTimes), Detail: strings.Join(most, "; ")})
	}
	if len(few) > 0 {
		out = append(out, reports.Note{Text: fmt.Sprintf("a call took more than %d times the average, but not in most rounds, as where something else ran on the machine:", unevenTimes), Detail: strings.Join(few, "; ")})
	}
	return out
}

// unevenCalls are the call paths of a round of which one call took far longer than the average, and
// long enough to be worth a look: the longest of each name. Paths and not methods, since a
// kernel does something else for each caller. Where a scope inside took most of that call, it is
// the scope inside that is meant.
func unevenCalls(t *tree.Tree) map[string]*tree.Call {
	found := map[string]*tree.Call{}
	var walk func(calls []*tree.Call) (longest float64)
	walk = func(calls []*tree.Call) (longest float64) {
		for _, c := range calls {
			inside := walk(c.Children)
			longest = max(longest, inside)
			average := c.Total / float64(c.Calls)
			if c.Calls < fewCalls || !(c.Max > unevenTimes*average) || !(c.Max-average >= muchOfARun*t.Base()) || inside >= mostOfACall*c.Max {
				continue
			}
			longest = max(longest, c.Max)
			if old := found[c.Name]; old == nil || c.Max > old.Max {
				found[c.Name] = c
			}
		}
		return longest
	}
	walk(t.Scopes)
	return found
}

// inMost reports whether so many of the rounds are most of them.
func (p suite) inMost(n int) bool { return 2*n > len(p.rounds) }

// stoppedToCollect tells that collections stopped the program for a part of the run that is worth a
// look, if they do in most rounds.
func (p suite) stoppedToCollect() []reports.Note {
	shown, much := math.NaN(), 0
	for _, n := range p.processes() {
		for _, round := range p.rounds {
			if part := n.pause / round.Total; round.Round == n.round && part >= muchOfARun {
				if much++; n.round == p.tree.Round {
					shown = part
				}
			}
		}
	}
	if math.IsNaN(shown) || !p.inMost(much) {
		return nil
	}
	return []reports.Note{{Text: fmt.Sprintf("collections stopped the program for %s of the run:", reports.Portion(shown)), Detail: "see Garbage collections and peak memory"}}
}

// allocatesWhereHot names the hot methods that allocate, an object a call or more on average: what
// they take is partly the collector's, and goes away with a buffer that is kept.
func (p suite) allocatesWhereHot(methods []*tree.Method) []reports.Note {
	var names []string
	for _, m := range methods {
		objects := m.OwnObjects / float64(m.Calls)
		if !(p.selfPart(m) >= hotMethod) || m.Calls < fewCalls || !(objects >= 1) {
			continue
		}
		names = append(names, fmt.Sprintf("%s %s in %.1f objects", m.Name, sizeText(m.SelfBytes/float64(m.Calls)), objects))
	}
	if len(names) == 0 {
		return nil
	}
	return []reports.Note{{Text: "hot, and allocates, on average of its calls:", Detail: strings.Join(names, ", ")}}
}

// selfPart is the part of the self time that a method has; NaN where it is not known.
func (p suite) selfPart(m *tree.Method) float64 {
	base := p.tree.Base()
	if !(base > 0) {
		return math.NaN()
	}
	return m.Self / base
}
