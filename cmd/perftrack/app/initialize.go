package app

import (
	"context"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/perftrack/perftrack/runner/config"
	"github.com/perftrack/perftrack/runner/gitrepo"
)

// The workflows, as this repository uses them but for the action's address.
//
//go:embed initialize/*.yml
var workflows embed.FS

// actionRepository is where the action is, and actionCommit the commit of it that
// workflows pin: one that has been published, not what happens to be built here.
const (
	actionRepository = "perftrack/perftrack"
	actionCommit     = "436c9167dd608f1444391ff26219f88152247d65"
)

// A Module is a Go module with benchmarks.
type Module struct {
	Dir        string // in the repository, with slashes; "." is its root
	Benchmarks int    // functions
	Packages   int    // that have any
	Covered    bool   // by the perftrack.toml that was written
}

// An InitFile is a file that a repository needs.
type InitFile struct {
	Path    string
	Written bool // false: there was one already, which stays
}

// An Initialized is what `perftrack init` found and wrote.
type Initialized struct {
	Root      string
	Branch    string // the default branch
	GoModule  bool   // there is a go.mod in the root
	Workspace bool   // and a go.work
	Measured  bool   // with perftrack.toml as it is now, there is something to measure
	Modules   []Module
	Files     []InitFile
}

// Initialize writes the workflows and perftrack.toml into the repository, none
// over a file that is there. Action is the commit of the action to pin, "" for the one
// that the workflows of this repository pin.
func Initialize(ctx context.Context, a *App, action string) (res Initialized, err error) {
	if action == "" {
		action = actionCommit
	}
	if !fullSHA.MatchString(action) {
		return res, usagef("--action %q is not the hash of a commit: 40 hex digits, which no tag can move", action)
	}
	repo, err := gitrepo.Open(ctx, a.Dir)
	if err != nil {
		return res, &Error{Kind: "git", Err: err}
	}
	res.Root = repo.Root()
	if res.Branch, err = branchName(ctx, repo); err != nil {
		return res, err
	}
	root, err := os.OpenRoot(res.Root)
	if err != nil {
		return res, &Error{Kind: "io", Err: err}
	}
	defer root.Close()
	if res.Modules, res.Workspace, err = findModules(root.FS()); err != nil {
		return res, &Error{Kind: "io", Err: err}
	}
	if err := res.cover(ctx); err != nil {
		return res, err
	}
	kept, err := keptConfig(res.Root)
	if err != nil {
		return res, err
	}
	res.Measured = res.measured(kept)
	_, err = root.Lstat("go.mod")
	res.GoModule = err == nil
	files, err := initFiles(res, actionRepository+"@"+action)
	if err != nil {
		return res, err
	}
	for _, f := range files {
		written, err := writeNew(root, f.path, f.text)
		if err != nil {
			return res, &Error{Kind: "io", Err: err}
		}
		res.Files = append(res.Files, InitFile{f.path, written})
	}
	return res, nil
}

var plainBranch = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._/-]*$`)

// branchName is the name of the default branch; of a repository without a
// remote the current one, and main where that has no name.
func branchName(ctx context.Context, repo *gitrepo.Repo) (string, error) {
	rev, err := repo.DefaultBranch(ctx)
	if errors.Is(err, gitrepo.ErrNoDefaultBranch) {
		var state gitrepo.State
		state, err = repo.WorkTree(ctx)
		rev = state.Branch
	}
	if err != nil {
		return "", &Error{Kind: "git", Err: err}
	}
	name := strings.TrimPrefix(rev, "origin/")
	if !plainBranch.MatchString(name) {
		return "main", nil
	}
	return name, nil
}

// A textFile is a file to be written.
type textFile struct{ path, text string }

// initFiles returns the files of a repository. Action is what the workflows use.
func initFiles(found Initialized, action string) ([]textFile, error) {
	files := []textFile{{config.FileName, configText(found)}}
	entries, err := workflows.ReadDir("initialize")
	if err != nil {
		return nil, err
	}
	for _, e := range entries {
		text, err := workflows.ReadFile("initialize/" + e.Name())
		if err != nil {
			return nil, err
		}
		files = append(files, textFile{".github/workflows/" + e.Name(), workflowText(string(text), action, found.Branch, found.GoModule)})
	}
	return files, nil
}

var setupGo = regexp.MustCompile(`(?m)^ *- uses: actions/setup-go@.*\n +with:\n +go-version-file: go\.mod\n`)

// workflowText is a workflow of the repository. The go.mod in the root names the version
// of Go to set up.
func workflowText(text, action, branch string, goModule bool) string {
	text = strings.ReplaceAll(text, "uses: perftrack-action", "uses: "+action)
	text = strings.ReplaceAll(text, "branches: [main]", `branches: ["`+branch+`"]`)
	if !goModule {
		text = setupGo.ReplaceAllString(text, "")
	}
	return text
}

var notInName = regexp.MustCompile(`[^A-Za-z0-9._-]`)

// configText is a perftrack.toml for what was found and is covered.
func configText(found Initialized) string {
	var b strings.Builder
	b.WriteString(`# What perftrack measures in this repository, and how large a change has to be.
[defaults]
threshold = "5%"  # smallest change worth blocking
alpha     = "1%"  # chance that a pull request that changed nothing is flagged as regressed
`)
	targets := found.targets()
	for _, t := range targets {
		fmt.Fprintf(&b, "\n[[target]]\nname     = %q\nkind     = \"gotest\"\npackages = [%q]\n", t.Name, t.Packages[0])
	}
	if len(targets) == 0 {
		b.WriteString(noTargetText(found))
	}
	return b.String()
}

// targets are one for each module that is covered: what perftrack run measures in the
// root without a configuration, under the same names.
func (found Initialized) targets() (targets []config.Target) {
	taken := map[string]bool{}
	for _, m := range found.Modules {
		if !m.Covered {
			continue
		}
		name := notInName.ReplaceAllString(moduleName(filepath.Join(found.Root, m.Dir)), "-")
		for taken[name] {
			name += "-2"
		}
		taken[name] = true
		targets = append(targets, config.Target{Name: name, Kind: config.GoTest, Packages: []string{m.pattern()}})
	}
	return targets
}

// pattern names all packages of the module in the root.
func (m Module) pattern() string {
	switch {
	case m.Dir == ".":
		return "./..."
	case !fs.ValidPath(m.Dir): // go.work may lead out of the root
		return m.Dir + "/..."
	}
	return "./" + m.Dir + "/..."
}

// writeNew writes a file unless there is one. It follows no symbolic link out
// of the repository.
func writeNew(root *os.Root, name, text string) (written bool, err error) {
	if err := root.MkdirAll(path.Dir(name), 0o755); err != nil {
		return false, fmt.Errorf("write %s: %w", name, err)
	}
	f, err := root.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if errors.Is(err, fs.ErrExist) {
		return false, nil
	}
	if err != nil {
		return false, fmt.Errorf("write %s: %w", name, err)
	}
	_, err = f.WriteString(text)
	if err := errors.Join(err, f.Close()); err != nil {
		return false, fmt.Errorf("write %s: %w", name, err)
	}
	return true, nil
}

var benchmarkFunc = regexp.MustCompile(`(?m)^func Benchmark(?:[^a-z\s(]\w*)?\(\s*\w+\s+\*testing\.B\s*\)`)

// maxSource is the largest source file that is searched, in bytes.
const maxSource = 4 << 20

// findModules returns the Go modules that have benchmarks, the root's first, and
// whether there is a workspace.
func findModules(fsys fs.FS) (found []Module, workspace bool, err error) {
	all, workspaces, err := scanModules(fsys)
	found = slices.DeleteFunc(all, func(m Module) bool { return m.Benchmarks == 0 })
	return found, slices.Contains(workspaces, "."), err
}

// scanModules returns the Go modules, the root's first, and the directories of the
// workspaces.
func scanModules(fsys fs.FS) (all []Module, workspaces []string, err error) {
	modules := map[string]*Module{}
	packages := map[string]int{} // benchmarks of a directory
	err = fs.WalkDir(fsys, ".", func(name string, d fs.DirEntry, err error) error {
		base := d.Name()
		switch {
		case err != nil:
			return nil // what cannot be read has no benchmarks for us
		case d.IsDir() && name != "." && (strings.HasPrefix(base, ".") || strings.HasPrefix(base, "_") || slices.Contains([]string{"vendor", "testdata", "node_modules"}, base)):
			return fs.SkipDir
		case !d.Type().IsRegular():
		case base == "go.work":
			workspaces = append(workspaces, path.Dir(name))
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
			if at == "." {
				break // no module: nothing that go test could build
			}
		}
	}
	for _, m := range modules {
		all = append(all, *m)
	}
	slices.SortFunc(all, func(a, b Module) int { return strings.Compare(a.Dir, b.Dir) })
	return all, workspaces, err
}
