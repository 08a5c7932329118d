// Package metrics makes the metrics of perftrack serve for a monitoring system, in OpenMetrics text:
// the queue of a fleet, and the benchmarks as package reports/current writes them.
package metrics

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/queue"
	"github.com/perftrack/perftrack/reports/openmetrics"
	"github.com/perftrack/perftrack/store"
)

// A Server is the subject of the metrics.
type Server struct {
	Version string       // of perftrack
	Runs    int          // stored in the repository
	Queue   *queue.State // nil without a fleet
	// Benchmarks has the families of the benchmarks, see [openmetrics.Writer.Families].
	Benchmarks string
}

// Text returns the metrics.
func (s Server) Text() []byte {
	var w writer
	w.Family(openmetrics.Family{Name: "perftrack_build", Kind: openmetrics.Info, Help: "Version of perftrack."})
	w.Sample(1, "version", s.Version)
	w.gauges("perftrack_runs", "", "Runs stored in the repository.")
	w.Sample(float64(s.Runs))
	if s.Queue != nil {
		w.jobs(s.Queue)
		w.workers(s.Queue)
		w.alarms(s.Queue)
	}
	w.Append(s.Benchmarks)
	return w.Text()
}

// jobs writes the number of jobs by class and state, and how long the oldest has been waiting. All
// jobs count for the class that they name, checks included. A class with a worker is never missing.
func (w *writer) jobs(s *queue.State) {
	type state struct{ class, state string }
	jobs, oldest := map[state]int{}, map[string]time.Duration{}
	known := func(class string) {
		jobs[state{class, store.JobWaiting}] += 0
		jobs[state{class, store.JobRunning}] += 0
		oldest[class] += 0
	}
	for _, worker := range s.Workers {
		known(worker.Class)
	}
	for _, g := range s.Groups {
		known(g.Class)
		jobs[state{g.Class, g.State}] += g.Jobs
		if g.State == store.JobWaiting {
			oldest[g.Class] = max(oldest[g.Class], s.Time.Sub(g.Oldest))
		}
	}
	w.gauges("perftrack_queue_jobs", "", "Jobs in the queue. The queue forgets jobs some time after they ended.")
	byClass := func(a, b state) int {
		return cmp.Or(strings.Compare(a.class, b.class), strings.Compare(a.state, b.state))
	}
	for _, k := range slices.SortedFunc(maps.Keys(jobs), byClass) {
		w.Sample(float64(jobs[k]), "class", k.class, "state", k.state)
	}
	w.gauges("perftrack_queue_oldest_waiting_seconds", "seconds", "How long the oldest waiting job has been waiting, 0 if none waits.")
	for _, class := range slices.Sorted(maps.Keys(oldest)) {
		w.Sample(oldest[class].Seconds(), "class", class)
	}
}

func (w *writer) workers(s *queue.State) {
	type counts struct{ live, lost int }
	all := map[string]*counts{}
	for _, worker := range s.Workers {
		if all[worker.Class] == nil {
			all[worker.Class] = &counts{}
		}
		if worker.Lost {
			all[worker.Class].lost++
		} else {
			all[worker.Class].live++
		}
	}
	w.gauges("perftrack_workers", "", "Workers that have not ended. One not seen for two minutes is lost.")
	for _, class := range slices.Sorted(maps.Keys(all)) {
		w.Sample(float64(all[class].live), "class", class, "state", "live")
		w.Sample(float64(all[class].lost), "class", class, "state", "lost")
	}
}

func (w *writer) alarms(s *queue.State) {
	w.gauges("perftrack_queue_alarms", "", "Things wrong with the queue.")
	for _, kind := range queue.Kinds {
		n := 0
		for _, a := range s.Alarms {
			if a.Kind == kind {
				n++
			}
		}
		w.Sample(float64(n), "kind", kind)
	}
}

// A writer writes metrics.
type writer struct{ openmetrics.Writer }

// gauges begins a family of gauges.
func (w *writer) gauges(name, unit, help string) {
	w.Family(openmetrics.Family{Name: name, Kind: openmetrics.Gauge, Unit: unit, Help: help})
}
