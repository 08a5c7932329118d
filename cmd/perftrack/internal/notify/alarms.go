package notify

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/history"
	"github.com/perftrack/perftrack/reports"
	"github.com/perftrack/perftrack/runner/record"
)

// alarms returns an event for each benchmark or target no longer measured as before.
func (s State) alarms() (all []Event) {
	for _, f := range s.Coverage.Failing {
		all = append(all, Event{Kind: Failing, Key: Key{Target: f.Target, Benchmark: f.Benchmark}, UpTo: f.Commit, Reason: f.Reason})
	}
	for _, l := range s.Coverage.Lost {
		key := Key{Target: l.Target, Package: l.Package, Suite: l.Suite, Benchmark: l.Name}
		all = append(all, Event{Kind: Lost, Key: key, After: l.Last, UpTo: l.Since})
	}
	for _, p := range s.Coverage.Paces {
		if p.Stopped(s.At) {
			all = append(all, Event{Kind: Stopped, Key: Key{Target: p.Target}, UpTo: p.Commit, Last: p.Newest.UTC().Truncate(time.Second),
				Usual: int64(p.Usual / time.Second), For: int64(s.At.Sub(p.Newest) / time.Second)})
		}
	}
	slices.SortFunc(all, compareAlarms)
	return all
}

func compareAlarms(a, b Event) int {
	return cmp.Or(strings.Compare(a.Kind, b.Kind), a.compare(b.Key), a.Queue.Compare(b.Queue))
}

func has(list []Event, e Event) bool {
	return slices.ContainsFunc(list, func(o Event) bool { return compareAlarms(o, e) == 0 })
}

// alarmDifferences returns events for new and ended alarms, and the alarms to remember.
func alarmDifferences(told []Event, now State) (events, next []Event) {
	var before, queued []Event
	for _, t := range told {
		if t.Queue.Kind != "" {
			queued = append(queued, t)
		} else {
			before = append(before, t)
		}
	}
	events, next = coverageDifferences(before, now)
	queueEvents, queueNext := queueDifferences(queued, now)
	events, next = append(events, queueEvents...), append(next, queueNext...)
	slices.SortFunc(next, compareAlarms)
	return events, next
}

// coverageDifferences returns the differences for benchmarks. An alarm ends when its benchmarks are
// measured again. If an alarm's commit is not on the branch, this job runs for an older commit, so
// the alarm is kept. Alarms are dropped without an event if they are too old, or if their benchmark
// was lost and now fails.
func coverageDifferences(told []Event, now State) (events, next []Event) {
	if now.Coverage.Behind {
		return nil, told
	}
	alarms := now.alarms()
	for _, t := range told {
		switch {
		case has(alarms, t) || t.Kind != Stopped && t.UpTo != "" && !now.Coverage.Has(t.UpTo):
			next = append(next, t)
		case now.measures(t):
			again := Event{Kind: Measured, Key: t.Key, UpTo: t.UpTo, Reason: t.Kind}
			events = append(events, again)
		}
	}
	for _, a := range alarms {
		if !has(told, a) {
			events, next = append(events, a), append(next, a)
		}
	}
	return events, next
}

// measures reports whether the benchmark or target of an alarm has been measured since the alarm
// was reported.
func (s State) measures(e Event) bool {
	if e.Kind == Stopped {
		return slices.ContainsFunc(s.Coverage.Paces, func(p history.Pace) bool { return p.Target == e.Target && p.Newest.Truncate(time.Second).After(e.Last) })
	}
	if e.Kind == Lost {
		return s.Coverage.Measures(e.Target, e.id(), e.UpTo)
	}
	return s.Coverage.MeasuredAfter(e.Target, record.Failure{Benchmark: e.Benchmark, Reason: e.Reason}, e.UpTo)
}

// alarm returns the sentence for an alarm or the end of an alarm, and false for any other event. If
// an alarm has ended, Reason is the alarm's kind.
func (e Event) alarm(q quote) (string, bool) {
	if e.Queue.Kind != "" {
		return e.queueAlarm(q), true
	}
	of := q.name(reports.BenchmarkName(e.Target, e.id()))
	if e.Benchmark == "" || e.Benchmark == e.Target { // a whole program failed
		of = "target " + q.name(e.Target)
	}
	switch e.Kind {
	case Failing:
		return fmt.Sprintf("%s fails at commit %s: %s", of, q.name(short(e.UpTo)), q.name(e.Reason)), true
	case Lost:
		return fmt.Sprintf("%s has not been measured since commit %s; the last commit that has it is %s", of, q.name(short(e.UpTo)), q.name(short(e.After))), true
	case Stopped:
		return fmt.Sprintf("%s has not been measured for %s, since %s at commit %s, although gaps are usually at most %s: see the measuring workflow's log",
			of, days(e.For), e.Last.UTC().Format("2006-01-02 15:04 UTC"), q.name(short(e.UpTo)), days(e.Usual)), true
	case Measured:
		return of + " is measured again", true
	}
	return "", false
}

// days formats a duration in hours or, if it is long, in days.
func days(seconds int64) string {
	d := time.Duration(seconds) * time.Second
	if d < 48*time.Hour {
		return fmt.Sprintf("%.0f hours", max(1, d.Hours()))
	}
	return fmt.Sprintf("%.0f days", d.Hours()/24)
}
