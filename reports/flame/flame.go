// Package flame draws a call tree as a web page with a flame graph, using the renderer of
// google/pprof. [Page] needs only the stacks, and the resulting page loads nothing from elsewhere.
// flame.go defines the contents of a page, pprof.go runs pprof's web interface in memory, and
// page.go makes a standalone page from its output.
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

// A Graph holds the contents of a page: the stacks of one side, or the difference between two
// sides.
type Graph struct {
	Title string
	Notes []string // explanations to show, each on its own line
	// Unit is the unit of the values: nanoseconds, bytes or count.
	Unit string
	Head []tree.Stack
	// Back and BackTitle are the address and the title of the page for the back link, or "".
	Base []tree.Stack
	// Back and BackTitle are the address and the title of the page to go back to, or "".
	Back, BackTitle string
}

// ErrEmpty is the error for a page without any stack with a value.
var ErrEmpty = errors.New("draw flame graph: no stack has a value")

// Page returns a complete HTML document. The document loads nothing, and its
// Content-Security-Policy allows only its own scripts. Hostile function names are shown as text.
// Page leaves out stacks whose value rounds to 0. If no stacks remain, it returns ErrEmpty.
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

// sampleType is the name of the only type of value in our profiles.
const sampleType = "value"

// samples returns a profile that contains only names and values, and no paths, addresses or
// binaries that pprof could look up. Its functions are sorted by name, so that equal stacks result
// in equal pages.
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
