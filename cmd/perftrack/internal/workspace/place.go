package workspace

import (
	"cmp"
	"fmt"
	"path/filepath"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/fault"
	"github.com/perftrack/perftrack/runner/config"
	"github.com/perftrack/perftrack/runner/gitrepo"
)

// A Place is where the user stands: a directory, perhaps in a git repository,
// perhaps with a configuration.
type Place struct {
	Dir        string
	Repo       *gitrepo.Repo // nil outside a repository
	RepoErr    error         // why there is none where git found something, such as a bare one
	Config     *config.Config
	ConfigPath string      // "" without a configuration file
	CPUs       config.CPUs // that benchmarks are pinned to, see pin
}

// configure reads the configuration.
func (p *Place) configure(path string) (err error) {
	p.ConfigPath = path
	if p.Config, err = config.Load(path); err != nil {
		return fault.Config(err)
	}
	return nil
}

// NeedRepo is the error of what can only be done in a git repository, with the reason.
func (p Place) NeedRepo(reason string) error {
	if p.Repo != nil {
		return nil
	}
	return cmp.Or(p.RepoErr, error(fault.Git(fmt.Errorf("%s is not in a git repository: %s", p.Dir, reason))))
}

// ModuleDir is where targets stand in the work tree: beside the configuration that names
// them, else where the user does.
func (p Place) ModuleDir() string {
	if len(p.Config.Targets) == 0 {
		return p.Dir
	}
	return p.ConfigDir()
}

// ConfigDir is where the configuration is, or would be.
func (p Place) ConfigDir() string {
	if p.ConfigPath != "" {
		return filepath.Dir(p.ConfigPath)
	}
	return p.Dir
}

// InRepo returns a directory's path from the root of the repository.
func (p Place) InRepo(dir string) (string, error) {
	real, err := filepath.EvalSymlinks(dir) // as the repository's root is given
	if err != nil {
		return "", fmt.Errorf("find %s: %w", dir, err)
	}
	rel, err := filepath.Rel(p.Repo.Root(), real)
	if err != nil {
		return "", fmt.Errorf("find %s in the repository: %w", dir, err)
	}
	return rel, nil
}
