package profile

import (
	"strings"
	"testing"

	"github.com/perftrack/perftrack/compare/tree"
	"github.com/perftrack/perftrack/reports/reporttest"
	"github.com/perftrack/perftrack/runner/record"
	"github.com/perftrack/perftrack/runner/record/runtest"
)

// measuredRun returns a profile with three rounds, the second of which is shown, and the given
// records of its processes.
func measuredRun(t *testing.T, processes ...record.Process) *record.Run {
	t.Helper()
	run := runtest.Read(t, "profile: scopes\nsuite: s\nA 1 100000 ns/op\nA 1 200000 ns/op\nA 1 300000 ns/op\n")
	record.SetProcesses(run, processes)
	return run
}

func amount(n int64) *int64 { return &n }

// The table shows the figures of the round shown and their range over all rounds. It distinguishes
// 0 from unknown values.
func TestProcessTable(t *testing.T) {
	full := func(round int, n int64) record.Process {
		return record.Process{Suite: "s", Round: round, Resident: n << 20, Cycles: amount(n), Pause: amount(1000 * n), Heap: amount(n << 10)}
	}
	quiet := record.Process{Suite: "s", Round: 2, Resident: 8 << 20, Cycles: amount(0), Pause: amount(0), Heap: amount(1 << 20)}
	for name, tt := range map[string]struct {
		processes []record.Process
		want      string // of the cells
		words     string // in the sentences above them
	}{
		"all": {[]record.Process{full(1, 3), full(2, 5), full(3, 4)},
			"collections | 5 | 3 to 5\ntime stopped for them | 5.000 µs | 3.000 µs to 5.000 µs\npeak heap | 5.000 KiB | 3.000 KiB to 5.000 KiB\npeak resident memory | 5.000 MiB | 3.000 MiB to 5.000 MiB", "Collections are those while the scopes were timed."},
		"never collected": {[]record.Process{quiet},
			"collections | 0 | 0\ntime stopped for them | 0 s | 0 s\npeak heap | 1.000 MiB | 1.000 MiB\npeak resident memory | 8.000 MiB | 8.000 MiB", "Recorded for 1 of 3 rounds."},
		"the system only": {[]record.Process{{Suite: "s", Round: 2, Resident: 8 << 20}},
			"collections | not recorded | not recorded\ntime stopped for them | not recorded | not recorded\npeak heap | not recorded | not recorded\npeak resident memory | 8.000 MiB | 8.000 MiB", "prints nothing about its collector"},
		"the program only": {[]record.Process{{Suite: "s", Round: 2, Cycles: amount(1)}},
			"collections | 1 | 1\ntime stopped for them | not recorded | not recorded\npeak heap | not recorded | not recorded\npeak resident memory | not recorded | not recorded", "the program must print it"},
		"another round": {[]record.Process{full(1, 3)},
			"collections | not recorded | 3\ntime stopped for them | not recorded | 3.000 µs\npeak heap | not recorded | 3.000 KiB\npeak resident memory | not recorded | 3.000 MiB", "Recorded for 1 of 3 rounds."},
		"two processes a round": {[]record.Process{full(2, 3), full(2, 5)},
			"collections | 8 | 8\ntime stopped for them | 8.000 µs | 8.000 µs\npeak heap | 5.000 KiB | 5.000 KiB\npeak resident memory | 5.000 MiB | 5.000 MiB", ""},
		"one of two tells nothing": {[]record.Process{full(2, 3), {Suite: "s", Round: 2}},
			"collections | not recorded | not recorded\ntime stopped for them | not recorded | not recorded\npeak heap | not recorded | not recorded\npeak resident memory | not recorded | not recorded", ""},
		"older":         {nil, "", "Not recorded: "},
		"another suite": {[]record.Process{{Suite: "t", Round: 2, Resident: 1}}, "", "Not recorded: "},
	} {
		table := reporttest.Heading(t, Report(measuredRun(t, tt.processes...)), "Garbage collections and peak memory")
		if got := reporttest.Cells(table); got != tt.want || !strings.Contains(strings.Join(table.Words, " "), tt.words) {
			t.Errorf("%s:\n%s\nwant\n%s\nwords: %q, want %q", name, got, tt.want, table.Words, tt.words)
		}
	}
}

// The document has the figures of each recorded round, with null for unknown values. If nothing was
// recorded, it has no figures.
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

// The sentence includes everything known about the round shown.
func TestProcessText(t *testing.T) {
	for _, tt := range []struct {
		process record.Process
		want    string
	}{
		{record.Process{Suite: "s", Round: 2, Resident: 1 << 20, Cycles: amount(1), Pause: amount(2500), Heap: amount(4 << 20)},
			"The process collected 1 time, was stopped for that for 2.500 µs, had a heap of up to 4.000 MiB, had up to 1.000 MiB of resident memory."},
		{record.Process{Suite: "s", Round: 2, Cycles: amount(0)}, "The process collected 0 times."},
		{record.Process{Suite: "s", Round: 1, Cycles: amount(0)}, "The process's collections and memory were not recorded."},
	} {
		run := measuredRun(t, tt.process)
		if got := ProcessText(run, tree.Of(run)[0]); got != tt.want {
			t.Errorf("%+v: %q, want %q", tt.process, got, tt.want)
		}
	}
}

// An insight mentions garbage collections that stop the program for at least a hundredth of the run
// in most rounds.
func TestStoppedToCollect(t *testing.T) {
	of := func(round int, pause int64) record.Process {
		return record.Process{Suite: "s", Round: round, Cycles: amount(1), Pause: amount(pause)}
	}
	for _, tt := range []struct {
		processes []record.Process
		want      bool
	}{
		{[]record.Process{of(1, 5000), of(2, 2000), of(3, 0)}, true},
		{[]record.Process{of(1, 5000), of(2, 1900), of(3, 5000)}, false}, // not in the round shown
		{[]record.Process{of(1, 0), of(2, 5000), of(3, 0)}, false},
		{[]record.Process{of(2, 5000)}, false}, // unknown for the other rounds
		{nil, false},
	} {
		text := reporttest.Write(t, Report(measuredRun(t, tt.processes...)), "txt")
		if got := strings.Contains(text, "collections stopped the program for"); got != tt.want {
			t.Errorf("%+v: %t, want %t\n%s", tt.processes, got, tt.want, text)
		}
	}
}
