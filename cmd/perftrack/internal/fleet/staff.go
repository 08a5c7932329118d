package fleet

import (
	"fmt"
	"sync"
	"time"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/fault"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/workspace"
	"github.com/perftrack/perftrack/reports"
)

// patience is how long a trial waits for the first live worker of its class.
const patience = 15 * time.Minute

// A Staff follows how many workers of a class are alive, and tells the user when there are none.
// Several trials may share it.
type Staff struct {
	Class   string
	Changed func() // called when the number has changed; may be nil

	session *workspace.Session
	mu      sync.Mutex
	live    int
	told    bool      // whether the number is known
	alone   time.Time // since when there is none
}

// NewStaff returns the staff of a class, of which nothing is known yet.
func NewStaff(a *workspace.Session, class string) *Staff {
	return &Staff{Class: class, session: a, alone: a.Now()}
}

// Live returns the number of live workers.
func (s *Staff) Live() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.live
}

// Counted takes the number of live workers from the queue.
func (s *Staff) Counted(live int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	changed := live != s.live
	switch {
	case live == 0 && (s.live > 0 || !s.told):
		s.alone = s.session.Now()
		s.session.Noticef("waiting for a worker of class %s: start one with `perftrack worker --class %s`, or see `perftrack list workers`", s.Class, s.Class)
	case live > 0 && s.live == 0 && s.told:
		s.session.Noticef("%s of class %s %s measuring", reports.Plural(live, "worker"), s.Class, isAre(live))
	}
	s.live, s.told = live, true
	if changed && s.Changed != nil {
		s.Changed()
	}
}

func isAre(n int) string {
	if n == 1 {
		return "is"
	}
	return "are"
}

// Wake returns a channel that receives at the deadline, unless it is zero, or when the wait for
// workers has lasted too long.
func (s *Staff) Wake(deadline time.Time) <-chan time.Time {
	s.mu.Lock()
	defer s.mu.Unlock()
	at := deadline
	if end := s.alone.Add(patience); s.live == 0 && (at.IsZero() || end.Before(at)) {
		at = end
	}
	if at.IsZero() {
		return nil
	}
	return time.After(max(0, at.Sub(s.session.Now())))
}

// GivenUp returns an error if the wait for workers has lasted too long.
func (s *Staff) GivenUp() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.live > 0 || s.session.Now().Sub(s.alone) < patience {
		return nil
	}
	return fault.IO(fmt.Errorf("no worker of class %s was seen for %v: start one with `perftrack worker --class %s`", s.Class, patience, s.Class))
}
