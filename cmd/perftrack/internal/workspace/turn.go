package workspace

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"github.com/perftrack/perftrack/reports"
	"github.com/perftrack/perftrack/runner/flock"
)

// TakeTurn waits until no other perftrack of this user is measuring, because measurements disturb
// each other. Builds need no turn. If begins is not nil, TakeTurn calls it with the time waited;
// begins returns the latest end of the measurement, shown by waiting processes, or the zero time. A
// session with the turn may take it again; the turn ends with the last call of a release function.
func (a *Session) TakeTurn(ctx context.Context, begins func(waited time.Duration) (ends time.Time)) (release func(), err error) {
	if a.turn.holders == 0 {
		if a.turn.end, err = a.lockMeasuring(ctx, begins); err != nil {
			return func() {}, err
		}
	}
	a.turn.holders++
	return sync.OnceFunc(func() {
		if a.turn.holders--; a.turn.holders == 0 {
			a.turn.end()
		}
	}), nil
}

// A held counts how often the session has taken its turn without releasing it. Only the measuring
// goroutine uses it.
type held struct {
	holders int
	end     func()
}

// A turn describes, in the lock file, the measuring process.
type turn struct {
	PID     int       `json:"pid"`
	Dir     string    `json:"dir"`
	Command string    `json:"command"`
	Started time.Time `json:"started"`
	Ends    time.Time `json:"ends"` // latest end according to the budget; zero if there is no budget
}

// words describes the turn and its remaining time.
func (t turn) words(now time.Time) string {
	if t.PID == 0 {
		return "another perftrack"
	}
	text := fmt.Sprintf("another perftrack: pid %d in %s, `%s`, started %s", t.PID, t.Dir, t.Command, t.Started.Local().Format("15:04:05"))
	if left := t.Ends.Sub(now); !t.Ends.IsZero() && left > 0 {
		text += ", at most about " + reports.About(left) + " left"
	}
	return text
}

// readTurn reads the turn from the lock file. It returns the zero value if the file contains no
// valid turn.
func readTurn(f *os.File) (t turn) {
	const most = 64 << 10
	text, err := io.ReadAll(io.NewSectionReader(f, 0, most))
	if err != nil || json.Unmarshal(text, &t) != nil {
		return turn{}
	}
	return t
}

func (t turn) write(f *os.File) error {
	text, err := json.Marshal(t)
	if err == nil {
		err = f.Truncate(0)
	}
	if err == nil {
		_, err = f.WriteAt(text, 0)
	}
	return err
}

// stillWaiting is the minimum interval between messages during a wait.
const stillWaiting = 30 * time.Second

func (a *Session) lockMeasuring(ctx context.Context, begins func(waited time.Duration) (ends time.Time)) (unlock func(), err error) {
	own := turn{PID: os.Getpid(), Dir: a.Dir, Command: a.Command, Started: a.Now()}
	note := func(waited time.Duration) {
		if begins != nil {
			own.Ends = begins(waited)
		}
	}
	w := &wait{session: a}
	var held []*os.File
	unlock = func() {
		for _, f := range held {
			_ = f.Truncate(0)
			_ = f.Close()
		}
	}
	for _, l := range a.locks() {
		f := openLock(l.name)
		if f == nil {
			continue
		}
		err := flock.WaitFor(ctx, f, l.kind, func() { w.on(f) })
		if ctx.Err() != nil {
			unlock()
			return func() {}, errors.Join(ctx.Err(), f.Close())
		}
		if err != nil { // the file system has no locks
			_ = f.Close()
			continue
		}
		held = append(held, f)
	}
	note(w.over())
	for _, f := range held {
		_ = own.write(f) // an error does not matter, because this only informs waiting processes
	}
	return unlock, nil
}

// A lock is a file to lock before measuring.
type lock struct {
	name string
	kind flock.Kind
}

// locks returns the locks of this session. Workers on other CPUs may measure at the same time, and
// nobody else.
func (a *Session) locks() []lock {
	if len(a.Beside) == 0 {
		return []lock{{"measuring.lock", flock.Exclusive}}
	}
	locks := []lock{{"measuring.lock", flock.Shared}}
	for _, cpu := range slices.Sorted(slices.Values(a.Beside)) { // all in one order, so nobody waits in a circle
		locks = append(locks, lock{fmt.Sprintf("measuring-%d.lock", cpu), flock.Exclusive})
	}
	return locks
}

// A wait tells the user about waiting for other measurements.
type wait struct {
	session     *Session
	began, said time.Time
}

// on is called a few times a second during the wait for a lock.
func (w *wait) on(f *os.File) {
	a, at := w.session, w.session.Now()
	switch {
	case w.began.IsZero():
		w.began, w.said = at, at
		a.Noticef("waiting for %s; stop waiting with Ctrl-C", readTurn(f).words(at))
	case at.Sub(w.said) >= stillWaiting:
		w.said = at
		a.Noticef("still waiting after %v for %s", at.Sub(w.began).Round(time.Second), readTurn(f).words(at))
	}
}

// over returns how long the wait was.
func (w *wait) over() time.Duration {
	if w.began.IsZero() {
		return 0
	}
	waited := w.session.Now().Sub(w.began)
	w.session.Noticef("waited %v", waited.Round(time.Second))
	return waited
}

// openLock opens a lock file for measurements. It returns nil if the file cannot be created.
func openLock(name string) *os.File {
	cache, err := os.UserCacheDir()
	if err != nil {
		return nil
	}
	dir := filepath.Join(cache, "perftrack")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil
	}
	f, err := os.OpenFile(filepath.Join(dir, name), os.O_CREATE|os.O_RDWR, 0o644)
	if err != nil {
		return nil
	}
	return f
}
