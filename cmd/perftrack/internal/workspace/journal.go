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
	"github.com/perftrack/perftrack/runner/record/decode"
	"github.com/perftrack/perftrack/store"
)

// A Journal keeps the finished rounds of a running measurement, so a killed perftrack loses only
// the current round. The next perftrack with this database stores the rounds in the journal as a
// partial run.
type Journal struct {
	Path  string
	lock  *os.File // held while the owner is alive; the kernel releases the lock when the process ends
	keys  []string // configuration keys written so far
	named bool     // whether the file's entry in the folder is on disk
	whole int      // number of complete rounds written
}

const (
	journalEnding = ".bench"
	lockEnding    = ".lock"
	// RoundMark ends each round in a journal. Text after the last mark belongs to an incomplete
	// round.
	RoundMark = "# round written\n"
)

// JournalDir returns the folder for a database's journals.
func JournalDir(database string) string { return database + "-journal.d" }

// NewJournal creates a journal next to the database. The journal is locked before any other process
// can see it.
func (a *Session) NewJournal(database string) (*Journal, error) {
	dir := JournalDir(database)
	name := fmt.Sprintf("%s-%08x", a.Now().UTC().Format("20060102T150405"), a.Rand.Uint32())
	path := filepath.Join(dir, name+journalEnding)
	for tries := 0; ; tries++ {
		lock, err := newLock(dir, path+lockEnding)
		if err == nil {
			return &Journal{Path: path, lock: lock}, nil
		}
		// Try again, because another perftrack may just have removed the folder, or it may be
		// checking whether the owner of the new lock is dead.
		passing := errors.Is(err, fs.ErrNotExist) || errors.Is(err, fs.ErrExist) || errors.Is(err, errTaken)
		if tries == 100 || !passing {
			return nil, fmt.Errorf("create journal: %w", err)
		}
	}
}

// errTaken is returned if another perftrack holds a new lock while it checks whether the lock's
// owner is dead.
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

// Write appends one round to the journal. If it returns nil, the round will survive a crash.
func (j *Journal) Write(round []*record.Run) error {
	var buf bytes.Buffer
	for _, r := range round {
		// Reset the keys and use a new writer for each round. Chunks with the same header are read
		// as one run.
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
	if !j.named { // if the folder were not synced, the file could be lost in a power failure
		err = errors.Join(err, syncFolder(filepath.Dir(j.Path)))
		j.named = true
	}
	if err != nil {
		return fmt.Errorf("write journal: %w", err)
	}
	j.whole++
	return nil
}

// Kept describes where the rounds of an unstored measurement are saved.
func (j *Journal) Kept() string {
	if j.whole == 0 {
		return "no round could be saved"
	}
	return fmt.Sprintf("%s saved in %s: the next perftrack that can write to the database stores them as a partial run", reports.Plural(j.whole, "round"), j.Path)
}

// syncFolder syncs the entries of a folder to disk if the file system supports it.
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

// Close removes the journal. It must be called only if the journal has no unstored runs.
func (j *Journal) Close() error {
	err := errors.Join(remove(j.Path), remove(j.Path+lockEnding), j.lock.Close())
	_ = os.Remove(filepath.Dir(j.Path)) // fails while another measurement uses the folder
	return err
}

// remove removes a file. It is not an error if the file does not exist.
func remove(path string) error {
	if err := os.Remove(path); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// deadJournals returns the journals of dead owners. This process then holds the locks of the
// journals.
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

// claim locks and returns the journal of a file in the journal folder. It returns nil if the
// journal's owner is alive or the file does not belong to a journal that can be claimed.
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
		return nil, nil // the lock's owner or another perftrack has just removed it
	}
	if free, _ := flock.Try(lock); !free || !isNamed(lock, name) {
		_ = lock.Close() // the lock's owner is measuring or has just removed it
		return nil, nil
	}
	if !isLock { // the lock's owner died before renaming it
		return nil, errors.Join(remove(name), lock.Close())
	}
	return &Journal{Path: path, lock: lock}, nil
}

// release unlocks journals, so the next perftrack can recover them.
func release(journals []*Journal) {
	for _, j := range journals {
		_ = j.lock.Close()
	}
}

// isNamed reports whether name still refers to the open file f.
func isNamed(f *os.File, name string) bool {
	have, err := f.Stat()
	if err != nil {
		return false
	}
	now, err := os.Stat(name)
	return err == nil && os.SameFile(have, now)
}

// recoverJournals stores the runs in dead journals and removes the journals.
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
		return j.Close() // the journal's owner died before finishing a round
	}
	if err != nil {
		return err
	}
	runs, err := readJournal(j.Path, text)
	if err != nil {
		// The journal must not make every later command fail, but it must not be lost either.
		aside := j.Path + ".damaged"
		a.Noticef("cannot read journal %s (kept as %s): %v", j.Path, aside, err)
		return errors.Join(os.Rename(j.Path, aside), j.Close())
	}
	for _, r := range runs {
		if stored, err := isStored(ctx, db, r); err != nil {
			return err
		} else if stored {
			continue // the journal's owner died before removing it
		}
		id, added, err := db.Put(ctx, r)
		if err != nil {
			return err
		}
		if added {
			a.Noticef("recovered run %s of %s (%d rounds): perftrack was killed or could not store it", record.ShortHash(id), r.Target, r.Rounds())
		}
	}
	return j.Close()
}

// readJournal returns the partial runs with all complete rounds in a journal.
func readJournal(name string, text []byte) ([]*record.Run, error) {
	// Read each round separately, because all rounds together may exceed the limits for an input.
	// Text after the last mark belongs to an incomplete round.
	var b decode.Builder
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
			return nil, errors.New("the run has no target")
		}
		r.Status = record.Partial
	}
	return runs, nil
}
