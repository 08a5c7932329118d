package workspace

import (
	"context"
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/fault"
	"github.com/perftrack/perftrack/runner/config"
	"github.com/perftrack/perftrack/runner/gitrepo"
	"github.com/perftrack/perftrack/runner/record"
)

// ConfigureAt reads the configuration at a commit. If the commit has no configuration, an
// uncommitted one in the work tree applies, because a checkout would leave it in place.
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

// RulesAt reads the configuration at a revision instead of the one in the work tree, because a
// change must not loosen its own rules. If the revision has no configuration, found is false and
// rules contains the defaults.
func (p Place) RulesAt(ctx context.Context, rev string) (rules *config.Config, found bool, err error) {
	at, err := p.Repo.Resolve(ctx, rev)
	if err != nil {
		return nil, false, fault.Git(err)
	}
	dir, err := p.InRepo(p.ConfigDir())
	if err != nil {
		return nil, false, err
	}
	name := path.Join(filepath.ToSlash(dir), config.FileName)
	text, found, err := p.Repo.File(ctx, at, name, config.MaxSize)
	if err != nil {
		return nil, false, fault.Git(err)
	}
	if !found {
		return config.Default(), false, nil
	}
	if rules, err = config.Parse(text, fmt.Sprintf("%s:%s", record.ShortHash(at.SHA), name)); err != nil {
		return nil, true, fault.Config(fmt.Errorf("base branch: %w", err))
	}
	return rules, true, nil
}

// Obey limits benchmarks by the base's configuration, rules: it applies the base's isolation, its
// list of environment variables and its paths, which decide whether a target is measured. It returns
// the place and the targets with these limits.
func (p Place) Obey(rules *config.Config, targets []config.Target, notice func(format string, args ...any)) (Place, []config.Target) {
	if rules.Defaults.Isolate && !p.Config.Defaults.Isolate {
		own := *p.Config
		own.Defaults.Isolate = true
		p.Config = &own
	}
	targets = slices.Clone(targets)
	for i, t := range targets {
		var withheld []string
		if targets[i].Env, withheld = rules.Lets(t); len(withheld) > 0 {
			notice("target %s does not get %s, because env in the base's %s does not list it", t.Name, strings.Join(withheld, ", "), config.FileName)
		}
		targets[i].Paths = rules.PathsOf(t)
	}
	return p, targets
}

// BaseLayouts returns the targets with the layout modes of rules, the base's configuration, except
// where head declares its own. Otherwise, a change could turn its regressions into suspicions by
// dropping a layout mode.
func BaseLayouts(rules *config.Config, targets []config.Target) []config.Target {
	targets = slices.Clone(targets)
	for i, t := range targets {
		was, ok := FindTarget(rules.Targets, t.Name)
		if ok && was.Kind == t.Kind && t.LayoutMode() == config.LayoutDefault && was.LayoutMode() != config.LayoutDefault {
			targets[i].Layout = was.LayoutMode()
		}
	}
	return targets
}

// configFile finds the configuration file for dir at a commit, by the rules of [config.Find]. dir
// is relative to the root of the repository. name is "" without a file.
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

// In returns the same place in a checkout of the repository in another directory.
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
