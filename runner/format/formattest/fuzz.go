package formattest

import (
	"bytes"
	"runtime"
	"slices"
	"testing"

	"golang.org/x/perf/benchfmt"

	"github.com/perftrack/perftrack/runner/format"
)

// maxAllocated is the number of bytes that reading an input of at most 1 MiB may allocate in all.
const maxAllocated = 64 << 20

// Fuzz reads any input with the format called name. The reader must not panic or allocate without
// bound, and each of its results must survive being written in the Go benchmark format.
func Fuzz(f *testing.F, name string, seeds ...string) {
	of, err := format.ByName(name)
	if err != nil {
		f.Fatal(err)
	}
	for _, seed := range seeds {
		f.Add([]byte(seed))
		f.Add([]byte(seed[:len(seed)/2]))
	}
	gobench, err := format.ByName("gobench")
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		if len(text) > 1<<20 {
			t.Skip()
		}
		_, _ = format.Detect(text)
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		n := 0
		_ = of.Read(bytes.NewReader(text), "f", func(benchfmt.Record) error { n++; return nil })
		runtime.ReadMemStats(&after)
		if used := after.TotalAlloc - before.TotalAlloc; used > maxAllocated {
			t.Fatalf("reading %d bytes allocated %d", len(text), used)
		}
		all, err := results(of, text)
		if err != nil || len(all) == 0 {
			return
		}
		var out bytes.Buffer
		w := benchfmt.NewWriter(&out)
		for _, r := range all {
			if err := w.Write(r); err != nil {
				t.Fatal(err)
			}
		}
		again, err := results(gobench, out.Bytes())
		if err != nil || len(again) != len(all) {
			t.Fatalf("%d results became %d, %v:\n%s", len(all), len(again), err, out.Bytes())
		}
		for i, r := range all {
			if got := again[i]; !bytes.Equal(got.Name, r.Name) || got.Iters != r.Iters || !slices.Equal(got.Values, r.Values) {
				t.Fatalf("%s %d %v became %s %d %v", r.Name, r.Iters, r.Values, got.Name, got.Iters, got.Values)
			}
		}
	})
}
