package bisect

import (
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/remote"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/workspace"
	"github.com/perftrack/perftrack/runner/gitrepo"
	"github.com/perftrack/perftrack/runner/record"
)

// sideRun returns a run of a benchmark with a value for each round from 1.
func sideRun(side record.Side, name, unit string, values ...float64) *record.Run {
	b := record.Benchmark{BenchmarkID: record.BenchmarkID{Kind: record.Bench, Name: name}, Samples: []record.Samples{{Unit: unit, Values: values}}}
	for n := range values {
		b.Rounds = append(b.Rounds, record.Round{N: n + 1})
	}
	return &record.Run{Side: side, Commit: record.Commit{SHA: string(side)}, Benchmarks: []record.Benchmark{b}}
}

// Only rounds with a value of both sides become pairs, and only those that the log lacks.
func TestLogPart(t *testing.T) {
	nan := math.NaN()
	failed := sideRun(record.Head, "Sort", "ns/op")
	failed.Benchmarks, failed.Failures = nil, []record.Failure{{Benchmark: "Sort", Reason: "exit status 2"}}
	base, elsewhere := sideRun(record.Base, "Sort", "ns/op", 1, 2, 3), sideRun(record.Base, "Sort", "ns/op", 1)
	elsewhere.Benchmarks[0].Package = "elsewhere"
	for _, tt := range []struct {
		name  string
		unit  string
		first int
		runs  []*record.Run
		want  string
		err   string
	}{
		{"both sides", "ns/op", 1, []*record.Run{base, sideRun(record.Head, "Sort", "ns/op", 10, 20, 30)}, "1:1/10 2:2/20 3:3/30", ""},
		{"logged before", "ns/op", 3, []*record.Run{base, sideRun(record.Head, "Sort", "ns/op", 10, 20, 30)}, "3:3/30", ""},
		{"a round without a value", "ns/op", 1, []*record.Run{base, sideRun(record.Head, "Sort", "ns/op", 10, nan, 30)}, "1:1/10 3:3/30", ""},
		{"a tidied unit", "sec/op", 1, []*record.Run{base, sideRun(record.Head, "Sort", "ns/op", 10)}, "1:1e-09/1e-08", ""},
		{"another unit", "B/op", 1, []*record.Run{base, sideRun(record.Head, "Sort", "ns/op", 10)}, "", `no unit "B/op": its units are ns/op`},
		{"only the base has it", "ns/op", 1, []*record.Run{base, sideRun(record.Head, "Other", "ns/op", 10)}, "", "head: it has no benchmark Sort"},
		{"of two packages", "ns/op", 1, []*record.Run{base, elsewhere, sideRun(record.Head, "Sort", "ns/op", 10)}, "", "choose one with --package"},
		{"in two environments", "ns/op", 1, []*record.Run{base, sideRun(record.Head, "Sort", "ns/op", 10), sideRun(record.Head, "Sort", "ns/op", nan, 20)}, "1:1/10 2:2/20", ""},
		{"it fails", "ns/op", 1, []*record.Run{base, failed}, "", ""},
	} {
		a := &workspace.Session{Now: time.Now}
		log := &eventLog{path: filepath.Join(t.TempDir(), "log")}
		p := &commitPair{
			bisection: &bisection{Session: a, log: log, Subject: Subject{Bench: "Sort", Unit: tt.unit}},
			base:      gitrepo.Commit{SHA: "base"}, head: gitrepo.Commit{SHA: "head"}, more: func() bool { return true },
		}
		err := p.logPart(remote.Part{First: 1, Last: 3, Runs: tt.runs}, tt.first)
		if tt.err == "" && err != nil || tt.err != "" && (err == nil || !strings.Contains(err.Error(), tt.err)) {
			t.Errorf("%s: %v, want %q", tt.name, err, tt.err)
		}
		var got []string
		for _, e := range log.events {
			got = append(got, fmt.Sprintf("%d:%.3g/%.3g", e.Round, e.Values[0], e.Values[1]))
		}
		if text := strings.Join(got, " "); text != tt.want {
			t.Errorf("%s: logged %q, want %q", tt.name, text, tt.want)
		}
	}
	p := &commitPair{more: func() bool { return true }}
	if blamed := new(unmeasurableError); !errors.As(p.failedIn([]*record.Run{base, failed}), &blamed) || blamed.commit != "head" {
		t.Errorf("blamed %v", blamed)
	}
	if p.more = func() bool { return false }; p.failedIn([]*record.Run{base, failed}) != nil {
		t.Error("a failure after enough pairs counts")
	}
}

// The search goes on with the class that it was started with, and with no other.
func TestClassOfSearch(t *testing.T) {
	known := Subject{Bench: "Sort", Unit: "ns/op", Workers: "c7g", Repo: "/r"}
	for _, tt := range []struct {
		class   string
		differs bool
		then    string // class of another search with these options
	}{
		{"", false, "c7g"},
		{"c7g", false, "c7g"},
		{"c8g", true, "c8g"},
	} {
		o := Options{Workers: remote.Workers{Class: tt.class}}
		if got := o.differs(known); got != tt.differs {
			t.Errorf("class %q differs: %v, want %v", tt.class, got, tt.differs)
		}
		if got := o.or(known).Workers; got.Class != tt.then || got.URL != "/r" {
			t.Errorf("class %q goes on as %+v, want %q", tt.class, got, tt.then)
		}
	}
	if got := (Options{Workers: remote.Workers{Class: "c7g"}}).differs(Subject{}); !got {
		t.Error("a search on this machine goes on with workers")
	}
}
