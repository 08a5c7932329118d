package queue

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/perftrack/perftrack/store"
)

const (
	// LostAfter is the time after which a worker that was not seen is lost. Workers report every
	// ten seconds.
	LostAfter = 2 * time.Minute
	// forgottenAfter is the time after which a lost worker is no longer listed, because somebody
	// turned its machine off for good.
	forgottenAfter = 7 * 24 * time.Hour
)

// check is the kind of the jobs that decide about a trial. Workers of any class that decide take
// them. All other jobs measure rounds, for workers of their class and procedure.
const check = "check"

// A State is the state of a queue at a time.
type State struct {
	Time    time.Time
	Alarms  []Alarm  // the worst first
	Classes []Class  // by name
	Workers []Worker // by class and id
	Jobs    []store.QueueJob
	Trials  []store.QueueTrial
	Groups  []store.QueueGroup
}

// A Worker is a worker that is alive or lost.
type Worker struct {
	store.QueueWorker
	Lost bool
}

// A Class describes the workers that can take the same jobs, and these jobs.
type Class struct {
	Checks          bool // whether the jobs are checks, which have no class and no procedure
	Name, Procedure string
	Live, Lost      int       // workers
	Waiting         int       // jobs
	Running         int       // jobs
	Oldest          time.Time // when the oldest waiting job was queued; zero if none waits
	urgent          time.Time // the same for the jobs that somebody waits for
}

// Of returns the state of a queue now.
func Of(q store.Queue, now time.Time) State {
	s := State{Time: now, Jobs: q.Jobs, Trials: q.Trials, Groups: q.Groups}
	for _, w := range q.Workers {
		if unseen := now.Sub(w.Seen); unseen < forgottenAfter {
			s.Workers = append(s.Workers, Worker{w, unseen >= LostAfter})
		}
	}
	s.Classes = classes(s.Workers, q.Groups)
	s.Alarms = s.alarms()
	return s
}

func classes(workers []Worker, groups []store.QueueGroup) []Class {
	all := map[Class]*Class{}
	class := func(key Class) *Class {
		if all[key] == nil {
			all[key] = &key
		}
		return all[key]
	}
	for _, w := range workers {
		class(Class{Name: w.Class, Procedure: w.Procedure}).addWorker(w)
		if w.Decides {
			class(Class{Checks: true}).addWorker(w)
		}
	}
	for _, g := range groups {
		if g.State != store.JobWaiting && g.State != store.JobRunning {
			continue
		}
		key := Class{Name: g.Class, Procedure: g.Procedure}
		if g.Kind == check {
			key = Class{Checks: true}
		}
		class(key).addJobs(g)
	}
	list := make([]Class, 0, len(all))
	for _, c := range all {
		list = append(list, *c)
	}
	slices.SortFunc(list, func(a, b Class) int { // checks have no name
		return cmp.Or(strings.Compare(a.Name, b.Name), strings.Compare(a.Procedure, b.Procedure))
	})
	return list
}

func (c *Class) addWorker(w Worker) {
	if w.Lost {
		c.Lost++
	} else {
		c.Live++
	}
}

func (c *Class) addJobs(g store.QueueGroup) {
	if g.State == store.JobRunning {
		c.Running += g.Jobs
		return
	}
	c.Waiting += g.Jobs
	c.Oldest = earlier(c.Oldest, g.Oldest)
	if g.Priority <= urgent {
		c.urgent = earlier(c.urgent, g.Oldest)
	}
}

// earlier returns the earlier of two times. The zero time means none.
func earlier(a, b time.Time) time.Time {
	if a.IsZero() || !b.IsZero() && b.Before(a) {
		return b
	}
	return a
}
