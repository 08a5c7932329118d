package workspace

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"sync"
	"time"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/fault"
	"github.com/perftrack/perftrack/runner"
	"github.com/perftrack/perftrack/runner/config"
	"github.com/perftrack/perftrack/runner/gitrepo"
	"github.com/perftrack/perftrack/store"
)

// A Session is one invocation of perftrack in one directory.
type Session struct {
	Dir     string // current directory
	Stdin   io.Reader
	DB      string // value of --db or PERFTRACK_DB; "" means the default
	Version string // version of perftrack, recorded with every run
	Commit  string // commit of the binary, or "" if unknown
	// CommitDirty reports whether the binary was built with uncommitted changes.
	CommitDirty bool
	Command     string           // command line, shown to waiting processes
	Engine      []string         // command of the built-in benchmark program
	Now         func() time.Time // the clock
	Rand        *rand.Rand       // source of random decisions and ids
	// Sleep waits between two attempts. It returns nil after the full duration. If Sleep is nil,
	// [Session.Pause] waits in real time.
	Sleep func(context.Context, time.Duration) error
	// Threshold and Alpha, from the command line, replace the configured values for judging trials
	// unless they are 0. They do not affect stored data.
	Threshold, Alpha float64
	// Reading is called to report progress while many runs are being read. It may be nil.
	Reading func(doing string, done, of int)
	// Progress is called before each process, Milestone with intermediate results, and Notice with
	// messages outside reports. Each of them may be nil.
	Progress  func(runner.Progress)
	Milestone func(string)
	Notice    func(string)

	// Beside holds the CPUs on which a worker measures beside other workers of this machine. It is
	// nil for everybody else, who measures alone.
	Beside []int

	// Cache is the folder for cached results, or "" for no cache.
	Cache string

	Wrote     bool        // whether the database was opened for writing
	databases []*store.DB // opened databases, see Damaged
	repo      openedRepo
	turn      held // this session's turn to measure, see TakeTurn
}

// Noticef prints a message outside reports.
func (a *Session) Noticef(format string, args ...any) {
	if a.Notice != nil {
		a.Notice(fmt.Sprintf(format, args...))
	}
}

// Counting returns a function that reports progress to the user. The caller must call the function,
// from any goroutine, after each part of a task. doing describes the task, and of is the number of
// its parts.
func (a *Session) Counting(doing string, of int) (did func()) {
	var counting sync.Mutex
	done := 0
	return func() {
		counting.Lock()
		defer counting.Unlock()
		if done++; a.Reading != nil {
			a.Reading(doing, done, of)
		}
	}
}

// Milestonef prints an intermediate result for users who do not see a status line.
func (a *Session) Milestonef(format string, args ...any) {
	if a.Milestone != nil {
		a.Milestone(fmt.Sprintf(format, args...))
	}
}

// Pause waits for d. If ctx ends first, it returns ctx's error.
func (a *Session) Pause(ctx context.Context, d time.Duration) error {
	if a.Sleep != nil {
		return a.Sleep(ctx, d)
	}
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(d):
		return nil
	}
}

// Repository opens the git repository of Dir, unless the session has already opened it.
func (a *Session) Repository(ctx context.Context) (*gitrepo.Repo, error) {
	if a.repo.dir != a.Dir || a.repo.Repo == nil {
		repo, err := gitrepo.Open(ctx, a.Dir)
		if err != nil {
			return nil, err
		}
		a.repo = openedRepo{repo, a.Dir}
	}
	return a.repo.Repo, nil
}

type openedRepo struct {
	*gitrepo.Repo
	dir string // directory for opening the repository
}

// Locate returns the user's place with its configuration.
func (a *Session) Locate(ctx context.Context) (Place, error) {
	p, top := a.LocateUnconfigured(ctx)
	if path, ok := config.Find(a.Dir, top); ok {
		err := p.configure(path)
		return p, err
	}
	return p, nil
}

// LocateUnconfigured is like [Session.Locate] but does not read the configuration. It also returns
// the topmost directory to search for a configuration file.
func (a *Session) LocateUnconfigured(ctx context.Context) (p Place, top string) {
	p = Place{Dir: a.Dir, Config: config.Default()}
	repo, err := a.Repository(ctx)
	top = a.Dir
	switch {
	case err == nil:
		p.Repo, top = repo, repo.Root()
	case !errors.Is(err, gitrepo.ErrNotRepository):
		p.RepoErr = fault.Git(err) // reported only by commands that need a revision
	}
	return p, top
}
