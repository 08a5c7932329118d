// Package metrics writes the metrics of perftrack serve for a monitoring system, in the text format
// of OpenMetrics 1.0.
package metrics

import (
	"cmp"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/queue"
	"github.com/perftrack/perftrack/store"
)

// A Server is the subject of the metrics.
type Server struct {
	Version string       // of perftrack
	Runs    int          // stored in the repository
	Queue   *queue.State // nil without a fleet
}

// Text returns the metrics.
func (s Server) Text() []byte {
	var w writer
	w.family("perftrack_build", "info", "Version of perftrack.")
	w.sample("perftrack_build_info", 1, "version", s.Version)
	w.family("perftrack_runs", "gauge", "Runs stored in the repository.")
	w.sample("perftrack_runs", float64(s.Runs))
	if s.Queue != nil {
		w.jobs(s.Queue)
		w.workers(s.Queue)
		w.alarms(s.Queue)
	}
	w.b.WriteString("# EOF\n")
	return []byte(w.b.String())
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
	w.family("perftrack_queue_jobs", "gauge", "Jobs in the queue. The queue forgets jobs some time after they ended.")
	byClass := func(a, b state) int {
		return cmp.Or(strings.Compare(a.class, b.class), strings.Compare(a.state, b.state))
	}
	for _, k := range slices.SortedFunc(maps.Keys(jobs), byClass) {
		w.sample("perftrack_queue_jobs", float64(jobs[k]), "class", k.class, "state", k.state)
	}
	w.family("perftrack_queue_oldest_waiting_seconds", "gauge", "How long the oldest waiting job has been waiting, 0 if none waits.")
	for _, class := range slices.Sorted(maps.Keys(oldest)) {
		w.sample("perftrack_queue_oldest_waiting_seconds", oldest[class].Seconds(), "class", class)
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
	w.family("perftrack_workers", "gauge", "Workers that have not ended. One not seen for two minutes is lost.")
	for _, class := range slices.Sorted(maps.Keys(all)) {
		w.sample("perftrack_workers", float64(all[class].live), "class", class, "state", "live")
		w.sample("perftrack_workers", float64(all[class].lost), "class", class, "state", "lost")
	}
}

func (w *writer) alarms(s *queue.State) {
	w.family("perftrack_queue_alarms", "gauge", "Things wrong with the queue.")
	for _, kind := range queue.Kinds {
		n := 0
		for _, a := range s.Alarms {
			if a.Kind == kind {
				n++
			}
		}
		w.sample("perftrack_queue_alarms", float64(n), "kind", kind)
	}
}

// A writer writes metrics.
type writer struct{ b strings.Builder }

// family begins a family. Its unit is the last word of its name, if that is one.
func (w *writer) family(name, kind, help string) {
	w.b.WriteString("# HELP " + name + " " + escaper.Replace(help) + "\n# TYPE " + name + " " + kind + "\n")
	if strings.HasSuffix(name, "_seconds") {
		w.b.WriteString("# UNIT " + name + " seconds\n")
	}
}

// sample writes a value. The labels alternate between names and values.
func (w *writer) sample(name string, value float64, labels ...string) {
	w.b.WriteString(name)
	for i := 0; i < len(labels); i += 2 {
		w.b.WriteString([]string{"{", ","}[min(i, 1)] + labels[i] + `="` + escaper.Replace(strings.ToValidUTF8(labels[i+1], "\uFFFD")) + `"`)
	}
	if len(labels) > 0 {
		w.b.WriteString("}")
	}
	w.b.WriteString(" " + strconv.FormatFloat(value, 'f', -1, 64) + "\n")
}

// escaper escapes the characters that a label or a help text cannot contain.
var escaper = strings.NewReplacer(`\`, `\\`, "\n", `\n`, `"`, `\"`)
