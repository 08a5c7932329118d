// Package flame draws a call tree as a page with a flame graph, with the renderer of
// google/pprof: [Page] needs nothing but the stacks, and the page needs nothing but itself.
// flame.go says what a page shows, pprof.go plays pprof's web interface, and page.go makes a
// page of its own of what that serves.
package flame

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"

	"github.com/google/pprof/profile"

	"github.com/perftrack/perftrack/compare/tree"
)

// A Graph is what a page shows: of one side, or the difference of two.
type Graph struct {
	Title string
	Notes []string // lines that say what is shown and how it was measured
	// Unit of the values: nanoseconds, bytes or count.
	Unit string
	Head []tree.Stack
	// Base is the other side of a difference, in values that are comparable: of as much work
	// as Head. Nil draws Head alone.
	Base []tree.Stack
	// Back is the address of the page that led here, and BackTitle its name; "" of neither.
	Back, BackTitle string
}

// ErrEmpty says that no stack has a value: there is nothing to draw.
var ErrEmpty = errors.New("draw flame graph: no stack has a value")

// Page returns a whole HTML document, which loads nothing and whose Content-Security-Policy
// lets nothing run but pprof's own scripts. Function names are text in it, whatever they are.
// Stacks whose value rounds to less than 1 are left out, and it is ErrEmpty if that are all.
func Page(g Graph) ([]byte, error) {
	head, base := samples(g.Head, g.Unit), samples(g.Base, g.Unit)
	if len(head.Sample) == 0 && len(base.Sample) == 0 {
		return nil, ErrEmpty
	}
	if g.Base == nil {
		base = nil
	}
	served, err := serve(head, base)
	if err != nil {
		return nil, fmt.Errorf("draw flame graph %s: %w", g.Title, err)
	}
	page, err := g.page(served)
	if err != nil {
		return nil, fmt.Errorf("draw flame graph %s: %w", g.Title, err)
	}
	return page, nil
}

// sampleType names the only kind of value that our profiles have.
const sampleType = "value"

// samples makes a profile of nothing but names and values: no paths, addresses or binaries,
// which pprof would look for. The order is that of the names, so that equal stacks make equal
// pages.
func samples(stacks []tree.Stack, unit string) *profile.Profile {
	p := &profile.Profile{SampleType: []*profile.ValueType{{Type: sampleType, Unit: unit}}, DefaultSampleType: sampleType,
		PeriodType: &profile.ValueType{Type: sampleType, Unit: unit}, Period: 1}
	mapping := &profile.Mapping{ID: 1, HasFunctions: true, HasFilenames: true, HasLineNumbers: true, HasInlineFrames: true}
	p.Mapping = []*profile.Mapping{mapping}
	names := map[string]bool{}
	for _, s := range stacks {
		for _, f := range s.Functions {
			names[f] = true
		}
	}
	places := map[string]*profile.Location{}
	for i, name := range slices.Sorted(maps.Keys(names)) {
		f := &profile.Function{ID: uint64(i + 1), Name: cmp.Or(name, "(no name)")}
		l := &profile.Location{ID: f.ID, Mapping: mapping, Address: f.ID, Line: []profile.Line{{Function: f}}}
		p.Function, p.Location = append(p.Function, f), append(p.Location, l)
		places[name] = l
	}
	for _, s := range stacks {
		value := int64(math.Round(s.Value))
		if value == 0 || len(s.Functions) == 0 || math.IsNaN(s.Value) || math.Abs(s.Value) >= math.MaxInt64 {
			continue
		}
		sample := &profile.Sample{Value: []int64{value}}
		for _, f := range s.Functions {
			sample.Location = append(sample.Location, places[f])
		}
		p.Sample = append(p.Sample, sample)
	}
	return p
}
