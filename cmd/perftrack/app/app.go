// Package app holds the use cases that need several parts of perftrack:
// measuring a target and storing its runs, finding the runs that a user's
// words mean, importing. It stands above the flow engine -> runner -> store ->
// compare -> reports and below the commands: it knows neither flags nor
// streams, and prints nothing.
package app

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"path/filepath"
	"time"

	"github.com/perftrack/perftrack/runner"
	"github.com/perftrack/perftrack/runner/config"
	"github.com/perftrack/perftrack/runner/gitrepo"
	"github.com/perftrack/perftrack/store"
)

// App is one invocation of perftrack in one directory.
type App struct {
	Dir     string // where the user stands
	Stdin   io.Reader
	DB      string // --db or PERFTRACK_DB; "" is the default place
	Version string // recorded with every run
	Commit  string // commit that the binary was built from, "" when unknown
	// CommitDirty says that the binary was not built from Commit alone.
	CommitDirty bool
	Engine      []string         // command that runs the built-in benchmark program
	Now         func() time.Time // the clock
	Rand        *rand.Rand       // coin flips and names
	// Progress is called before each process, Notice for what the user should
	// know but no report shows. Both may be nil.
	Progress func(runner.Progress)
	Notice   func(string)

	databases []*store.DB // that were opened, see Damaged
}

func (a *App) notice(format string, args ...any) {
	if a.Notice != nil {
		a.Notice(fmt.Sprintf(format, args...))
	}
}

// A place is where the user stands: a directory, perhaps in a git repository,
// perhaps with a configuration.
type place struct {
	dir        string
	repo       *gitrepo.Repo // nil outside a repository
	repoErr    error         // why there is none where git found something, such as a bare one
	config     *config.Config
	configPath string      // "" without a configuration file
	cpus       config.CPUs // that benchmarks are pinned to, see pin
}

func (a *App) place(ctx context.Context) (place, error) {
	p, top := a.unconfigured(ctx)
	if path, ok := config.Find(a.Dir, top); ok {
		err := p.configure(path)
		return p, err
	}
	return p, nil
}

// unconfigured returns where the user stands, whatever the configuration there says, and
// the top directory in which that may lie.
func (a *App) unconfigured(ctx context.Context) (p place, top string) {
	p = place{dir: a.Dir, config: config.Default()}
	repo, err := gitrepo.Open(ctx, a.Dir)
	top = a.Dir
	switch {
	case err == nil:
		p.repo, top = repo, repo.Root()
	case !errors.Is(err, gitrepo.ErrNotRepository):
		p.repoErr = &Error{Kind: "git", Err: err} // whoever needs no revision need not mind
	}
	return p, top
}

// configure reads the configuration.
func (p *place) configure(path string) (err error) {
	p.configPath = path
	if p.config, err = config.Load(path); err != nil {
		return &Error{Kind: "config", Err: err}
	}
	return nil
}

// needRepo is the error of what can only be done in a git repository, with the reason.
func (p place) needRepo(reason string) error {
	if p.repo != nil {
		return nil
	}
	return cmp.Or(p.repoErr, error(&Error{Kind: "git", Err: fmt.Errorf("%s is not in a git repository: %s", p.dir, reason)}))
}

// moduleDir is where targets stand in the work tree: beside the configuration that names
// them, else where the user does.
func (p place) moduleDir() string {
	if len(p.config.Targets) == 0 {
		return p.dir
	}
	return p.configDir()
}

// configDir is where the configuration is, or would be.
func (p place) configDir() string {
	if p.configPath != "" {
		return filepath.Dir(p.configPath)
	}
	return p.dir
}

// inRepo returns a directory's path from the root of the repository.
func (p place) inRepo(dir string) (string, error) {
	real, err := filepath.EvalSymlinks(dir) // as the repository's root is given
	if err != nil {
		return "", fmt.Errorf("find %s: %w", dir, err)
	}
	rel, err := filepath.Rel(p.repo.Root(), real)
	if err != nil {
		return "", fmt.Errorf("find %s in the repository: %w", dir, err)
	}
	return rel, nil
}

// An Error carries the class that stands in messages and in JSON error.kind.
type Error struct {
	Kind string // usage, config, build, data, io, git, budget
	Err  error
}

func (e *Error) Error() string { return e.Err.Error() }

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

func usagef(format string, args ...any) error {
	return &Error{Kind: "usage", Err: fmt.Errorf(format, args...)}
}

func dataError(err error) error { return &Error{Kind: "data", Err: err} }
