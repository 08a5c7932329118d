package workspace

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"

	"github.com/perftrack/perftrack/reports"
	"github.com/perftrack/perftrack/runner/flock"
	"github.com/perftrack/perftrack/runner/format"
	"github.com/perftrack/perftrack/runner/record"
	"github.com/perftrack/perftrack/store"
)

// A Journal holds the finished rounds of a measurement that goes on, so that even
// the death of perftrack loses no more than the round under way. The next
// perftrack that opens the database stores what it finds as partial.
type Journal struct {
	Path  string
	lock  *os.File // held while the owner lives; the kernel drops it with the process
	keys  []string // configuration keys written so far
	named bool     // its name is on the disk
	whole int      // rounds that are
}

const (
	journalEnding = ".bench"
	lockEnding    = ".lock"
	// RoundMark ends each round in a journal. What follows the last one was cut
	// off by a crash.
	RoundMark = "# round written\n"
)

// JournalDir returns the folder in which the journals for a database are.
func JournalDir(database string) string { return database + "-journal.d" }

// NewJournal makes a journal beside the database. It is locked before any other process can
// see it.
func (a *Session) NewJournal(database string) (*Journal, error) {
	dir := JournalDir(database)
	name := fmt.Sprintf("%s-%08x", a.Now().UTC().Format("20060102T150405"), a.Rand.Uint32())
	path := filepath.Join(dir, name+journalEnding)
	for tries := 0; ; tries++ {
		lock, err := newLock(dir, path+lockEnding)
		if err == nil {
			return &Journal{Path: path, lock: lock}, nil
		}
		// Another perftrack may just have removed the directory that it was the
		// last to use, or be looking whether the owner of a new lock is dead.
		passing := errors.Is(err, fs.ErrNotExist) || errors.Is(err, fs.ErrExist) || errors.Is(err, errTaken)
		if tries == 100 || !passing {
			return nil, fmt.Errorf("create journal: %w", err)
		}
	}
}

// errTaken says that another perftrack looks whether the owner of a new lock is dead.
var errTaken = errors.New("another perftrack holds the lock")

func newLock(dir, path string) (*os.File, error) {
	_, missing := os.Lstat(dir)
	err := os.MkdirAll(dir, 0o755)
	if err == nil && missing != nil {
		err = syncFolder(filepath.Dir(dir))
	}
	if err != nil {
		return nil, err
	}
	f, err := os.CreateTemp(dir, ".new-*")
	if err != nil {
		return nil, err
	}
	if free, err := flock.Try(f); err != nil || !free {
		if err == nil {
			err = errTaken
		}
		return nil, errors.Join(err, remove(f.Name()), f.Close())
	}
	if err := os.Rename(f.Name(), path); err != nil {
		return nil, errors.Join(err, remove(f.Name()), f.Close())
	}
	return f, nil
}

// Write adds one round to the journal, safe from a crash when it returns.
func (j *Journal) Write(round []*record.Run) error {
	var buf bytes.Buffer
	for _, r := range round {
		// A fresh writer each time, over a configuration that is empty again:
		// chunks with the same header are read as one run.
		for _, key := range j.keys {
			fmt.Fprintf(&buf, "%s:\n", key)
		}
		start := buf.Len()
		if err := record.NewWriter(&buf).Write(r); err != nil {
			return err
		}
		j.addKeys(buf.Bytes()[start:])
	}
	buf.WriteString(RoundMark)
	f, err := os.OpenFile(j.Path, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o644)
	if err != nil {
		return fmt.Errorf("write journal: %w", err)
	}
	_, err = f.Write(buf.Bytes())
	err = errors.Join(err, f.Sync(), f.Close())
	if !j.named { // a file that no folder on the disk has is lost in a power cut
		err = errors.Join(err, syncFolder(filepath.Dir(j.Path)))
		j.named = true
	}
	if err != nil {
		return fmt.Errorf("write journal: %w", err)
	}
	j.whole++
	return nil
}

// Kept says what became of a measurement that could not be stored.
func (j *Journal) Kept() string {
	if j.whole == 0 {
		return "no round of what was measured could be kept"
	}
	return fmt.Sprintf("what was measured (%s) stays in %s, and the next perftrack that can write there stores it as partial", reports.Plural(j.whole, "round"), j.Path)
}

// syncFolder brings the names of a folder's files onto the disk, where the file
// system can do that.
func syncFolder(dir string) error {
	f, err := os.Open(dir)
	if err != nil {
		return err
	}
	err = f.Sync()
	if errors.Is(err, syscall.EINVAL) || errors.Is(err, errors.ErrUnsupported) {
		err = nil
	}
	return errors.Join(err, f.Close())
}

var configLine = regexp.MustCompile(`(?m)^([a-z][^\s:]*): `)

func (j *Journal) addKeys(text []byte) {
	for _, m := range configLine.FindAllSubmatch(text, -1) {
		if key := string(m[1]); !slices.Contains(j.keys, key) {
			j.keys = append(j.keys, key)
		}
	}
}

// Close removes the journal: its runs are stored, or there are none.
func (j *Journal) Close() error {
	err := errors.Join(remove(j.Path), remove(j.Path+lockEnding), j.lock.Close())
	_ = os.Remove(filepath.Dir(j.Path)) // stays while another measurement is using it
	return err
}

// remove removes a file that may be gone already.
func remove(path string) error {
	if err := os.Remove(path); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// deadJournals returns the journals whose owners are dead, locked by us now.
func deadJournals(database string) (dead []*Journal, err error) {
	dir := JournalDir(database)
	entries, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("look for journals: %w", err)
	}
	for _, e := range entries {
		j, err := claim(dir, e.Name())
		if err != nil {
			release(dead)
			return nil, fmt.Errorf("look for journals: %w", err)
		}
		if j != nil {
			dead = append(dead, j)
		}
	}
	return dead, nil
}

// claim returns the journal that a file in the folder of journals stands for, locked by us,
// if its owner is dead; nil if it lives, or the file is none of its.
func claim(dir, file string) (*Journal, error) {
	name := filepath.Join(dir, file)
	if strings.HasSuffix(name, journalEnding) {
		return adopt(name)
	}
	path, isLock := strings.CutSuffix(name, lockEnding)
	if !isLock && !strings.HasPrefix(file, ".new-") {
		return nil, nil
	}
	lock, err := os.Open(name)
	if err != nil {
		return nil, nil // its owner, or another perftrack, was faster
	}
	if free, _ := flock.Try(lock); !free || !isNamed(lock, name) {
		_ = lock.Close() // still measuring, or its owner removed it meanwhile
		return nil, nil
	}
	if !isLock { // died before its lock had a name
		return nil, errors.Join(remove(name), lock.Close())
	}
	return &Journal{Path: path, lock: lock}, nil
}

// release leaves journals to the next perftrack.
func release(journals []*Journal) {
	for _, j := range journals {
		_ = j.lock.Close()
	}
}

// isNamed reports whether the open file still has the name.
func isNamed(f *os.File, name string) bool {
	have, err := f.Stat()
	if err != nil {
		return false
	}
	now, err := os.Stat(name)
	return err == nil && os.SameFile(have, now)
}

// recoverJournals stores the runs of journals whose owner is dead.
func (a *Session) recoverJournals(ctx context.Context, db *store.DB, dead []*Journal) (err error) {
	for i, j := range dead {
		if err = a.recoverJournal(ctx, db, j); err != nil {
			release(dead[i:])
			return fmt.Errorf("recover %s: %w", j.Path, err)
		}
	}
	return nil
}

func (a *Session) recoverJournal(ctx context.Context, db *store.DB, j *Journal) error {
	text, err := os.ReadFile(j.Path)
	if errors.Is(err, fs.ErrNotExist) {
		return j.Close() // died before its first round
	}
	if err != nil {
		return err
	}
	runs, err := readJournal(j.Path, text)
	if err != nil {
		// It must not stand in the way of every later command, nor be lost.
		aside := j.Path + ".damaged"
		a.Noticef("%s cannot be read, it is kept as %s: %v", j.Path, aside, err)
		return errors.Join(os.Rename(j.Path, aside), j.Close())
	}
	for _, r := range runs {
		if stored, err := isStored(ctx, db, r); err != nil {
			return err
		} else if stored {
			continue // its owner died between that and the end of the journal
		}
		id, added, err := db.Put(ctx, r)
		if err != nil {
			return err
		}
		if added {
			a.Noticef("recovered run %s of %s (%d rounds): perftrack was killed while measuring, or could not store it", record.ShortHash(id), r.Target, r.Rounds())
		}
	}
	return j.Close()
}

// readJournal returns the runs of the rounds that were written whole.
func readJournal(name string, text []byte) ([]*record.Run, error) {
	// Each round stands for itself, and is read for itself: all of them may be more than an
	// input may be. What follows the last mark was cut off.
	var b record.Builder
	start, end, rounds := 0, 0, 0
	for line := range bytes.Lines(text) {
		if end += len(line); string(line) != RoundMark {
			continue
		}
		rounds++
		if err := format.Read("gobench", text[start:end], fmt.Sprintf("%s: round %d", name, rounds), b.Add); err != nil {
			return nil, err
		}
		start = end
	}
	runs, err := b.Runs()
	if err != nil {
		return nil, err
	}
	for _, r := range runs {
		if r.Target == "" {
			return nil, errors.New("a run without a target")
		}
		r.Status = record.Partial
	}
	return runs, nil
}
