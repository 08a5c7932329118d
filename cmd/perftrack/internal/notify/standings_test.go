package notify

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/history"
	"github.com/perftrack/perftrack/compare/steps"
	"github.com/perftrack/perftrack/runner/record"
)

// A runs holds the values of a benchmark in the runs on a default branch, and the number of runs
// until its regression is accepted, or 0 if it is never accepted.
type runs struct {
	name     string
	values   []float64
	accepted int
}

func flat(parts ...float64) (values []float64) {
	for i := 0; i < len(parts); i += 2 {
		for k := range int(parts[i]) {
			values = append(values, parts[i+1]*(1+0.0003*float64(k%3-1)))
		}
	}
	return values
}

// twenty holds twenty runs after six older ones, in which regressions appear, recover, worsen and
// are accepted.
var twenty = []runs{
	{"Calm", flat(26, 100), 0},
	{"Comes", flat(9, 100, 17, 120), 0},
	{"Worsens", flat(8, 100, 8, 120, 10, 150), 0},
	{"Recovers", flat(8, 100, 6, 130, 12, 100), 0},
	{"Accepted", flat(9, 100, 17, 110), 18},
	{"Again", flat(8, 100, 5, 130, 5, 100, 8, 140), 0},
	{"Short", flat(24, 0, 2, 100)[24:], 0},
}

// standings returns the standings of all benchmarks after n runs.
func standings(n int) (all []history.Standing) {
	for _, b := range twenty {
		values := b.values
		if n < len(values) {
			values = values[:n]
		}
		l := steps.NewLine(steps.Options{Unit: "sec/op", Better: -1, Threshold: 0.05, Accepted: func(last, first string) bool {
			return b.accepted > 0 && n >= b.accepted
		}})
		for i, v := range values {
			l.Append(steps.Point{Run: fmt.Sprint("r", i), Commit: fmt.Sprintf("%040x", 0xabc000+i), Value: v * 1e-9})
		}
		line := steps.UnitLine{Environment: "e", Unit: "ns/op", Tidied: "sec/op", Course: l.Course()}
		all = append(all, history.NewStanding("t", record.BenchmarkID{Kind: record.Bench, Name: b.name}, line, 0.05))
	}
	return all
}

// want lists the events for each channel to report, once each, by kind and benchmark.
var want = []string{
	"new Comes", "new Worsens", "worse Worsens", "new Recovers", "recovered Recovers", "new Accepted", "accepted Accepted",
	"new Again", "recovered Again", "new Again",
}

func one(Event) int { return 3 }

// told returns the kind of event and the benchmark in each sentence in texts.
func told(t *testing.T, texts ...string) (all []string) {
	t.Helper()
	words := []struct{ word, kind string }{{"than last reported", Worse}, {"than before", New}, {"was accepted", Accepted}, {"recovered", Recovered}}
	for _, text := range texts {
		for line := range strings.Lines(text) {
			for _, w := range words {
				if strings.Contains(line, w.word) {
					name, _, _ := strings.Cut(strings.TrimLeft(line, "-` t"), "`")
					name, _, _ = strings.Cut(name, " ")
					all = append(all, w.kind+" "+name)
					break
				}
			}
		}
	}
	return all
}

func sorted(list []string) []string { return slices.Sorted(slices.Values(list)) }
