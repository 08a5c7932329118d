package queue

import (
	"cmp"
	"slices"
	"strings"
	"time"
)

const (
	// LongWait is the time after which a waiting job is an alarm. A job takes at most five minutes,
	// so three could have ended before it.
	LongWait = 15 * time.Minute
	// urgent is the priority of the jobs that somebody waits for: 1 is a release, 2 a pull request,
	// 3 a nightly measurement and 4 backfill. The others fill idle workers and may wait for days,
	// which is no alarm while any of them runs.
	urgent = 2
)

// The kinds of alarms, the worst first.
const (
	NoWorker    = "no-worker"   // jobs wait, and no live worker takes them
	LostWorker  = "lost-worker" // a worker vanished that had a job or was the last of its class
	LongWaiting = "waiting"     // a job waits although there are live workers
)

// Kinds lists the kinds of alarms.
var Kinds = []string{NoWorker, LostWorker, LongWaiting}

// An Alarm is something wrong with the queue. Two alarms with the same kind, class, procedure and
// worker are the same one, also at different times.
type Alarm struct {
	Kind      string    `json:"kind"`
	Checks    bool      `json:"checks,omitempty"` // whether it is about checks, whose class and procedure are ""
	Class     string    `json:"class,omitempty"`
	Procedure string    `json:"procedure,omitempty"`
	Worker    string    `json:"worker,omitempty"`
	Since     time.Time `json:"since"`             // when the oldest job was queued, or the worker was last seen
	Waiting   int       `json:"waiting,omitempty"` // number of waiting jobs
	Urgent    bool      `json:"urgent,omitempty"`  // whether Since is of a job that somebody waits for
	Job       int64     `json:"job,omitempty"`     // the job that a lost worker had, or 0
}

// Compare orders alarms and is 0 if two are the same.
func (a Alarm) Compare(b Alarm) int {
	return cmp.Or(cmp.Compare(slices.Index(Kinds, a.Kind), slices.Index(Kinds, b.Kind)),
		strings.Compare(a.Class, b.Class), strings.Compare(a.Procedure, b.Procedure), strings.Compare(a.Worker, b.Worker))
}

// alarms returns the alarms of the classes and of the workers.
func (s State) alarms() (all []Alarm) {
	for _, c := range s.Classes {
		a := Alarm{Checks: c.Checks, Class: c.Name, Procedure: c.Procedure, Waiting: c.Waiting}
		if a.Kind, a.Since = c.wrong(s.Time); a.Kind == "" {
			continue
		}
		a.Since, a.Urgent = a.Since.Truncate(time.Second), a.Kind == LongWaiting && a.Since.Equal(c.urgent)
		all = append(all, a)
	}
	live, last := map[string]bool{}, map[string]Worker{} // by class; the lost worker that was seen last
	for _, w := range s.Workers {
		live[w.Class] = live[w.Class] || !w.Lost
		if w.Seen.After(last[w.Class].Seen) {
			last[w.Class] = w
		}
	}
	for _, w := range s.Workers {
		if w.Lost && (w.Job != 0 || !live[w.Class] && last[w.Class].ID == w.ID) {
			all = append(all, Alarm{Kind: LostWorker, Class: w.Class, Worker: w.ID, Since: w.Seen.Truncate(time.Second), Job: w.Job})
		}
	}
	slices.SortFunc(all, Alarm.Compare)
	return all
}

// wrong returns the kind of the class's alarm and since when it lasts, or "". Workers that start on
// demand are not missed for as long as a lost one would not be noticed.
func (c Class) wrong(now time.Time) (kind string, since time.Time) {
	waits := func(since time.Time, most time.Duration) bool { return !since.IsZero() && now.Sub(since) >= most }
	switch {
	case c.Live == 0 && waits(c.Oldest, LostAfter):
		return NoWorker, c.Oldest
	case c.Live > 0 && waits(c.urgent, LongWait):
		return LongWaiting, c.urgent
	case c.Live > 0 && c.Running == 0 && waits(c.Oldest, LongWait):
		return LongWaiting, c.Oldest
	}
	return "", time.Time{}
}
