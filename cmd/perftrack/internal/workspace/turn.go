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

// TakeTurn waits until no other perftrack of this user measures: two measurements at once would be each
// other's noise. Builds need no turn. Begins is told how long the wait took and returns when the
// measurement ends at the latest, for those who wait for it; it may be nil. Who has the turn already gets it
// at once. The turn ends when each has released it.
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

// A held is the session's own turn. Only the goroutine that measures touches it.
type held struct {
	holders int
	end     func()
}

// A turn is who is measuring, as the file of the lock says it to those who wait.
type turn struct {
	PID     int       `json:"pid"`
	Dir     string    `json:"dir"`
	Command string    `json:"command"`
	Started time.Time `json:"started"`
	Ends    time.Time `json:"ends"` // by its budget; zero without one
}

// words describe the turn at a time.
func (t turn) words(now time.Time) string {
	if t.PID == 0 {
		return "another perftrack"
	}
	text := fmt.Sprintf("another perftrack: pid %d in %s, `%s`, begun %s", t.PID, t.Dir, t.Command, t.Started.Local().Format("15:04:05"))
	if left := t.Ends.Sub(now); !t.Ends.IsZero() && left > 0 {
		text += ", about " + reports.About(left) + " left at most"
	}
	return text
}

// readTurn returns the zero value where the file does not say whose turn it is.
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

// stillWaiting is how often somebody who waits is told that it goes on.
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
			a.Noticef("waiting for %s; Ctrl-C ends the wait", readTurn(f).words(at))
		case at.Sub(said) >= stillWaiting:
			said = at
			a.Noticef("still waiting, for %v now: for %s", at.Sub(began).Round(time.Second), readTurn(f).words(at))
		}
	})
	if ctx.Err() != nil {
		return func() {}, errors.Join(ctx.Err(), f.Close())
	}
	var waited time.Duration
	if !began.IsZero() {
		waited = a.Now().Sub(began)
		a.Noticef("the wait is over, after %v", waited.Round(time.Second))
	}
	note(waited)
	if err != nil { // a file system without locks
		return func() {}, f.Close()
	}
	_ = own.write(f) // for others to read: the lock does without
	return func() { _ = f.Truncate(0); _ = f.Close() }, nil
}

// openLock opens the file by which measurements exclude each other, nil where there is no place for it.
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
