package workspace

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/fault"
	"github.com/perftrack/perftrack/runner/config"
	"github.com/perftrack/perftrack/runner/gitrepo"
)

// A Place is the user's directory, along with its git repository and configuration.
type Place struct {
	Dir        string
	Repo       *gitrepo.Repo // nil outside a repository
	RepoErr    error         // why Repo is nil although git found a repository, for example because it is bare
	Config     *config.Config
	ConfigPath string       // "" if there is no configuration file
	CPUs       config.CPUs  // CPUs to run benchmarks on, see Pin
	Procs      config.Procs // GOMAXPROCS values from the command line, for every Go target; see SetProcs
}

// configure reads the configuration file at path.
func (p *Place) configure(path string) (err error) {
	p.ConfigPath = path
	if p.Config, err = config.Load(path); err != nil {
		return fault.Config(err)
	}
	return nil
}

// NeedRepo returns an error if the place is not in a git repository. reason explains why a
// repository is needed.
func (p Place) NeedRepo(reason string) error {
	if p.Repo != nil {
		return nil
	}
	return cmp.Or(p.RepoErr, error(fault.Git(fmt.Errorf("%s is not in a git repository: %s", p.Dir, reason))))
}

// ModuleDir returns the directory for building targets: the directory of the configuration file if
// it defines targets, and otherwise the user's directory.
func (p Place) ModuleDir() string {
	if len(p.Config.Targets) == 0 {
		return p.Dir
	}
	return p.ConfigDir()
}

// ConfigDir returns the directory of the configuration file, existing or not.
func (p Place) ConfigDir() string {
	if p.ConfigPath != "" {
		return filepath.Dir(p.ConfigPath)
	}
	return p.Dir
}

// Own names the files in the work tree that measuring writes: the database with this absolute path, or
// "", and the results of the targets.
func (p Place) Own(database string) gitrepo.Own {
	own := gitrepo.Own{Database: database}
	if p.Repo == nil {
		return own
	}
	dir, err := p.InRepo(p.ModuleDir())
	if err != nil {
		return own // the results then count as changes
	}
	for _, t := range p.Config.Targets {
		for _, result := range t.Results {
			own.Results = append(own.Results, filepath.ToSlash(filepath.Join(dir, result)))
		}
	}
	return own
}

// InRepo returns the path of a directory relative to the root of the repository. The directory may
// be missing in the work tree.
func (p Place) InRepo(dir string) (string, error) {
	real, err := filepath.EvalSymlinks(dir) // the path of the repository's root contains no symbolic links, either
	if parent := filepath.Dir(dir); errors.Is(err, fs.ErrNotExist) && parent != dir {
		above, err := p.InRepo(parent)
		return filepath.Join(above, filepath.Base(dir)), err
	}
	if err != nil {
		return "", fmt.Errorf("find %s: %w", dir, err)
	}
	rel, err := filepath.Rel(p.Repo.Root(), real)
	if err != nil {
		return "", fmt.Errorf("find %s in the repository: %w", dir, err)
	}
	return rel, nil
}

// IsFile reports whether name is a file. If a name may refer to a file or to a run, trial or
// commit, the file takes precedence.
func IsFile(name string) bool {
	info, err := os.Stat(name)
	return err == nil && !info.IsDir()
}
