package workspace

import (
	"cmp"
	"fmt"
	"os"
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
	ConfigPath string       // "" without a configuration file
	CPUs       config.CPUs  // that benchmarks are pinned to: see Pin
	Procs      config.Procs // of the command line, for every target of Go packages: see SetProcs
}

// configure reads the configuration.
func (p *Place) configure(path string) (err error) {
	p.ConfigPath = path
	if p.Config, err = config.Load(path); err != nil {
		return fault.Config(err)
	}
	return nil
}

// NeedRepo returns an error outside of a git repository; the reason says what one is needed
// for.
func (p Place) NeedRepo(reason string) error {
	if p.Repo != nil {
		return nil
	}
	return cmp.Or(p.RepoErr, error(fault.Git(fmt.Errorf("%s is not in a git repository: %s", p.Dir, reason))))
}

// ModuleDir returns the directory in which targets are built: that of the configuration
// that names them, else the user's.
func (p Place) ModuleDir() string {
	if len(p.Config.Targets) == 0 {
		return p.Dir
	}
	return p.ConfigDir()
}

// ConfigDir returns the directory in which the configuration is, or would be.
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

// IsFile reports whether what the user names is a file: it goes before a run, a trial or a
// commit of that name.
func IsFile(name string) bool {
	info, err := os.Stat(name)
	return err == nil && !info.IsDir()
}
