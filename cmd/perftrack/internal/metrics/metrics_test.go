package metrics

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/queue"
	"github.com/perftrack/perftrack/reports/openmetrics/openmetricstest"
	"github.com/perftrack/perftrack/store"
)

var update = flag.Bool("update", false, "write the golden file")

// fleet returns a queue with one hostile name.
func fleet() *queue.State {
	now := time.Date(2026, 9, 30, 12, 0, 0, 0, time.UTC)
	worker := func(id, class string, seen time.Duration, job int64) store.QueueWorker {
		return store.QueueWorker{ID: id, Class: class, Seen: now.Add(-seen), Job: job}
	}
	jobs := func(kind, class, state string, n int, oldest time.Duration) store.QueueGroup {
		return store.QueueGroup{Kind: kind, Class: class, Priority: 2, State: state, Jobs: n, Oldest: now.Add(-oldest)}
	}
	s := queue.Of(store.Queue{
		Exists:  true,
		Workers: []store.QueueWorker{worker("a", "linux", time.Second, 1), worker("b", "linux", 5*time.Minute, 2), worker("c", "idle", 0, 0)},
		Groups: []store.QueueGroup{
			jobs("rounds", "linux", "running", 2, 9*time.Minute), jobs("rounds", "linux", "waiting", 40, 16*time.Minute+1500*time.Millisecond), jobs("check", "linux", "waiting", 1, time.Minute),
			jobs("rounds", "linux", "failed", 3, time.Hour), jobs("rounds", "a\\b\"c\nd\xff", "waiting", 1, 3*time.Minute),
		},
	}, now)
	return &s
}

// The metrics of a fleet are the golden file, which is valid OpenMetrics.
func TestText(t *testing.T) {
	got := Server{Version: "v1.2.3", Runs: 17, Queue: fleet()}.Text()
	path := filepath.Join("testdata", "fleet.txt")
	if *update {
		if err := os.WriteFile(path, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != string(want) {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	values, err := openmetricstest.Parse(string(got))
	if err != nil {
		t.Fatalf("%v\n%s", err, got)
	}
	for name, want := range map[string]float64{
		`perftrack_build_info{version="v1.2.3"}`:                             1,
		`perftrack_runs`:                                                     17,
		`perftrack_queue_jobs{class="linux",state="waiting"}`:                41,
		`perftrack_queue_jobs{class="idle",state="waiting"}`:                 0,
		`perftrack_queue_oldest_waiting_seconds{class="linux"}`:              961.5,
		`perftrack_queue_oldest_waiting_seconds{class="idle"}`:               0,
		`perftrack_workers{class="linux",state="lost"}`:                      1,
		`perftrack_queue_alarms{kind="waiting"}`:                             1,
		`perftrack_queue_alarms{kind="no-worker"}`:                           1,
		"perftrack_queue_jobs{class=\"a\\b\"c\nd\uFFFD\",state=\"waiting\"}": 1,
	} {
		if got, ok := values[name]; !ok || got != want {
			t.Errorf("%s is %v, %v; want %v", name, got, ok, want)
		}
	}
}

// Without a fleet, there are only the version and the number of runs.
func TestTextWithoutFleet(t *testing.T) {
	values, err := openmetricstest.Parse(string(Server{Version: "v1", Runs: 0}.Text()))
	if err != nil || len(values) != 2 || values[`perftrack_build_info{version="v1"}`] != 1 {
		t.Errorf("%v, %v", values, err)
	}
	if _, ok := values["perftrack_runs"]; !ok {
		t.Error("no number of runs")
	}
}

// The parser that the tests rely on refuses what is not valid.
func TestParserRefuses(t *testing.T) {
	good := string(Server{Version: "v1", Queue: fleet()}.Text())
	for _, tt := range []struct{ old, new, want string }{
		{"# EOF\n", "", "does not end"},
		{"# EOF\n", "# EOF\nmore 1\n", "after the end"},
		{"# TYPE perftrack_runs gauge\n", "", "belongs to no family"},
		{"perftrack_runs 0\n", "perftrack_runs 0\nperftrack_runs 0\n", "twice"},
		{"perftrack_runs 0\n", "perftrack_runs zero\n", "invalid syntax"},
		{"perftrack_runs 0\n", "perftrack_runs  0\n", "invalid syntax"},
		{"perftrack_build_info", "perftrack_build", "belongs to no family"},
		{`class="idle"`, `class=idle`, "label"},
		{`\"c`, `"c`, "label"},
		{`a\\b`, `a\b`, "escape"},
		{"perftrack_queue_oldest_waiting_seconds seconds", "perftrack_queue_oldest_waiting_seconds days", "unit"},
		{"# HELP perftrack_runs", "# HELP perftrack_workers", "HELP"},
	} {
		bad := strings.Replace(good, tt.old, tt.new, 1)
		if _, err := openmetricstest.Parse(bad); bad == good || err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%q for %q: %v, want %q", tt.new, tt.old, err, tt.want)
		}
	}
}
