package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/console"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/serving"
	"github.com/perftrack/perftrack/reports/openmetrics/openmetricstest"
	"github.com/perftrack/perftrack/store/storetest"
)

// The page, the metrics and notify agree on the queue of a fleet.
func TestQueue(t *testing.T) {
	database := emptyRepository(t)
	storeRun(t, "Sort", 100)
	const token = "0123456789abcdef0123"
	t.Setenv(serving.TokenVariable, token)
	s := startServing(t)
	bearer := []string{"Authorization", "Bearer " + token}
	for _, path := range []string{"metrics", "queue.json"} {
		if status, _ := s.get(t, path); status != http.StatusUnauthorized {
			t.Errorf("%s without the token: %d", path, status)
		}
	}
	if status, body := s.get(t, "queue.json", bearer...); status != http.StatusNotFound {
		t.Errorf("the queue without a fleet: %d %s", status, body)
	}
	values := scrape(t, s, bearer)
	if values["perftrack_runs"] != 1 || values["perftrack_benchmark_series_left_out"] != 0 {
		t.Errorf("the metrics without a fleet: %v", values)
	}
	if n := sortSeries(values); n != 1 {
		t.Errorf("%d times of Sort without a fleet: %v", n, values)
	}
	if out := dryRun(t); strings.Contains(out, "worker") {
		t.Errorf("notify without a fleet: %s", out)
	}

	storetest.ExecFile(t, database, storetest.FleetTables+storetest.Fleet(time.Now()))
	status, body := s.get(t, "queue.json", bearer...)
	for end := time.Now().Add(2 * time.Minute); status != http.StatusOK && time.Now().Before(end); time.Sleep(20 * time.Millisecond) { // the server looks once a second
		status, body = s.get(t, "queue.json", bearer...)
	}
	var document struct {
		Alarms []struct{ Kind, Text string }
		Counts map[string]int
	}
	if err := json.Unmarshal([]byte(body), &document); err != nil || status != http.StatusOK {
		t.Fatalf("%d %v %s", status, err, body)
	}
	if len(document.Alarms) != 4 || document.Counts["waiting"] != 5 || document.Counts["running"] != 3 {
		t.Errorf("the document has %v, %v", document.Alarms, document.Counts)
	}
	values = scrape(t, s, bearer)
	if n := sortSeries(values); n != 1 {
		t.Errorf("%d times of Sort with a fleet", n)
	}
	for name, want := range map[string]float64{
		`perftrack_queue_alarms{kind="no-worker"}`: 1, `perftrack_queue_alarms{kind="lost-worker"}`: 2, `perftrack_queue_alarms{kind="waiting"}`: 1,
		`perftrack_workers{class="linux",state="live"}`: 2, `perftrack_queue_jobs{class="mac",state="waiting"}`: 2,
	} {
		if values[name] != want {
			t.Errorf("%s is %v, want %v", name, values[name], want)
		}
	}
	if waits := values[`perftrack_queue_oldest_waiting_seconds{class="mac"}`]; waits < 24*60 || waits > 25*60 {
		t.Errorf("the oldest job of class mac has been waiting for %v s", waits)
	}
	out := dryRun(t)
	for _, a := range document.Alarms {
		if !strings.Contains(out, a.Text+"\n") {
			t.Errorf("notify says %s\nwant %s", out, a.Text)
		}
	}
	if !strings.Contains(out, "alarms of the queue: 4") {
		t.Errorf("notify says %s", out)
	}
}

// A queue that cannot be read is an error of its own, and the rest is shown and told all the same.
func TestQueueBroken(t *testing.T) {
	database := emptyRepository(t)
	for _, bytes := range []int{64, 64, 64, 96, 96, 96} { // enough runs to show a step
		importText(t, strings.Repeat(fmt.Sprintf("BenchmarkSort-4 100 100 ns/op %d B/op 1 allocs/op\n", bytes), 3))
		gitIn(t, ".", nil, "-c", "user.name=a", "-c", "user.email=a@example.com", "commit", "-q", "--allow-empty", "-m", "next")
	}
	storetest.ExecFile(t, database, storetest.FleetTables+"DROP TABLE fleet_jobs")
	s := startServing(t)
	s.until(t, "data/index.js", http.StatusOK, `"queue":true`)
	for path, want := range map[string]string{"queue.json": "read the queue of store", "metrics": "read the queue of store"} {
		if status, body := s.get(t, path); status != http.StatusServiceUnavailable || !strings.Contains(body, want) {
			t.Errorf("%s: %d %s", path, status, body)
		}
	}
	if status, body := s.get(t, "data/queue.js"); status != http.StatusOK || !strings.Contains(body, `perftrack.fail("queue","read the queue of store`) {
		t.Errorf("data/queue.js: %d %s", status, body)
	}
	var out, words bytes.Buffer
	if code := run([]string{"ci", "notify", "--dry-run"}, strings.NewReader(""), &out, &words); code != console.ExitError || !strings.Contains(words.String(), "read the queue of store") {
		t.Errorf("notify: %d %s", code, words.String())
	}
	if !strings.Contains(out.String(), "Sort B/op in environment") {
		t.Errorf("notify says %q", out.String())
	}
}

// sortSeries returns the number of series with the time of the benchmark Sort.
func sortSeries(values map[string]float64) (n int) {
	for name, v := range values {
		if strings.HasPrefix(name, "perftrack_benchmark_seconds_per_op{") && strings.Contains(name, `benchmark="Sort"`) && v > 99e-9 && v < 102e-9 {
			n++
		}
	}
	return n
}

// dryRun returns the output of notify.
func dryRun(t *testing.T) string {
	t.Helper()
	var out bytes.Buffer
	if code := run([]string{"ci", "notify", "--dry-run"}, strings.NewReader(""), &out, &out); code != console.ExitOK {
		t.Fatalf("notify: %d %s", code, out.String())
	}
	return out.String()
}

// scrape returns the metrics of a server.
func scrape(t *testing.T, s *servingPage, headers []string) map[string]float64 {
	t.Helper()
	status, body := s.get(t, "metrics", headers...)
	values, err := openmetricstest.Parse(body)
	if status != http.StatusOK || err != nil {
		t.Fatalf("%d %v\n%s", status, err, body)
	}
	return values
}
