package compare

import (
	"slices"
	"strings"
	"testing"

	"github.com/perftrack/perftrack/runner/record"
)

// A caveat says that only some benchmarks were selected, unless another trial of the same commits
// measured all of them.
func TestSelectionIsSaid(t *testing.T) {
	const some = "only some of the benchmarks were selected; the others were not checked: bench: "
	for _, tt := range []struct {
		name       string
		selections []string // packages, one for each trial
		want       []string
	}{
		{"all", []string{""}, nil},
		{"an older trial, which does not say", []string{"?"}, nil},
		{"one", []string{"./a"}, []string{some + "./a"}},
		{"two", []string{"./a", "./b"}, []string{some + "./a, ./b"}},
		{"the same twice", []string{"./a", "./a"}, []string{some + "./a"}},
		{"a narrow one and all", []string{"./a", ""}, nil},
	} {
		var sides [2]Side
		for i, selection := range tt.selections {
			for side, name := range []record.Side{record.Base, record.Head} {
				r := &record.Run{Target: "bench", Trial: string(rune('a' + i)), Side: name, Status: record.Complete}
				if selection != "?" {
					r.Protocol.Selection = &record.Selection{Packages: strings.Fields(selection)}
				}
				sides[side].Runs = append(sides[side].Runs, r)
			}
		}
		var got []string
		for _, c := range Compare(sides[base], sides[head], Options{}).Caveats {
			if c.Code == CodeSelection {
				got = append(got, c.String())
			}
		}
		if !slices.Equal(got, tt.want) {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
}
