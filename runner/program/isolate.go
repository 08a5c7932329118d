package program

import (
	"cmp"
	"os"
	"path/filepath"
	"strings"

	"github.com/perftrack/perftrack/runner/proc"
)

// box returns the box in which a side's programs run. Inside the box, the programs see the module
// cache, the folders in read, such as those with built binaries, and the checkout around dir
// without the data of git and perftrack. If the plan does not isolate programs, box returns nil,
// and the programs see everything.
func (p *Spec) box(dir string, read ...string) *proc.Box {
	if !p.Isolate {
		return nil
	}
	top := checkout(dir)
	own := filepath.Join(top, ".perftrack")
	box := &proc.Box{Read: append([]string{moduleCache(), top}, read...), Hide: []string{filepath.Join(top, ".git"), own}}
	for _, path := range p.Hidden {
		if within(path, top) && !within(path, own) { // otherwise it is not visible in the box
			box.Hide = append(box.Hide, path)
		}
	}
	return box
}

// checkout returns the closest folder around dir that contains .git. It returns dir without such a
// folder, or if the folder contains the user's home directory.
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

// moduleCache returns the go command's folder of modules and toolchains.
func moduleCache() string {
	if dir := os.Getenv("GOMODCACHE"); dir != "" {
		return dir
	}
	home, _ := os.UserHomeDir()
	first, _, _ := strings.Cut(cmp.Or(os.Getenv("GOPATH"), filepath.Join(home, "go")), string(os.PathListSeparator))
	return filepath.Join(first, "pkg", "mod")
}
