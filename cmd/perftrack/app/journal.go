package app

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/sys/unix"

	"github.com/perftrack/perftrack/runner/format"
	"github.com/perftrack/perftrack/store"
)

// A journal is the text of a measurement's runs on disk while it goes on, so
// that even the death of perftrack loses no more than the round under way. The
// next perftrack that opens the database stores what it finds as partial.
type journal struct {
	path string
	lock *os.File // held while the owner lives; the kernel drops it with the process
}

func journalDir(database string) string { return database + "-journal.d" }

func (a *App) newJournal(database string) (*journal, error) {
	dir := journalDir(database)
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, fmt.Errorf("create journal: %w", err)
	}
	name := fmt.Sprintf("%s-%08x", a.Now().UTC().Format("20060102T150405"), a.Rand.Uint32())
	path := filepath.Join(dir, name+".bench")
	lock, err := os.OpenFile(path+".lock", os.O_CREATE|os.O_RDWR|os.O_EXCL, 0o644)
	if err != nil {
		return nil, fmt.Errorf("create journal: %w", err)
	}
	if err := unix.Flock(int(lock.Fd()), unix.LOCK_EX|unix.LOCK_NB); err != nil {
		return nil, fmt.Errorf("lock journal %s: %w", path, errors.Join(err, lock.Close()))
	}
	return &journal{path, lock}, nil
}

// write replaces the journal's text by the runs as they stand.
func (j *journal) write(runs []*store.Run) error {
	var buf bytes.Buffer
	w := store.NewWriter(&buf)
	for _, r := range runs {
		if err := w.Write(r); err != nil {
			return err
		}
	}
	return writeDurably(j.path, buf.Bytes())
}

// close removes the journal: its runs are stored, or there are none.
func (j *journal) close() error {
	err := errors.Join(remove(j.path), remove(j.lock.Name()), j.lock.Close())
	_ = os.Remove(filepath.Dir(j.path)) // stays while another measurement is using it
	return err
}

// remove removes a file that may be gone already.
func remove(path string) error {
	if err := os.Remove(path); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// recoverJournals stores the runs of journals whose owner is dead.
func (a *App) recoverJournals(ctx context.Context, db *store.DB, database string) error {
	locks, err := filepath.Glob(filepath.Join(journalDir(database), "*.lock"))
	if err != nil {
		return fmt.Errorf("look for journals: %w", err)
	}
	for _, name := range locks {
		if err := a.recoverJournal(ctx, db, name); err != nil {
			return fmt.Errorf("recover %s: %w", strings.TrimSuffix(name, ".lock"), err)
		}
	}
	return nil
}

func (a *App) recoverJournal(ctx context.Context, db *store.DB, lockName string) error {
	lock, err := os.OpenFile(lockName, os.O_RDWR, 0)
	if errors.Is(err, fs.ErrNotExist) {
		return nil // its owner, or another perftrack, was faster
	}
	if err != nil {
		return err
	}
	if unix.Flock(int(lock.Fd()), unix.LOCK_EX|unix.LOCK_NB) != nil {
		return lock.Close() // still measuring
	}
	j := &journal{strings.TrimSuffix(lockName, ".lock"), lock}
	text, err := os.ReadFile(j.path)
	if errors.Is(err, fs.ErrNotExist) {
		return j.close() // died before its first round
	}
	if err != nil {
		return errors.Join(err, lock.Close())
	}
	runs, err := readJournal(j.path, text)
	if err != nil {
		// It must not stand in the way of every later command, nor be lost.
		aside := j.path + ".damaged"
		a.notice("%s cannot be read, it is kept as %s: %v", j.path, aside, err)
		return errors.Join(os.Rename(j.path, aside), j.close())
	}
	for _, r := range runs {
		r.Status = store.Partial
		id, added, err := db.Put(ctx, r)
		if err != nil {
			return errors.Join(err, lock.Close())
		}
		if added {
			a.notice("recovered run %.12s of %s (%d rounds): perftrack had been killed while measuring", id, r.Target, r.Rounds())
		}
	}
	return j.close()
}

func readJournal(name string, text []byte) ([]*store.Run, error) {
	var b store.Builder
	if err := format.Read("gobench", text, name, b.Add); err != nil {
		return nil, err
	}
	return b.Runs()
}

// writeDurably replaces the file in one step that survives a crash.
func writeDurably(path string, data []byte) (err error) {
	tmp, err := os.CreateTemp(filepath.Dir(path), ".tmp-*")
	if err != nil {
		return fmt.Errorf("write %s: %w", path, err)
	}
	defer func() {
		if err != nil {
			err = fmt.Errorf("write %s: %w", path, errors.Join(err, os.Remove(tmp.Name())))
		}
	}()
	if _, err := tmp.Write(data); err != nil {
		return errors.Join(err, tmp.Close())
	}
	if err := errors.Join(tmp.Sync(), tmp.Close()); err != nil {
		return err
	}
	return os.Rename(tmp.Name(), path)
}
