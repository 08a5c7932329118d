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
	Dir     string // where the user stands
	Stdin   io.Reader
	DB      string // --db or PERFTRACK_DB; "" is the default place
	Version string // recorded with every run
	Commit  string // commit that the binary was built from, "" when unknown
	// CommitDirty says that the binary was not built from Commit alone.
	CommitDirty bool
	Command     string           // as it was typed, for others who wait for it
	Engine      []string         // command that runs the built-in benchmark program
	Now         func() time.Time // the clock
	Rand        *rand.Rand       // coin flips and names
	// Sleep waits between two tries, nil as long as it is told.
	Sleep func(context.Context, time.Duration) error
	// Threshold of all benchmarks and Alpha, from the command line, take the place of what
	// trials are judged by in this invocation; 0 leaves that. Nothing that is stored
	// depends on them.
	Threshold, Alpha float64
	// Reading is called while much that is stored is read: what is done, and how much of it.
	Reading func(doing string, done, of int)
	// Progress is called before each process, Milestone when something was decided on the way,
	// Notice for what the user should know but no report shows. All four may be nil.
	Progress  func(runner.Progress)
	Milestone func(string)
	Notice    func(string)

	// Cache is the folder for what later invocations need not find out again; "" for none.
	Cache string

	databases []*store.DB // that were opened: see Damaged
	repo      openedRepo
	turn      held // to measure: see TakeTurn
}

// Noticef tells the user, on stderr, what no report shows.
func (a *Session) Noticef(format string, args ...any) {
	if a.Notice != nil {
		a.Notice(fmt.Sprintf(format, args...))
	}
}

// Counting returns a function for work that is done in parts: it is called after each of them, by
// several goroutines even, and tells the user how far the work is.
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

// Milestonef says where a measurement stands, to who sees no status line.
func (a *Session) Milestonef(format string, args ...any) {
	if a.Milestone != nil {
		a.Milestone(fmt.Sprintf(format, args...))
	}
}

// Pause waits for d, or for the end of ctx, whose error it returns.
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

// Repository opens the git repository around Dir, once in an invocation.
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
	dir string // where it was looked for
}

// Locate finds the place in which the user stands, with the configuration there.
func (a *Session) Locate(ctx context.Context) (Place, error) {
	p, top := a.LocateUnconfigured(ctx)
	if path, ok := config.Find(a.Dir, top); ok {
		err := p.configure(path)
		return p, err
	}
	return p, nil
}

// LocateUnconfigured is [Session.Locate] without reading the configuration. It also returns
// the topmost directory in which a configuration is looked for.
func (a *Session) LocateUnconfigured(ctx context.Context) (p Place, top string) {
	p = Place{Dir: a.Dir, Config: config.Default()}
	repo, err := a.Repository(ctx)
	top = a.Dir
	switch {
	case err == nil:
		p.Repo, top = repo, repo.Root()
	case !errors.Is(err, gitrepo.ErrNotRepository):
		p.RepoErr = fault.Git(err) // whoever needs no revision need not mind
	}
	return p, top
}
