package artifact

import (
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/githubtest"
	"github.com/perftrack/perftrack/runner/format/bounds"
	"github.com/perftrack/perftrack/runner/record"
)

// hostile lists texts that exceed a limit near their beginning and continue long after that point.
var hostile = []struct {
	name string
	text func() string
	kept uint64 // largest allocation before the limit is reached, in MiB
	err  string
}{
	{"bad lines", func() string { return fill(githubtest.Trial(1), "BenchmarkX 1 NaN ns/op\n") }, 0, "NaN"},
	{"runs", func() string {
		return fillEach(githubtest.Trial(1), func(i int) string { return fmt.Sprintf("note: %d\nBenchmarkX 1 1 ns/op\n", i) })
	}, 0, "limit of 64 runs"},
	{"benchmarks", func() string {
		return fillEach(githubtest.Trial(1), func(i int) string { return fmt.Sprintf("BenchmarkX%d 1 1 ns/op\n", i) })
	}, 16, "limit of 10000 benchmarks"},
	{"samples per benchmark", func() string { return fill(githubtest.Trial(1), "BenchmarkX 1 1 ns/op\n") }, 32, "more than 20000 samples of X"},
	{"values", func() string { return fill(githubtest.Trial(1), "BenchmarkX 1 "+units()+"\n") }, 100, "limit of 1000000 values"},
	{"size", func() string {
		return fill(githubtest.Trial(1), "# a line of a log\n") + strings.Repeat("# a line of a log\n", bounds.MaxInput/18)
	}, 0, "larger than the limit of 64 MiB"},
}

func units() string {
	var b strings.Builder
	for i := range 200 {
		fmt.Fprintf(&b, "1 u%d ", i)
	}
	return b.String()
}

// long is the size in bytes of a text long enough to show whether a parser keeps reading.
const long = 16 << 20

func fill(text, line string) string { return text + strings.Repeat(line, long/len(line)) }

func fillEach(text string, line func(i int) string) string {
	var b strings.Builder
	b.WriteString(text)
	for i := 0; b.Len() < long; i++ {
		b.WriteString(line(i))
	}
	return b.String()
}

// Reading stops at a limit, so a stranger can make perftrack allocate only as much memory as the
// limits permit.
func TestUntrustedTrialEndsAtALimit(t *testing.T) {
	for _, tt := range hostile {
		t.Run(tt.name, func(t *testing.T) {
			data := []byte(tt.text())
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			_, err := ParseTrial(data, "artifact")
			runtime.ReadMemStats(&after)
			if err == nil || !strings.Contains(err.Error(), tt.err) {
				t.Errorf("%v, want %q", err, tt.err)
			}
			if spent := (after.TotalAlloc - before.TotalAlloc) >> 20; spent > tt.kept+64 {
				t.Errorf("%d MiB were allocated, want at most %d and 64", spent, tt.kept)
			}
		})
	}
}

// All parts of a measurement have the same targets. Parts with many different targets are refused,
// because joining them would take a long time.
func TestPartsHaveOneSetOfTargets(t *testing.T) {
	var runs []*record.Run
	for n := range 10 * MaxTargets {
		runs = append(runs, &record.Run{Target: fmt.Sprintf("t%d", n%MaxTargets)})
	}
	if err := CheckSize(runs); err != nil {
		t.Error(err)
	}
	if err := CheckSize(append(runs, &record.Run{Target: "more"})); err == nil || !strings.Contains(err.Error(), "limit of 64 targets") {
		t.Errorf("one target more: %v", err)
	}
}
