package modules

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/perftrack/perftrack/runner/config"
	"github.com/perftrack/perftrack/runner/gotool"
)

// QuoteFolder returns a folder below this one as one word of a command.
func QuoteFolder(dir string) string { return strings.TrimPrefix(quoteModule(dir), "./") }

// QuotePath returns a path as one word of a command.
func QuotePath(path string) string {
	if plainDir.MatchString(path) {
		return path
	}
	return fmt.Sprintf("%q", path)
}

// FindRoot returns the nearest directory with a go.mod, dir or above it.
func FindRoot(dir string) string { return FindAbove(dir, "go.mod") }

// FindAbove returns the nearest directory with the file, dir or above it.
func FindAbove(dir, name string) string {
	for {
		if HasFile(dir, name) {
			return dir
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			return ""
		}
		dir = parent
	}
}

// A Module is a Go module with benchmarks.
type Module struct {
	Dir        string // in the repository, with slashes; "." is its root
	Benchmarks int    // functions
	Packages   int    // that have any
	Covered    bool   // by the perftrack.toml that was written
}

// A Tree is a directory with the Go modules in it and below that have benchmarks.
type Tree struct {
	Root      string // the directory
	GoModule  bool   // there is a go.mod in it
	Workspace bool   // and a go.work
	Modules   []Module
	Loose     int // benchmark functions in folders of no module, which the go command does not build
}

var notInName = regexp.MustCompile(`[^A-Za-z0-9._-]`)

// Targets returns a target for each module that is covered: what perftrack run measures in
// the root without a configuration, under the same names.
func (found Tree) Targets() (targets []config.Target) {
	taken := map[string]bool{}
	for _, m := range found.Modules {
		if !m.Covered {
			continue
		}
		name := notInName.ReplaceAllString(Name(filepath.Join(found.Root, m.Dir)), "-")
		for taken[name] {
			name += "-2"
		}
		taken[name] = true
		targets = append(targets, config.Target{Name: name, Kind: config.GoTest, Packages: []string{m.Pattern()}})
	}
	return targets
}

// Pattern returns the pattern that matches all packages of the module, seen from the root.
func (m Module) Pattern() string {
	switch {
	case m.Dir == ".":
		return "./..."
	case !fs.ValidPath(m.Dir): // go.work may lead out of the root
		return m.Dir + "/..."
	}
	return "./" + m.Dir + "/..."
}

var benchmarkFunc = regexp.MustCompile(`(?m)^func Benchmark(?:[^a-z\s(]\w*)?\(\s*\w+\s+\*testing\.B\s*\)`)

// maxSource is the largest source file that is searched, in bytes.
const maxSource = 4 << 20

// Find returns the Go modules that have benchmarks, the root's first, and whether there is a workspace.
// Its Root and GoModule are the caller's to set.
func Find(fsys fs.FS) (found Tree, err error) {
	all, err := Scan(fsys)
	found.Modules = slices.DeleteFunc(all.Modules, func(m Module) bool { return m.Benchmarks == 0 })
	found.Workspace, found.Loose = slices.Contains(all.Workspaces, "."), all.Loose
	return found, err
}

// A Scanned is what a directory and those below it hold.
type Scanned struct {
	Modules    []Module // the root's first
	Workspaces []string // directories that have a go.work
	Loose      int      // see [Tree]
}

// Scan searches a directory for Go modules. A folder such as _benchmark is in no module above it,
// and may have one of its own.
func Scan(fsys fs.FS) (all Scanned, err error) {
	modules := map[string]*Module{}
	packages := map[string]int{} // benchmarks of a directory
	err = fs.WalkDir(fsys, ".", func(name string, d fs.DirEntry, err error) error {
		base := d.Name()
		switch {
		case err != nil:
			return nil // what cannot be read has no benchmarks for us
		case d.IsDir() && name != "." && (strings.HasPrefix(base, ".") || slices.Contains([]string{"vendor", "testdata", "node_modules"}, base)):
			return fs.SkipDir
		case !d.Type().IsRegular():
		case base == "go.work":
			all.Workspaces = append(all.Workspaces, path.Dir(name))
		case base == "go.mod":
			modules[path.Dir(name)] = &Module{Dir: path.Dir(name)}
		case strings.HasSuffix(base, "_test.go"):
			if info, err := d.Info(); err == nil && info.Size() <= maxSource {
				text, err := fs.ReadFile(fsys, name)
				if n := len(benchmarkFunc.FindAll(text, -1)); err == nil && n > 0 {
					packages[path.Dir(name)] += n
				}
			}
		}
		return nil
	})
	for dir, n := range packages {
		for at := dir; ; at = path.Dir(at) {
			if m := modules[at]; m != nil {
				m.Benchmarks += n
				m.Packages++
				break
			}
			if strings.HasPrefix(path.Base(at), "_") {
				break // ./... of a module above leaves it out
			}
			if at == "." {
				all.Loose += n
				break
			}
		}
	}
	for _, m := range modules {
		all.Modules = append(all.Modules, *m)
	}
	slices.SortFunc(all.Modules, func(a, b Module) int { return strings.Compare(a.Dir, b.Dir) })
	return all, err
}

// Cover marks the modules whose packages the go command can name in the root as covered:
// those that go.work uses, or without a go.work the root's own.
func (found *Tree) Cover(ctx context.Context) error {
	covered := []string{"."}
	if found.Workspace {
		var err error
		if covered, err = gotool.WorkspaceModules(ctx, found.Root); err != nil {
			return err
		}
	}
	found.MarkCovered(covered)
	return nil
}

// MarkCovered marks the modules in these directories as covered, and no others.
func (found *Tree) MarkCovered(covered []string) {
	for i := range found.Modules {
		found.Modules[i].Covered = slices.Contains(covered, found.Modules[i].Dir)
	}
}

// CanMeasure reports whether there is something to measure. Kept is the perftrack.toml that
// was there already, or nil; where it names no target, the root's module is measured.
func (found *Tree) CanMeasure(kept *config.Config) bool {
	if kept != nil && len(kept.Targets) > 0 {
		return true
	}
	return slices.ContainsFunc(found.Modules, func(m Module) bool {
		return m.Covered && (kept == nil || m.Dir == ".")
	})
}

// InitCommand returns the go command that makes a module of the root, as the address of the
// repository names it; "" where there are no benchmarks outside of modules.
func (found Tree) InitCommand(web string) string {
	name := strings.TrimPrefix(web, "https://")
	switch {
	case found.Loose == 0 || found.GoModule:
		return ""
	case name == "":
		name = "MODULE_PATH"
	}
	return "go mod init " + name + " && go mod tidy"
}

// WorkCommand returns the go command that covers the modules which are not covered yet, ""
// if there are none. A new workspace has the root's module, too: go would no longer build
// it otherwise.
func (found Tree) WorkCommand() string {
	var dirs []string
	for _, m := range found.Modules {
		if !m.Covered {
			dirs = append(dirs, quoteModule(m.Dir))
		}
	}
	switch {
	case len(dirs) == 0:
		return ""
	case found.Workspace:
		return "go work use " + strings.Join(dirs, " ")
	case found.GoModule:
		dirs = append([]string{"."}, dirs...)
	}
	return "go work init " + strings.Join(dirs, " ")
}

var plainDir = regexp.MustCompile(`^[A-Za-z0-9._/-]+$`)

// quoteModule returns a module's directory as one word of a command, on one line whatever
// it is called.
func quoteModule(dir string) string {
	switch {
	case dir == ".":
		return dir
	case !plainDir.MatchString(dir):
		return fmt.Sprintf("%q", "./"+dir)
	}
	return "./" + dir
}

// HasFile reports whether the directory has a file of that name.
func HasFile(dir, name string) bool {
	info, err := os.Stat(filepath.Join(dir, name))
	return err == nil && !info.IsDir()
}

var (
	moduleLine   = regexp.MustCompile(`(?m)^module\s+"?([^\s"]+)`)
	majorVersion = regexp.MustCompile(`^v[0-9]+$`)
)

// Name returns what people call the module in root: the last element of its path that is
// not a major version.
func Name(root string) string {
	p := Path(root)
	if p == "" {
		return filepath.Base(root)
	}
	if majorVersion.MatchString(path.Base(p)) && path.Dir(p) != "." {
		p = path.Dir(p)
	}
	return path.Base(p)
}

// Path returns the path of the module in root as its go.mod has it, or "".
func Path(root string) string {
	text, err := os.ReadFile(filepath.Join(root, "go.mod"))
	if err != nil {
		return ""
	}
	return ParsePath(text)
}

// ParsePath returns the path of the module as the text of a go.mod has it, or "".
func ParsePath(text []byte) string {
	m := moduleLine.FindSubmatch(text)
	if m == nil {
		return ""
	}
	return string(m[1])
}
