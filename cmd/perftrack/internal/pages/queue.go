package pages

import (
	"context"
	"sync"
	"time"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/fault"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/metrics"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/queue"
	"github.com/perftrack/perftrack/reports/site/documents"
	"github.com/perftrack/perftrack/store"
)

// A watchedQueue is the queue as it was last read. All readers of the page share it for as long as
// a check for changes is valid. A long queue is read less often, so that its database is not kept
// busy by those who look at it.
type watchedQueue struct {
	mu    sync.Mutex
	now   *queue.State // nil if the database has no fleet
	until time.Time    // how long it is shared
}

// idle is how many times as long as it took to read a queue it is not read again.
const idle = 20

// Queue returns the document about the queue, or [documents.ErrUnknown] if the database has no
// fleet.
func (l *Live) Queue(ctx context.Context) (*documents.Queue, error) {
	o, err := l.use(ctx)
	if err != nil {
		return nil, err
	}
	defer l.release(o)
	s, err := l.queueOf(ctx, o)
	if err != nil {
		return nil, err
	}
	if s == nil {
		return nil, documents.ErrUnknown
	}
	return queueDocument(s), nil
}

// Metrics returns the server's metrics in OpenMetrics text.
func (l *Live) Metrics(ctx context.Context) ([]byte, error) {
	o, err := l.use(ctx)
	if err != nil {
		return nil, err
	}
	defer l.release(o)
	s, err := l.queueOf(ctx, o)
	if err != nil {
		return nil, err
	}
	benchmarks, err := o.site.metrics(ctx)
	if err != nil {
		return nil, err
	}
	return metrics.Server{Version: l.session.Version, Runs: len(o.site.runs), Queue: s, Benchmarks: benchmarks}.Text(), nil
}

// queueOf returns the state of the queue in the open database, or nil if it has none.
func (l *Live) queueOf(ctx context.Context, o *opened) (*queue.State, error) {
	q := &l.queue
	q.mu.Lock()
	defer q.mu.Unlock()
	now := l.session.Now()
	if now.Before(q.until) {
		return q.now, nil
	}
	began := time.Now()                                      // the session's clock may stand still
	read, err := o.site.db.Queue(context.WithoutCancel(ctx)) // not cancelled with ctx, because other requests also wait for it
	if err != nil {
		return nil, fault.IO(err)
	}
	q.now, q.until = nil, now.Add(max(pause, idle*time.Since(began)))
	if read.Exists {
		s := queue.Of(read, now)
		q.now = &s
	}
	return q.now, nil
}

// queueDocument puts the state of a queue into words.
func queueDocument(s *queue.State) *documents.Queue {
	d := &documents.Queue{
		Schema: documents.QueueSchema, Kind: "queue", Time: s.Time.Unix(),
		Alarms: []documents.QueueAlarm{}, Classes: []documents.QueueClass{}, Workers: []documents.QueueWorker{}, Jobs: []documents.QueueJob{}, Counts: map[string]int{},
	}
	for _, a := range s.Alarms {
		d.Alarms = append(d.Alarms, documents.QueueAlarm{
			Kind: a.Kind, Text: a.Sentence(func(name string) string { return name }), Checks: a.Checks, Class: a.Class, Procedure: a.Procedure, Worker: a.Worker, Since: a.Since.Unix(),
		})
	}
	for _, c := range s.Classes {
		d.Classes = append(d.Classes, documents.QueueClass{
			Checks: c.Checks, Name: c.Name, Procedure: c.Procedure, Live: c.Live, Lost: c.Lost, Waiting: c.Waiting, Running: c.Running, Oldest: seconds(c.Oldest),
		})
	}
	for _, w := range s.Workers {
		state := "live"
		if w.Lost {
			state = "lost"
		}
		d.Workers = append(d.Workers, documents.QueueWorker{
			ID: w.ID, State: state, Class: w.Class, Procedure: w.Procedure, Version: w.Version, Host: w.Host, CPU: w.CPU, CPUs: w.CPUs, Decides: w.Decides,
			Started: seconds(w.Started), Seen: seconds(w.Seen), Job: w.Job,
		})
	}
	trials := map[string]store.QueueTrial{}
	for _, t := range s.Trials {
		trials[t.ID] = t
	}
	for _, j := range s.Jobs {
		t := trials[j.Trial]
		d.Jobs = append(d.Jobs, documents.QueueJob{
			ID: j.ID, Kind: j.Kind, Class: j.Class, Procedure: j.Procedure, Priority: j.Priority, State: j.State, Repository: j.Repository,
			Trial: j.Trial, Base: t.Base, Head: t.Head, PullRequest: t.PullRequest, Target: j.Target, Shard: j.Shard, First: j.First, Last: j.Last,
			Attempt: j.Attempt, Worker: j.Worker, Created: seconds(j.Created), Started: seconds(j.Started), Ended: seconds(j.Ended),
		})
	}
	for _, g := range s.Groups {
		d.Counts[g.State] += g.Jobs
	}
	return d
}

// seconds returns a time in seconds since 1970, or 0 if it is unknown.
func seconds(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return t.Unix()
}
