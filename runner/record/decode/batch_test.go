package decode

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"golang.org/x/perf/benchfmt"

	"github.com/perftrack/perftrack/runner/record"
)

// The batches of an input that is ordered by benchmark have the runs of a Builder that reads the
// whole input, in the same order.
func TestBatches(t *testing.T) {
	var text strings.Builder
	for _, name := range []string{"X", "Y", "Z"} {
		for i := range 20 {
			fmt.Fprintf(&text, "commit: %040x\nBenchmark%s 1 %d ns/op\nBenchmark%s 1 %d ns/op 7 steps\n", i, name, i, name, i+1)
		}
	}
	text.WriteString("Unit steps better=higher\n")
	feed := func(add func(benchfmt.Record) error) {
		for r := benchfmt.NewReader(strings.NewReader(text.String()), "f"); r.Scan(); {
			if err := add(r.Result()); err != nil {
				t.Fatal(err)
			}
		}
	}
	base := record.Run{Target: "base"}
	ids := func(b *Builder) (all []string) {
		feed(b.Add)
		runs, err := b.Packed()
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range runs {
			if r.Len() != 3 || r.Header.Better("steps") != 1 {
				t.Errorf("%d benchmarks, %+v", r.Len(), r.Header)
			}
			all = append(all, r.ID())
		}
		return all
	}
	want := ids(&Builder{Default: base})
	check := NewStream(base, nil)
	feed(check.Add)
	if whole, err := check.Finish(); whole || err != nil {
		t.Fatal(whole, err)
	}
	for size, batches := range map[int]int{0: 20, 7 * 4 * packOverhead: 20/7 + 1, 1 << 20: 1} {
		var got []string
		all := check.Batches(size)
		for _, b := range all {
			got = append(got, ids(b.Builder())...)
		}
		if len(want) != 20 || !slices.Equal(got, want) || len(all) != batches {
			t.Errorf("%d bytes: %d runs in %d batches, want %d in %d", size, len(got), len(all), len(want), batches)
		}
	}
}
