package runner

import (
	"cmp"
	"os"
	"path/filepath"
	"strings"

	"github.com/perftrack/perftrack/runner/proc"
)

// box is what the programs of a side see: the checkout around its directory, without what git and
// perftrack keep there, and the module cache. Other folders are given: those of built binaries. Nil is
// everything, where nothing is to be isolated.
func (p *Plan) box(dir string, read ...string) *proc.Box {
	if !p.Isolate {
		return nil
	}
	top := checkout(dir)
	own := filepath.Join(top, ".perftrack")
	box := &proc.Box{Read: append([]string{moduleCache(), top}, read...), Hide: []string{filepath.Join(top, ".git"), own}}
	for _, path := range p.Hidden {
		if within(path, top) && !within(path, own) { // else it is not seen
			box.Hide = append(box.Hide, path)
		}
	}
	return box
}

// checkout is the folder with the .git around a directory, unless that has the user's home in it.
func checkout(dir string) string {
	home, _ := os.UserHomeDir()
	for at := filepath.Clean(dir); ; at = filepath.Dir(at) {
		switch _, err := os.Lstat(filepath.Join(at, ".git")); {
		case within(home, at) || at == filepath.Dir(at):
			return dir
		case err == nil:
			return at
		}
	}
}

func within(path, dir string) bool {
	rel, err := filepath.Rel(dir, path)
	return err == nil && filepath.IsLocal(rel)
}

// moduleCache is where the go command keeps modules, and toolchains.
func moduleCache() string {
	if dir := os.Getenv("GOMODCACHE"); dir != "" {
		return dir
	}
	home, _ := os.UserHomeDir()
	first, _, _ := strings.Cut(cmp.Or(os.Getenv("GOPATH"), filepath.Join(home, "go")), string(os.PathListSeparator))
	return filepath.Join(first, "pkg", "mod")
}
