package workspace

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/fault"
	"github.com/perftrack/perftrack/reports"
	"github.com/perftrack/perftrack/runner/flock"
	"github.com/perftrack/perftrack/store"
)

// OpenForMeasuring waits until no other perftrack of this user is measuring, and opens
// the database. closeAll closes it and lets the next one measure. Budget is the longest time of
// what is measured, to which the wait counts; 0 is no limit.
func (a *Session) OpenForMeasuring(ctx context.Context, budget time.Duration) (db *store.DB, path string, closeAll func() error, err error) {
	unlock, err := a.lockMeasuring(ctx, budget)
	if err != nil {
		return nil, "", nil, err
	}
	if db, path, err = a.OpenForWriting(ctx); err != nil {
		unlock()
		return nil, "", nil, err
	}
	return db, path, func() error { defer unlock(); return db.Close() }, nil
}

// OpenForCounting opens the database for a measurement of counts, which no other disturbs: it waits
// for nobody.
func (a *Session) OpenForCounting(ctx context.Context) (db *store.DB, path string, closeAll func() error, err error) {
	if db, path, err = a.OpenForWriting(ctx); err != nil {
		return nil, "", nil, err
	}
	return db, path, db.Close, nil
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

// lockMeasuring waits until no other perftrack of this user is measuring: two
// measurements at once would be each other's noise.
func (a *Session) lockMeasuring(ctx context.Context, budget time.Duration) (unlock func(), err error) {
	cache, err := os.UserCacheDir()
	if err != nil {
		return func() {}, nil // nowhere to meet the others
	}
	dir := filepath.Join(cache, "perftrack")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return func() {}, nil
	}
	f, err := os.OpenFile(filepath.Join(dir, "measuring.lock"), os.O_CREATE|os.O_RDWR, 0o644)
	if err != nil {
		return func() {}, nil
	}
	own := turn{PID: os.Getpid(), Dir: a.Dir, Command: a.Command, Started: a.Now()}
	waiting, cancel := ctx, context.CancelFunc(func() {})
	if budget > 0 {
		own.Ends = own.Started.Add(budget)
		waiting, cancel = context.WithTimeout(ctx, budget)
	}
	defer cancel()
	var began, said time.Time
	err = flock.Wait(waiting, f, func() {
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
	if err == nil && !began.IsZero() {
		a.Noticef("the wait is over, after %v", a.Now().Sub(began).Round(time.Second))
	}
	switch {
	case err == nil:
		_ = own.write(f) // for others to read: the lock does without
		return func() { _ = f.Truncate(0); _ = f.Close() }, nil
	case ctx.Err() != nil:
	case errors.Is(err, context.DeadlineExceeded):
		err = fault.Usagef("nothing was measured: the budget of %v ended while waiting for %s", budget, readTurn(f).words(a.Now()))
	default:
		err = nil // a file system without locks
	}
	return func() {}, errors.Join(err, f.Close())
}
