package jobs

import (
	"sync"
	"time"

	"github.com/perftrack/perftrack/fleet/database"
)

// A rest keeps a worker from claiming jobs for a while after it failed, so that a broken machine
// does not take all attempts of a job before another machine can.
type rest struct {
	mu       sync.Mutex
	failures int // in a row
	until    time.Time
}

// The first rest, and the longest one.
const (
	firstRest = 4 * time.Second
	longRest  = 5 * time.Minute
)

// Failed makes the worker rest, for longer after each failure in a row.
func (r *rest) Failed() {
	r.mu.Lock()
	defer r.mu.Unlock()
	long := min(firstRest<<min(r.failures, 10), longRest)
	r.failures++
	r.until = time.Now().Add(database.Scaled(long))
}

// Succeeded ends the row of failures.
func (r *rest) Succeeded() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.failures, r.until = 0, time.Time{}
}

func (r *rest) rests() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return time.Now().Before(r.until)
}
