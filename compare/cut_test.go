package compare

import (
	"fmt"
	"strings"
	"testing"

	"github.com/perftrack/perftrack/runner/record"
)

// A benchmark on only one side of an interrupted trial is neither new nor missing, because the
// other side was not reached. It is new only if base noted, when it was built, that it lacks
// benchmarks of that package.
func TestInterruptedIsNotNew(t *testing.T) {
	for _, tt := range []struct {
		name              string
		status            record.Status // of the runs on both sides
		lacks             []record.Count
		missing           bool // head is the unmeasured side
		new, lost, cutOff int
	}{
		{"before base was measured", record.Partial, nil, false, 0, 0, 30},
		{"before head was measured", record.Partial, nil, true, 0, 0, 30},
		{"new of a package that base lacks", record.Partial, []record.Count{{Package: "", Benchmarks: 30}}, false, 30, 0, 0},
		{"another package is new", record.Partial, []record.Count{{Package: "q", Benchmarks: 2}}, false, 0, 0, 30},
		{"whole", record.Complete, nil, false, 30, 0, 0},
		{"whole, missing", record.Complete, nil, true, 0, 30, 0},
	} {
		var rows strings.Builder
		for i := range 30 {
			fmt.Fprintf(&rows, "BenchmarkB%02d 1 5 ns/op 8 B/op 1 allocs/op\n", i)
		}
		had := checkedRun(t, record.Head, rows.String())
		had.Status = tt.status
		behind := *had
		behind.Side, behind.Benchmarks = record.Base, nil
		if tt.missing {
			had.Side, behind.Side = record.Base, record.Head
		}
		for i := range tt.lacks {
			if tt.lacks[i].Package == "" {
				tt.lacks[i].Package = had.Benchmarks[0].Package
			}
		}
		behind.Protocol.Lacks = tt.lacks
		sides := map[record.Side]Side{had.Side: {Runs: []*record.Run{had}}, behind.Side: {Runs: []*record.Run{&behind}}}
		c := Compare(sides[record.Base], sides[record.Head], Options{})
		if len(c.New) != tt.new || len(c.Missing) != tt.lost || len(c.Cut) != tt.cutOff {
			t.Errorf("%s: %d new, %d missing, %d interrupted", tt.name, len(c.New), len(c.Missing), len(c.Cut))
		}
		if c.LostCoverage() != (tt.lost+tt.cutOff > 0) {
			t.Errorf("%s: lost coverage %v", tt.name, c.LostCoverage())
		}
	}
}
