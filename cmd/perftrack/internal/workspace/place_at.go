package workspace

import (
	"context"
	"fmt"
	"path"
	"path/filepath"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/fault"
	"github.com/perftrack/perftrack/runner/config"
	"github.com/perftrack/perftrack/runner/gitrepo"
	"github.com/perftrack/perftrack/runner/record"
)

// ConfigureAt reads the configuration as a commit has it. Where the commit has none, that of
// the work tree holds if it is not committed: then checking out a commit leaves it alone.
func ConfigureAt(ctx context.Context, p *Place, c gitrepo.Commit) error {
	dir, err := p.InRepo(p.Dir)
	if err != nil {
		return err
	}
	name, text, err := configFile(ctx, *p, c, dir)
	if err != nil {
		return err
	}
	if name != "" {
		p.ConfigPath = filepath.Join(p.Repo.Root(), filepath.FromSlash(name))
		if p.Config, err = config.Parse(text, fmt.Sprintf("%s:%s", record.ShortHash(c.SHA), name)); err != nil {
			return fault.Config(err)
		}
		return nil
	}
	p.Config = config.Default()
	path, ok := config.Find(p.Dir, p.Repo.Root())
	if !ok {
		return nil
	}
	here, err := p.Repo.Resolve(ctx, "HEAD")
	if err != nil {
		return fault.Git(err)
	}
	if name, _, err = configFile(ctx, *p, here, dir); err != nil || name != "" {
		return err
	}
	return p.configure(path)
}

// configFile finds the configuration of a commit for a directory, relative to the root of
// the repository, as [config.Find] does in files; name is "" where there is none.
func configFile(ctx context.Context, p Place, c gitrepo.Commit, dir string) (name string, text []byte, err error) {
	for dir = filepath.ToSlash(dir); ; dir = path.Dir(dir) {
		name = path.Join(dir, config.FileName)
		text, ok, err := p.Repo.File(ctx, c, name, config.MaxSize)
		if err != nil {
			return "", nil, fault.Git(err)
		}
		if ok {
			return name, text, nil
		}
		if dir == "." {
			return "", nil, nil
		}
	}
}

// In returns the same place in a checkout of its repository.
func (p Place) In(checkout string) (Place, error) {
	dir, err := p.InRepo(p.Dir)
	if err != nil {
		return p, err
	}
	p.Dir = filepath.Join(checkout, dir)
	if p.ConfigPath != "" {
		if dir, err = p.InRepo(filepath.Dir(p.ConfigPath)); err != nil {
			return p, err
		}
		p.ConfigPath = filepath.Join(checkout, dir, config.FileName)
	}
	return p, nil
}
