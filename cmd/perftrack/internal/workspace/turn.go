package workspace

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
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
	f := openLock()
	if f == nil {
		note(0)
		return func() {}, nil
	}
	var began, said time.Time
	err = flock.Wait(ctx, f, func() {
		at := a.Now()
		switch {
		case began.IsZero():
			began, said = at, at
			a.Noticef("waiting for %s; stop waiting with Ctrl-C", readTurn(f).words(at))
		case at.Sub(said) >= stillWaiting:
			said = at
			a.Noticef("still waiting after %v for %s", at.Sub(began).Round(time.Second), readTurn(f).words(at))
		}
	})
	if ctx.Err() != nil {
		return func() {}, errors.Join(ctx.Err(), f.Close())
	}
	var waited time.Duration
	if !began.IsZero() {
		waited = a.Now().Sub(began)
		a.Noticef("waited %v", waited.Round(time.Second))
	}
	note(waited)
	if err != nil { // the file system has no locks
		return func() {}, f.Close()
	}
	_ = own.write(f) // an error does not matter, because this only informs waiting processes
	return func() { _ = f.Truncate(0); _ = f.Close() }, nil
}

// openLock opens the lock file for measurements. It returns nil if the file cannot be created.
func openLock() *os.File {
	cache, err := os.UserCacheDir()
	if err != nil {
		return nil
	}
	dir := filepath.Join(cache, "perftrack")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil
	}
	f, err := os.OpenFile(filepath.Join(dir, "measuring.lock"), os.O_CREATE|os.O_RDWR, 0o644)
	if err != nil {
		return nil
	}
	return f
}
