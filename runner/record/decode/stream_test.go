package decode

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"golang.org/x/perf/benchfmt"

	"github.com/perftrack/perftrack/runner/record"
)

// A Stream emits each run as soon as the next one begins. Its runs are the same as those of a
// Builder that reads the whole input, unless it reports that the results of one run were scattered.
func TestStream(t *testing.T) {
	one := func(n int) string {
		return fmt.Sprintf("perftrack-run: 1\ntarget: t\ncommit: %040x\npkg: a\nBenchmarkX 1 %d ns/op\nBenchmarkY 1 %d ns/op\n", n, n, n)
	}
	const units = "Unit ns/op better=lower\n"
	for _, tt := range []struct {
		name, text string
		whole      bool
		during     string // how many runs had been emitted before each record
	}{
		{"three runs", one(1) + one(2) + one(3), true, "000112"},
		{"one run in two parts", one(1) + one(2) + one(1), false, "000112"},
		{"of another program", "commit: aaaaaaaa\nBenchmarkX-8 1 2 ns/op\nBenchmarkX-8 1 3 ns/op\ncommit: bbbbbbbb\nBenchmarkX-8 1 4 ns/op\n" + units, true, "0001"},
		{"two GOMAXPROCS", "BenchmarkX-2 1 2 ns/op\nBenchmarkX-4 1 3 ns/op\ncommit: bbbbbbbb\nBenchmarkX 1 4 ns/op\n", true, "000"},
	} {
		feed := func(add func(benchfmt.Record) error) {
			for r := benchfmt.NewReader(strings.NewReader(tt.text), tt.name); r.Scan(); {
				if err := add(r.Result()); err != nil {
					t.Fatal(err)
				}
			}
		}
		base := record.Run{Target: "base"}
		check := NewStream(base, nil)
		feed(check.Add)
		if whole, err := check.Finish(); whole != tt.whole || err != nil {
			t.Errorf("%s: whole %v, %v", tt.name, whole, err)
		}
		var ids []string
		during := ""
		again := check.Again(func(r *Packed) error {
			ids = append(ids, r.ID())
			return nil
		})
		feed(func(rec benchfmt.Record) error {
			during += fmt.Sprint(len(ids))
			return again.Add(rec)
		})
		if _, err := again.Finish(); err != nil || during != tt.during {
			t.Errorf("%s: handed on %s during the input, want %s; %v", tt.name, during, tt.during, err)
		}
		b := Builder{Default: base}
		feed(b.Add)
		runs, err := b.Runs()
		if err != nil {
			t.Fatal(err)
		}
		var want []string
		for _, r := range runs {
			want = append(want, r.ID())
		}
		if tt.whole && !slices.Equal(ids, want) {
			t.Errorf("%s: runs %v, a Builder makes %v", tt.name, ids, want)
		}
	}
}
