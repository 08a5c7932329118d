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
	unevenCalls = 10   // of so many calls at least: of fewer the average is no rule
	muchOfARun  = 0.01 // of the self time, below which nobody gains by looking
	hotMethod   = 0.05 // of the self time
	muchOfAPass = 0.25 // of a forward pass
	// A layer stands out if it takes so many times as much as the next: of layers that are
	// built alike, each takes as much as the others.
	aboveTheNext = 1.2
)

// uneven names the methods whose longest call is far above the average: a first call that
// fills a cache, a collection that waited, a lock.
func (p suite) uneven(methods []*tree.Method) []reports.Note {
	var names []string
	for _, m := range methods {
		average := m.Total / float64(m.Calls)
		if m.Calls < unevenCalls || !(m.Max > unevenTimes*average) || !(p.selfPart(m) >= muchOfARun) {
			continue
		}
		names = append(names, fmt.Sprintf("%s %s of %s on average", m.Name, nanos(m.Max), nanos(average)))
	}
	if len(names) == 0 {
		return nil
	}
	return []reports.Note{{Text: fmt.Sprintf("a call took more than %d times the average, as a first call, a collection or a lock does:", unevenTimes), Detail: strings.Join(names, ", ")}}
}

// allocatesWhereHot names the hot methods that allocate in every call: what they take is
// partly the collector's, and goes away with a buffer that is kept.
func (p suite) allocatesWhereHot(methods []*tree.Method) []reports.Note {
	var names []string
	for _, m := range methods {
		objects := m.OwnObjects / float64(m.Calls)
		if !(p.selfPart(m) >= hotMethod) || m.Calls < unevenCalls || !(objects >= 1) {
			continue
		}
		names = append(names, fmt.Sprintf("%s %s in %.1f objects", m.Name, sizeText(m.SelfBytes/float64(m.Calls)), objects))
	}
	if len(names) == 0 {
		return nil
	}
	return []reports.Note{{Text: "allocates in every call, and is hot:", Detail: strings.Join(names, ", ")}}
}

// selfPart is the part of the self time that a method has; NaN where it is not known.
func (p suite) selfPart(m *tree.Method) float64 {
	base := p.tree.Base()
	if !(base > 0) {
		return math.NaN()
	}
	return m.Self / base
}
