// Package runtest makes runs from text for use in tests.
package runtest

import (
	"fmt"
	"strings"
	"testing"

	"golang.org/x/perf/benchfmt"

	"github.com/perftrack/perftrack/runner/record"
	"github.com/perftrack/perftrack/runner/record/decode"
)

// Parse parses runs in the Go benchmark format.
func Parse(t testing.TB, text string) []*record.Run {
	t.Helper()
	return ParseWith(t, record.Run{}, text)
}

// ParseWith parses runs in the Go benchmark format. Header fields missing in text are taken from
// base.
func ParseWith(t testing.TB, base record.Run, text string) []*record.Run {
	t.Helper()
	b := decode.Builder{Default: base}
	r := benchfmt.NewReader(strings.NewReader(text), "test.txt")
	for r.Scan() {
		if err := b.Add(r.Result()); err != nil {
			t.Fatal(err)
		}
	}
	runs, err := b.Runs()
	if err != nil {
		t.Fatal(err)
	}
	return runs
}

// Scopes returns a profile with one round. Each word has the form name=calls*milliseconds, where
// milliseconds is the duration of each call.
func Scopes(t testing.TB, words string) *record.Run {
	t.Helper()
	text := "profile: scopes\n"
	for w := range strings.FieldsSeq(words) {
		var calls int
		var ms float64
		name, rest, _ := strings.Cut(w, "=")
		if _, err := fmt.Sscanf(rest, "%d*%g", &calls, &ms); err != nil {
			t.Fatalf("%s: %v", w, err)
		}
		text += fmt.Sprintf("Benchmark%s %d %v ns/op\n", name, calls, ms*1e6)
	}
	return Parse(t, text)[0]
}

// Profile returns a profile of a suite named s. Each argument holds the result lines of one round.
func Profile(t testing.TB, rounds ...string) *record.Run {
	t.Helper()
	var text strings.Builder
	text.WriteString("suite: s\nprofile: scopes\n")
	for i, r := range rounds {
		fmt.Fprintf(&text, "round: %d\n", i+1)
		for l := range strings.Lines(r) {
			if l = strings.TrimSpace(l); l != "" {
				fmt.Fprintf(&text, "Benchmark%s\n", l)
			}
		}
	}
	runs := Parse(t, text.String())
	if len(runs) != 1 {
		t.Fatalf("%d runs of a profile", len(runs))
	}
	return runs[0]
}
