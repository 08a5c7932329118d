package imports

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/perftrack/perftrack/runner/format"
	"github.com/perftrack/perftrack/runner/record/decode"
)

// bencherExport returns a history that is ordered by benchmark.
func bencherExport(benchmarks, commits int) string {
	var text strings.Builder
	text.WriteString(`{"results": [`)
	for b := range benchmarks {
		if b > 0 {
			text.WriteByte(',')
		}
		fmt.Fprintf(&text, `{"branch": {"name": "main"}, "testbed": {"name": "ci"}, "benchmark": {"name": "b%d"}, "measure": {"slug": "latency", "units": "ns"}, "metrics": [`, b)
		for c := range commits {
			if c > 0 {
				text.WriteByte(',')
			}
			fmt.Fprintf(&text, `{"start_time": "2026-02-03T10:00:00Z", "version": {"number": 1, "hash": "%040x"}, "metric": {"value": %d}}`, c+1, 100+c)
		}
		text.WriteString("]}")
	}
	text.WriteString("]}")
	return text.String()
}

// A history that is ordered by benchmark is read once for each part of the runs that fits into
// memory, and its runs are whole.
func TestImportScattered(t *testing.T) {
	f, err := format.ByName("bencher-export")
	if err != nil {
		t.Fatal(err)
	}
	const benchmarks, commits = 20, 50
	text := bencherExport(benchmarks, commits)
	var want []string
	for _, kept := range []int{32 << 20, 100 << 10, 0} {
		keepAtMost(t, kept)
		in := &input{format: f, file: strings.NewReader(text), label: "x"}
		if err := in.check(); err != nil {
			t.Fatal(err)
		}
		if whole := kept > 1<<20; (in.whole != nil) != whole || (len(in.parts) < 5) != whole {
			t.Errorf("%d bytes: %d runs are kept, and the rest comes in %d parts", kept, len(in.whole), len(in.parts))
		}
		var ids []string
		err := in.each(func(r *decode.Packed) error {
			if r.Len() != benchmarks {
				t.Errorf("a run of %d benchmarks", r.Len())
			}
			ids = append(ids, r.ID())
			return nil
		})
		if want == nil {
			want = ids
		}
		if err != nil || len(ids) != commits || !slices.Equal(ids, want) {
			t.Errorf("%d bytes: %d runs, %v", kept, len(ids), err)
		}
	}
	in := &input{format: f, file: strings.NewReader(text), label: "x"}
	if err := in.check(); err != nil {
		t.Fatal(err)
	}
	in.file = strings.NewReader(bencherExport(benchmarks, commits-1))
	err = in.each(func(*decode.Packed) error { return nil })
	if err == nil || !strings.Contains(err.Error(), "the file changed during the import, from 50 runs to 49") {
		t.Errorf("error %v", err)
	}
}
