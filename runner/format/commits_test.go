package format

import (
	"fmt"
	"io"
	"strings"
	"testing"

	"golang.org/x/perf/benchfmt"

	"github.com/perftrack/perftrack/runner/format/bounds"
)

// The limits hold for each commit of a history, and there is one for the whole.
func TestHistoryLimits(t *testing.T) {
	of := func(values, commits int, at func(i int) string) func(func(benchfmt.Record) error) error {
		return func(emit func(benchfmt.Record) error) error {
			var all []benchfmt.Value
			for i := range values {
				all = append(all, benchfmt.Value{Value: 1, Unit: fmt.Sprintf("u%d", i)})
			}
			for i := range commits {
				r := &benchfmt.Result{Name: benchfmt.Name("X"), Iters: 1, Values: all}
				if sha := at(i); sha != "" {
					r.Config = []benchfmt.Config{{Key: "commit", Value: []byte(sha), File: true}}
				}
				if err := emit(r); err != nil {
					return err
				}
			}
			return nil
		}
	}
	alternate := func(n int) func(int) string { return func(i int) string { return fmt.Sprintf("%040x", i%n) } }
	for _, tt := range []struct {
		name string
		read func(func(benchfmt.Record) error) error
		want string
	}{
		{"more than a run", of(200, 4*bounds.MaxValues/200, alternate(4)), ""},
		{"too many at a commit", of(200, 4*bounds.MaxValues/200+1, alternate(4)), "f:0: more than 1000000 values at commit \"" + strings.Repeat("0", 40) + "\", the limit for one commit"},
		{"commits", of(1, bounds.MaxCommits, alternate(bounds.MaxCommits)), ""},
		{"too many commits", of(1, bounds.MaxCommits+1, alternate(bounds.MaxCommits+1)), "f:0: input exceeds the limit of 100000 commits"},
		{"values", of(200, bounds.MaxHistory/200, alternate(1000)), ""},
		{"too many values", of(200, bounds.MaxHistory/200+1, alternate(1000)), "f:0: input exceeds the limit of 50000000 values"},
		{"the end has no commit", of(200, bounds.MaxValues/200+1, func(i int) string {
			if i == bounds.MaxValues/200 {
				return ""
			}
			return "aaaaaaaaaaaa"
		}), "f:0: input exceeds the limit of 1000000 values"},
	} {
		f := guarded(Format{Read: func(_ io.Reader, _ string, emit func(benchfmt.Record) error) error { return tt.read(emit) }})
		got := ""
		if err := f.Read(strings.NewReader(""), "f", func(benchfmt.Record) error { return nil }); err != nil {
			got = err.Error()
		}
		if got != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
}
