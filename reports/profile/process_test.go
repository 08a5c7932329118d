package profile

import (
	"strings"
	"testing"

	"github.com/perftrack/perftrack/compare/tree"
	"github.com/perftrack/perftrack/internal/reporttest"
	"github.com/perftrack/perftrack/internal/runtest"
	"github.com/perftrack/perftrack/runner/record"
)

// measuredRun is a profile of three rounds, of which the second is shown, and which needed this.
func measuredRun(t *testing.T, processes ...record.Process) *record.Run {
	t.Helper()
	run := runtest.Read(t, "profile: scopes\nsuite: s\nA 1 100000 ns/op\nA 1 200000 ns/op\nA 1 300000 ns/op\n")
	record.SetProcesses(run, processes)
	return run
}

func amount(n int64) *int64 { return &n }

// The figures are those of the round that is shown, and their range; what is not known is never 0, and
// what is 0 is told.
func TestProcessTable(t *testing.T) {
	full := func(round int, n int64) record.Process {
		return record.Process{Suite: "s", Round: round, Resident: n << 20, Cycles: amount(n), Pause: amount(1000 * n), Heap: amount(n << 10)}
	}
	quiet := record.Process{Suite: "s", Round: 2, Resident: 8 << 20, Cycles: amount(0), Pause: amount(0), Heap: amount(1 << 20)}
	for name, tt := range map[string]struct {
		processes []record.Process
		want      string // of the cells
		words     string // beside them
	}{
		"all": {[]record.Process{full(1, 3), full(2, 5), full(3, 4)},
			"collections | 5 | 3 to 5\nstopped for them | 5.000µs | 3.000µs to 5.000µs\npeak heap | 5.000KiB | 3.000KiB to 5.000KiB\npeak resident memory | 5.000MiB | 3.000MiB to 5.000MiB", "Collections while the scopes were timed."},
		"never collected": {[]record.Process{quiet},
			"collections | 0 | 0\nstopped for them | 0.000s | 0.000s\npeak heap | 1.000MiB | 1.000MiB\npeak resident memory | 8.000MiB | 8.000MiB", "Recorded of 1 of 3 rounds."},
		"the system only": {[]record.Process{{Suite: "s", Round: 2, Resident: 8 << 20}},
			"collections | not recorded | not recorded\nstopped for them | not recorded | not recorded\npeak heap | not recorded | not recorded\npeak resident memory | 8.000MiB | 8.000MiB", "says nothing of its collector"},
		"the program only": {[]record.Process{{Suite: "s", Round: 2, Cycles: amount(1)}},
			"collections | 1 | 1\nstopped for them | not recorded | not recorded\npeak heap | not recorded | not recorded\npeak resident memory | not recorded | not recorded", "it has to print it itself"},
		"another round": {[]record.Process{full(1, 3)},
			"collections | not recorded | 3\nstopped for them | not recorded | 3.000µs\npeak heap | not recorded | 3.000KiB\npeak resident memory | not recorded | 3.000MiB", "Recorded of 1 of 3 rounds."},
		"two processes a round": {[]record.Process{full(2, 3), full(2, 5)},
			"collections | 8 | 8\nstopped for them | 8.000µs | 8.000µs\npeak heap | 5.000KiB | 5.000KiB\npeak resident memory | 5.000MiB | 5.000MiB", ""},
		"one of two tells nothing": {[]record.Process{full(2, 3), {Suite: "s", Round: 2}},
			"collections | not recorded | not recorded\nstopped for them | not recorded | not recorded\npeak heap | not recorded | not recorded\npeak resident memory | not recorded | not recorded", ""},
		"older":         {nil, "", "Not recorded: "},
		"another suite": {[]record.Process{{Suite: "t", Round: 2, Resident: 1}}, "", "Not recorded: "},
	} {
		table := reporttest.Heading(t, Report(measuredRun(t, tt.processes...)), "Garbage collections and peak memory")
		if got := reporttest.Cells(table); got != tt.want || !strings.Contains(strings.Join(table.Words, " "), tt.words) {
			t.Errorf("%s:\n%s\nwant\n%s\nwords: %q, want %q", name, got, tt.want, table.Words, tt.words)
		}
	}
}

// Programs read them round by round, and null for what is not known; nothing where nothing is.
func TestProcessesDocument(t *testing.T) {
	text := reporttest.Write(t, Report(measuredRun(t, record.Process{Suite: "s", Round: 1, Resident: 4096}, record.Process{Suite: "s", Round: 2, Cycles: amount(0)})), "json")
	for _, want := range []string{`"peak_resident_bytes": 4096`, `"collections": null`, `"collections": 0`, `"peak_resident_bytes": null`} {
		if !strings.Contains(text, want) {
			t.Errorf("no %s in\n%s", want, text)
		}
	}
	if text := reporttest.Write(t, Report(measuredRun(t)), "json"); strings.Contains(text, "processes") {
		t.Errorf("processes of nothing in\n%s", text)
	}
}

// The sentence has what is known of the round that is shown.
func TestProcessText(t *testing.T) {
	for _, tt := range []struct {
		process record.Process
		want    string
	}{
		{record.Process{Suite: "s", Round: 2, Resident: 1 << 20, Cycles: amount(1), Pause: amount(2500), Heap: amount(4 << 20)},
			"The process collected 1 time, was stopped for that for 2.500µs, had a heap of 4.000MiB at most, had 1.000MiB of resident memory at most."},
		{record.Process{Suite: "s", Round: 2, Cycles: amount(0)}, "The process collected 0 times."},
		{record.Process{Suite: "s", Round: 1, Cycles: amount(0)}, "How often the process collected, and what memory it needed, was not recorded."},
	} {
		run := measuredRun(t, tt.process)
		if got := ProcessText(run, tree.Of(run)[0]); got != tt.want {
			t.Errorf("%+v: %q, want %q", tt.process, got, tt.want)
		}
	}
}

// Collections that stop the program for a hundredth of the run are told of, if they do in most rounds.
func TestStoppedToCollect(t *testing.T) {
	of := func(round int, pause int64) record.Process {
		return record.Process{Suite: "s", Round: round, Cycles: amount(1), Pause: amount(pause)}
	}
	for _, tt := range []struct {
		processes []record.Process
		want      bool
	}{
		{[]record.Process{of(1, 5000), of(2, 2000), of(3, 0)}, true},
		{[]record.Process{of(1, 5000), of(2, 1900), of(3, 5000)}, false}, // not in the one that is shown
		{[]record.Process{of(1, 0), of(2, 5000), of(3, 0)}, false},
		{[]record.Process{of(2, 5000)}, false}, // of the others it is not known
		{nil, false},
	} {
		text := reporttest.Write(t, Report(measuredRun(t, tt.processes...)), "txt")
		if got := strings.Contains(text, "collections stopped the program for"); got != tt.want {
			t.Errorf("%+v: %t, want %t\n%s", tt.processes, got, tt.want, text)
		}
	}
}
