package app

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"

	"github.com/perftrack/perftrack/runner/config"
	"github.com/perftrack/perftrack/runner/gitrepo"
	"github.com/perftrack/perftrack/runner/gitrepo/worktree"
)

// atBadEnd returns where the user stands with the configuration of the bad end of a
// bisection, and the same place in a checkout of that commit, which remove removes. git
// moves the work tree at each step, to commits that may lack the configuration, the
// module or the benchmark; what is measured must not change with them.
func atBadEnd(ctx context.Context, a *App, where place, bad gitrepo.Commit) (_, ground place, remove func() error, err error) {
	if err := worktree.Prune(ctx, where.repo); err != nil {
		a.notice("%v", err)
	}
	w, err := worktree.Add(ctx, where.repo, bad)
	if err != nil {
		return where, ground, nil, &Error{Kind: "git", Err: err}
	}
	remove = func() error { return w.Remove(ctx) }
	if err = configureAt(ctx, &where, bad); err == nil {
		ground, err = where.in(w.Dir)
	}
	if err == nil {
		if _, err = os.Stat(ground.moduleDir()); err != nil {
			err = usagef("the bad end %.12s has no directory %s: stand in one that it has", bad.SHA, where.moduleDir())
		}
	}
	if err != nil {
		return where, ground, nil, errors.Join(err, remove())
	}
	return where, ground, remove, nil
}

// configureAt takes the configuration that a commit has here. Where it has none, that of
// the work tree holds if git does not know it: no step takes it away.
func configureAt(ctx context.Context, p *place, c gitrepo.Commit) error {
	dir, err := p.inRepo(p.dir)
	if err != nil {
		return err
	}
	name, text, err := configFile(ctx, *p, c, dir)
	if err != nil {
		return err
	}
	if name != "" {
		p.configPath = filepath.Join(p.repo.Root(), filepath.FromSlash(name))
		if p.config, err = config.Parse(text, fmt.Sprintf("%.12s:%s", c.SHA, name)); err != nil {
			return &Error{Kind: "config", Err: err}
		}
		return nil
	}
	p.config = config.Default()
	path, ok := config.Find(p.dir, p.repo.Root())
	if !ok {
		return nil
	}
	here, err := p.repo.Resolve(ctx, "HEAD")
	if err != nil {
		return &Error{Kind: "git", Err: err}
	}
	if name, _, err = configFile(ctx, *p, here, dir); err != nil || name != "" {
		return err
	}
	return p.configure(path)
}

// configFile finds the configuration of a commit for a directory, relative to the root of
// the repository, as [config.Find] does in files; name is "" where there is none.
func configFile(ctx context.Context, p place, c gitrepo.Commit, dir string) (name string, text []byte, err error) {
	for dir = filepath.ToSlash(dir); ; dir = path.Dir(dir) {
		name = path.Join(dir, config.FileName)
		text, ok, err := p.repo.File(ctx, c, name, config.MaxSize)
		if err != nil {
			return "", nil, &Error{Kind: "git", Err: err}
		}
		if ok {
			return name, text, nil
		}
		if dir == "." {
			return "", nil, nil
		}
	}
}

// in returns the place in a checkout of its repository.
func (p place) in(checkout string) (place, error) {
	dir, err := p.inRepo(p.dir)
	if err != nil {
		return p, err
	}
	p.dir = filepath.Join(checkout, dir)
	if p.configPath != "" {
		if dir, err = p.inRepo(filepath.Dir(p.configPath)); err != nil {
			return p, err
		}
		p.configPath = filepath.Join(checkout, dir, config.FileName)
	}
	return p, nil
}
