package profiles

import (
	"fmt"
	"strings"
	"testing"

	"github.com/perftrack/perftrack/compare"
	"github.com/perftrack/perftrack/runner/limit"
	"github.com/perftrack/perftrack/runner/record"
	"github.com/perftrack/perftrack/runner/record/runtest"
)

// profileOf returns a profile with the given number of rounds. Each round has 60 scopes below Run,
// half of them calling Hot ten times, and a process with a heap of 30 MiB.
func profileOf(t *testing.T, rounds int) *record.Run {
	var text strings.Builder
	text.WriteString("profile: scopes\nsuite: deep\nUnit B/op assume=exact\n")
	for range rounds {
		text.WriteString("Run 1 100000000 ns/op 10000000 self-ns/op 50000000 B/op 100 allocs/op\n")
		for i := range 60 {
			fmt.Fprintf(&text, "Run/Step%d 1 1500000 ns/op 500000 B/op 1 allocs/op\n", i)
			if i%2 == 0 {
				fmt.Fprintf(&text, "Run/Step%d/Hot 10 100000 ns/op 1000 B/op 2 allocs/op\n", i)
			}
		}
	}
	run := runtest.Read(t, text.String())
	var all []record.Process
	for n := range rounds {
		heap, cycles := int64(30<<20+n), int64(4)
		all = append(all, record.Process{Suite: "deep", Round: run.Benchmarks[0].Rounds[n].N, Resident: 120e6, Heap: &heap, Cycles: &cycles})
	}
	record.SetProcesses(run, all)
	return run
}

// Limits apply to scopes, to whole suites and to their peak memory. A limit on a scope applies to
// all calls to scopes of its name.
func TestLimitsOfProfiles(t *testing.T) {
	for _, tt := range []struct {
		parse      func(glob, text string) (limit.Limit, error)
		glob, text string
		rounds     int
		want       string
	}{
		{limit.ParseScope, "Hot", "<= 90 us", 7, "Hot sec/op 0.0001 missed"},
		{limit.ParseScope, "Hot", "<= 110 us/call", 7, "Hot sec/op 0.0001 met"},
		{limit.ParseScope, "Hot", "<= 29 %", 7, "Hot % 30 missed"},
		{limit.ParseScope, "Hot", "<= 31 self-%", 7, "Hot self-% 30 met"},
		{limit.ParseScope, "Hot", "< 1 kB", 7, "Hot B/op 1000 missed"},
		{limit.ParseScope, "Hot", "< 1 kB", 1, "Hot B/op 1000 missed"}, // exact
		{limit.ParseScope, "Hot", "<= 90 us", 3, "Hot sec/op 0.0001 undecided"},
		{limit.ParseScope, "Cold", "<= 90 us", 7, "bounds nothing"},
		{limit.ParseProfile, "de*", "< 100 allocated-MB", 7, " allocated-B 5e+07 met"},
		{limit.ParseProfile, "deep", "< 30 peak-heap-MiB", 7, " peak-heap-B 3.1457283e+07 missed"},
		{limit.ParseProfile, "deep", "< 100 peak-resident-MB", 7, " peak-resident-B 1.2e+08 missed"},
		{limit.ParseProfile, "deep", "<= 50 ms", 7, " sec 0.1 missed"},
		{limit.ParseProfile, "deep", "<= 4 collections", 7, " collections 4 met"},
		{limit.ParseProfile, "other", "<= 4 collections", 7, "bounds nothing"},
		{limit.Parse, "Run", "<= 1 ns", 7, "bounds nothing"},
	} {
		l, err := tt.parse(tt.glob, tt.text)
		if err != nil {
			t.Fatal(err)
		}
		all, _, unmatched := Judge(compare.Limits{List: limit.List{l}}, profileOf(t, tt.rounds))
		got := "bounds nothing"
		if !unmatched {
			got = ""
		}
		for _, one := range all {
			got += fmt.Sprintf("%s %s %g %s", one.ID.Name, one.Unit, one.Center, one.State)
		}
		if got != tt.want {
			t.Errorf("%s of %d rounds: %q, want %q", l, tt.rounds, got, tt.want)
		}
	}
}
