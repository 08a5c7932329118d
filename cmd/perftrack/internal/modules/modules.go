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
	"github.com/perftrack/perftrack/runner/gobench"
	"github.com/perftrack/perftrack/runner/gotool"
)

// QuoteFolder returns a folder below the current one, quoted as a single word in a shell command.
func QuoteFolder(dir string) string { return strings.TrimPrefix(quoteModule(dir), "./") }

// QuotePath returns a path, quoted as a single word in a shell command.
func QuotePath(path string) string {
	if plainDir.MatchString(path) {
		return path
	}
	return fmt.Sprintf("%q", path)
}

// FindRoot returns the nearest directory with a go.mod, dir itself or a directory above it, or "".
func FindRoot(dir string) string { return FindAbove(dir, "go.mod") }

// FindAbove returns the nearest directory with the named file, dir itself or a directory above it,
// or "".
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

// A Module is a Go module, usually one with benchmarks.
type Module struct {
	Dir        string // relative to the root, with slashes; "." is the root
	Benchmarks int    // number of benchmark functions
	Packages   int    // number of packages with benchmarks
	Covered    bool   // whether the targets in the perftrack.toml to be written cover the module
}

// A Tree lists the Go modules with benchmarks in and below a directory, the root.
type Tree struct {
	Root      string // path of the directory
	GoModule  bool   // the root has a go.mod
	Workspace bool   // the root has a go.work
	Modules   []Module
	Loose     int // number of benchmark functions outside modules, not built by the go command
}

var notInName = regexp.MustCompile(`[^A-Za-z0-9._-]`)

// Targets returns a target for each covered module. perftrack run measures these targets without a
// configuration.
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

// Pattern returns the pattern for all packages in the module, as used in the root.
func (m Module) Pattern() string {
	switch {
	case m.Dir == ".":
		return "./..."
	case !fs.ValidPath(m.Dir): // go.work may name a directory outside the root
		return m.Dir + "/..."
	}
	return "./" + m.Dir + "/..."
}

// maxSource is the maximum size of a source file to search, in bytes.
const maxSource = 4 << 20

// Find returns the Go modules with benchmarks, beginning with the root's, and whether there is a
// workspace. The caller must set Root and GoModule.
func Find(fsys fs.FS) (found Tree, err error) {
	all, err := Scan(fsys)
	found.Modules = slices.DeleteFunc(all.Modules, func(m Module) bool { return m.Benchmarks == 0 })
	found.Workspace, found.Loose = slices.Contains(all.Workspaces, "."), all.Loose
	return found, err
}

// A Scanned lists the modules and workspaces found by Scan in and below a directory.
type Scanned struct {
	Modules    []Module // the root's module comes first
	Workspaces []string // directories with a go.work
	Loose      int      // see [Tree]
}

// Scan searches a directory for Go modules. Benchmarks in a folder such as _benchmark do not count
// for a module above it, because ./... ignores folders beginning with an underscore, but such a
// folder may itself contain a module.
func Scan(fsys fs.FS) (all Scanned, err error) {
	modules := map[string]*Module{}
	packages := map[string]int{} // number of benchmarks by directory
	err = fs.WalkDir(fsys, ".", func(name string, d fs.DirEntry, err error) error {
		base := d.Name()
		switch {
		case err != nil:
			return nil // skip unreadable entries
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
				if n := len(gobench.Declarations(text)); err == nil && n > 0 {
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
				break // ./... in a module above does not include this folder
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

// Cover marks the modules with packages that can be passed to the go command in the root. They are
// the modules in go.work or, without a go.work, the root's module.
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

// MarkCovered marks only the modules in the given directories as covered.
func (found *Tree) MarkCovered(covered []string) {
	for i := range found.Modules {
		found.Modules[i].Covered = slices.Contains(covered, found.Modules[i].Dir)
	}
}

// CanMeasure reports whether there is something to measure. kept is the existing perftrack.toml, or
// nil. If it has no targets, perftrack measures the root's module.
func (found *Tree) CanMeasure(kept *config.Config) bool {
	if kept != nil && len(kept.Targets) > 0 {
		return true
	}
	return slices.ContainsFunc(found.Modules, func(m Module) bool {
		return m.Covered && (kept == nil || m.Dir == ".")
	})
}

// InitCommand returns the go command to create a module in the root, named after the repository's
// web address. It returns "" if no benchmark needs a new module.
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

// WorkCommand returns the go command to add the uncovered modules to the workspace or create one,
// or "" if all modules are covered. A new workspace also includes the root's module, because the go
// command could not build that module otherwise.
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

// quoteModule returns a module's directory, quoted as a single word in a shell command. Even an
// unusual name stays on one line.
func quoteModule(dir string) string {
	switch {
	case dir == ".":
		return dir
	case !plainDir.MatchString(dir):
		return fmt.Sprintf("%q", "./"+dir)
	}
	return "./" + dir
}

// HasFile reports whether the directory contains a file with the given name.
func HasFile(dir, name string) bool {
	info, err := os.Stat(filepath.Join(dir, name))
	return err == nil && !info.IsDir()
}

var (
	moduleLine   = regexp.MustCompile(`(?m)^module\s+"?([^\s"]+)`)
	majorVersion = regexp.MustCompile(`^v[0-9]+$`)
)

// Name returns the usual name of the module in root: the last element of its path that is not a
// major version.
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

// Path returns the module path from the go.mod in root, or "".
func Path(root string) string {
	text, err := os.ReadFile(filepath.Join(root, "go.mod"))
	if err != nil {
		return ""
	}
	return ParsePath(text)
}

// ParsePath returns the module path from the text of a go.mod, or "".
func ParsePath(text []byte) string {
	m := moduleLine.FindSubmatch(text)
	if m == nil {
		return ""
	}
	return string(m[1])
}
