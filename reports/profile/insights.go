package profile

import (
	"fmt"
	"math"
	"strings"

	"github.com/perftrack/perftrack/compare/tree"
	"github.com/perftrack/perftrack/reports"
)

// These are the thresholds for most insights. docs/profile.md explains them.
const (
	unevenTimes  = 5    // the longest call takes more than this multiple of the average
	fewCalls     = 10   // with fewer calls, an average means nothing
	muchOfARun   = 0.01 // smaller shares of a run are not worth mentioning
	hotMethod    = 0.05 // smallest share of all self time that makes a method hot
	mostOfACall  = 0.8  // smallest share of a call for which an inner scope counts as the reason for its length
	muchOfAPass  = 0.25 // smallest share of a forward pass of a layer worth mentioning
	aboveTheNext = 1.2  // smallest multiple of the next layer's share for which a layer is mentioned
)

// uneven names the methods with a call far longer than their average call. If this happens in most
// rounds, the program is the likely cause; if in only a few, the machine.
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
		out = append(out, reports.Note{Text: fmt.Sprintf("one call took more than %d times the average, perhaps because of a first call, a garbage collection or a lock:", unevenTimes), Detail: strings.Join(most, "; ")})
	}
	if len(few) > 0 {
		out = append(out, reports.Note{Text: fmt.Sprintf("one call took more than %d times the average in only a few rounds, perhaps because of another program on the machine:", unevenTimes), Detail: strings.Join(few, "; ")})
	}
	return out
}

// unevenCalls returns the call paths in a round with a call far longer than the average and long
// enough to matter, and for each method name only the path with the longest call. It compares the
// calls of one path, because a kernel does different work for each caller. If an inner scope took
// most of the long call, unevenCalls returns only the inner scope.
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

// inMost reports whether n is more than half the number of rounds.
func (p suite) inMost(n int) bool { return 2*n > len(p.rounds) }

// stoppedToCollect returns a note if garbage collections stopped the program for a notable time in
// most rounds, including the round shown.
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
	return []reports.Note{{Text: fmt.Sprintf("garbage collections stopped the program for %s of the run:", reports.Portion(shown)), Detail: "see Garbage collections and peak memory"}}
}

// allocatesWhereHot names the hot methods that allocate at least one object per call on average.
// Part of their time is spent on allocation and garbage collection, which reusing a buffer would
// avoid.
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
	return []reports.Note{{Text: "hot and allocating, on average per call:", Detail: strings.Join(names, ", ")}}
}

// selfPart returns a method's share of all self time, or NaN if it is unknown.
func (p suite) selfPart(m *tree.Method) float64 {
	base := p.tree.Base()
	if !(base > 0) {
		return math.NaN()
	}
	return m.Self / base
}
