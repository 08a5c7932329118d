package runner

import (
	"fmt"
	"strings"
	"testing"

	"github.com/perftrack/perftrack/runner/config"
	"github.com/perftrack/perftrack/runner/program"
	"github.com/perftrack/perftrack/runner/record"
)

// A profiled program's report about its garbage collector is recorded for its process, once per
// round. The warm-up's report is ignored, and so are invalid values. The report does not become a
// fact, because a fact has one value for all rounds.
func TestMeasureProcesses(t *testing.T) {
	p := gotestPlan(t.TempDir())
	p.Profile, p.Rounds = program.DefaultSuite, 2
	p.Target = config.Target{Name: "c", Kind: "command", Run: `echo >> n; n=$(wc -l < n)
echo "gc-cycles: $n"; echo "gc-pause-ns: none"; echo "peak-heap-bytes: -1"; echo "peak-resident-bytes: ${n}0000000000"
echo "profile: scopes"; echo "suite: a"; echo "BenchmarkX 1 5 ns/op"; echo "suite: b"; echo "gc-cycles: 0"; echo "BenchmarkX 1 5 ns/op"`}
	_, out := measure(t, p)
	var got []string
	for _, one := range out.Processes[0] {
		if one.Pause != nil || one.Heap != nil || one.Cycles == nil {
			t.Fatalf("what the program did not say is in %+v", one)
		}
		got = append(got, fmt.Sprintf("%s %d: %d, %d", one.Suite, one.Round, *one.Cycles, one.Resident))
	}
	want := "a 1: 2, 20000000000; b 1: 0, 20000000000; a 2: 3, 30000000000; b 2: 0, 30000000000"
	if text := strings.Join(got, "; "); text != want {
		t.Errorf("%s, want %s", text, want)
	}
	if known := out.Facts[0].Get(record.KeyCycles); known != "" {
		t.Errorf("the first process's %s collections are a fact of the run", known)
	}

	p.Profile = ""
	if _, out := measure(t, p); len(out.Processes[0]) > 0 {
		t.Errorf("of benchmarks, each a process: %+v", out.Processes[0])
	}
}

// If the program reports nothing, a profile uses the operating system's data about its processes.
func TestMeasureResidentMemory(t *testing.T) {
	p := gotestPlan(t.TempDir())
	p.Profile, p.Rounds = program.DefaultSuite, 1
	const much = 100 << 20
	p.Target = config.Target{Name: "c", Kind: "command", Run: fmt.Sprintf(
		`echo "profile: scopes"; echo "BenchmarkX 1 5 ns/op"; exec awk 'BEGIN { s = "x"; while (length(s) < %d) s = s s }'`, much)}
	_, out := measure(t, p)
	if all := out.Processes[0]; len(all) != 1 || all[0].Resident < much || all[0].Cycles != nil {
		t.Errorf("of a program that held %d bytes: %+v", much, all)
	}
}
