package workspace

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/fault"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/modules"
	"github.com/perftrack/perftrack/reports"
	"github.com/perftrack/perftrack/runner/config"
	"github.com/perftrack/perftrack/runner/gotool"
)

// A noTargetError reports that there is nothing to measure in the directory.
type noTargetError struct{ text string }

func (e *noTargetError) Error() string { return e.text }

// engineHint is added to errors for users who only want to try perftrack.
const engineHint = "to measure the built-in engine: perftrack run engine (perftrack profile --target engine)"

// discover returns the targets for a directory without configured targets: every module with
// benchmarks in the directory's go.work or, without a go.work, the Go module around the directory.
// Outside git repositories, a directory without Go modules has the built-in engine as its target;
// in a repository, the engine's results would be of no use.
func (a *Session) discover(ctx context.Context, where Place) ([]config.Target, error) {
	hasWork, root := modules.HasFile(where.Dir, "go.work"), modules.FindRoot(where.Dir)
	if !hasWork && root == "" {
		if where.RepoErr != nil {
			return nil, where.RepoErr
		}
		if where.Repo == nil && where.ConfigPath == "" &&
			len(foldersWith(where.Dir, "go.mod"))+len(foldersWith(where.Dir, "go.work")) == 0 {
			a.Noticef("there is no Go module here: the target is the built-in engine")
			return []config.Target{engineTarget}, nil
		}
		if above := modules.FindAbove(where.Dir, "go.work"); above != "" {
			return nil, where.noTarget(ctx, "no go.mod here or in a parent folder", "a parent folder has a go.work", "to measure its modules: cd "+modules.QuotePath(above)+" && perftrack run")
		}
		return nil, where.noTarget(ctx, "no go.mod or go.work here or in a parent folder")
	}
	if _, err := exec.LookPath("go"); err != nil {
		return nil, fault.Build(fmt.Errorf("%s is a Go module, but there is no go command in PATH: install Go, or add its bin folder to PATH\n  %s",
			cmp.Or(root, where.Dir), engineHint))
	}
	if hasWork {
		found, err := where.workspace(ctx)
		if err != nil || found != nil {
			return found, err
		}
		if root == "" {
			return nil, where.noTarget(ctx, "the go command does not use the go.work here: see `go env GOWORK`", "to measure its modules: GOWORK= perftrack run")
		}
	}
	t := config.Target{Name: modules.Name(root), Kind: config.GoTest, Packages: []string{"./..."}}
	has, err := gotool.HasBenchmarks(ctx, where.Dir, t.Packages, nil)
	if has || err != nil { // if there is an error, measuring the target will report it
		return []config.Target{t}, nil
	}
	if has, err = gotool.HasBenchmarks(ctx, root, t.Packages, nil); has && err == nil {
		return nil, fault.Usage(&noTargetError{fmt.Sprintf("no benchmarks in or below %s, but there are some in its module\n  to measure them: cd %s && perftrack run\n  %s",
			where.Dir, modules.QuotePath(root), engineHint)})
	}
	return nil, where.noTarget(ctx, "no test file in the module "+root+" declares a benchmark")
}

// noticeLeftOut prints a notice about unmeasured modules in and below the directory, because ./...
// does not descend into nested modules and go.work may leave some out.
func (a *Session) noticeLeftOut(ctx context.Context, where Place, targets []config.Target) {
	if len(where.Config.Targets) > 0 || !slices.ContainsFunc(targets, func(t config.Target) bool { return t.Kind == config.GoTest }) {
		return
	}
	work, err := gotool.Workspace(ctx, where.Dir)
	if err != nil {
		return // measuring will report the error
	}
	workspace := work != "" && sameDir(filepath.Dir(work), where.Dir)
	found, _, err := where.scan(ctx, workspace)
	if err != nil {
		return
	}
	found.Modules = slices.DeleteFunc(found.Modules, func(m modules.Module) bool { return m.Covered })
	if len(found.Modules) == 0 {
		return
	}
	how := ""
	if found.GoModule || workspace {
		how = ", or all at once after `" + found.WorkCommand() + "`"
	}
	a.Noticef("not measured: %s, because they are separate Go modules: change into one to measure it%s", moduleList(found), how)
}

// foldersWith returns the names of the direct subfolders of dir with the named file.
func foldersWith(dir, file string) (folders []string) {
	found, err := filepath.Glob(filepath.Join(dir, "*", file))
	if err != nil {
		return nil // dir is not a valid pattern
	}
	for _, path := range found {
		folders = append(folders, filepath.Base(filepath.Dir(path)))
	}
	return folders
}

// moduleList returns the folders of the modules along with the module paths.
func moduleList(found modules.Tree) string {
	var names []string
	for _, m := range found.Modules {
		name := modules.QuoteFolder(m.Dir)
		if path := modules.Path(filepath.Join(found.Root, m.Dir)); path != "" {
			name += " (" + path + ")"
		}
		names = append(names, name)
	}
	return fault.SomeOf(names, ", ")
}

// sameDir reports whether two paths lead to the same directory.
func sameDir(a, b string) bool {
	infoA, errA := os.Stat(a)
	infoB, errB := os.Stat(b)
	return errors.Join(errA, errB) == nil && os.SameFile(infoA, infoB)
}

// workspace returns a target for each module with benchmarks in the directory's go.work. It returns
// nil if the go command does not use a go.work in this directory.
func (p Place) workspace(ctx context.Context) ([]config.Target, error) {
	work, err := gotool.Workspace(ctx, p.Dir)
	if err != nil {
		return nil, fault.Build(err)
	}
	if work == "" || !sameDir(filepath.Dir(work), p.Dir) {
		return nil, nil
	}
	found, uses, err := p.scan(ctx, true)
	if err != nil {
		return nil, err
	}
	for _, dir := range uses {
		if fs.ValidPath(dir) {
			continue
		}
		m := modules.Module{Dir: dir, Covered: true} // a module outside the searched folders
		if has, err := gotool.HasBenchmarks(ctx, p.Dir, []string{m.Pattern()}, nil); has || err != nil {
			found.Modules = append(found.Modules, m)
		}
	}
	if targets := found.Targets(); len(targets) > 0 {
		return targets, nil
	}
	return nil, p.noTarget(ctx, "no test file in the modules of go.work ("+fault.SomeOf(uses, ", ")+") declares a benchmark")
}

// scan returns the modules with benchmarks in and below the directory, and the directories used by
// go.work. workspace reports whether there is a go.work in the directory.
func (p Place) scan(ctx context.Context, workspace bool) (found modules.Tree, uses []string, err error) {
	if found, err = modules.Find(os.DirFS(p.Dir)); err != nil {
		return found, nil, fault.IO(err)
	}
	found.Root, found.Workspace, found.GoModule = p.Dir, workspace, modules.HasFile(p.Dir, "go.mod")
	uses = []string{"."}
	if workspace {
		if uses, err = gotool.WorkspaceModules(ctx, p.Dir); err != nil {
			return found, nil, fault.Build(err)
		}
	}
	found.MarkCovered(uses)
	return found, uses, nil
}

// noTarget returns the error for a directory without anything to measure. The error gives the
// reason, the actual findings, and the command to run. If found is empty, it describes the folders
// below.
func (p Place) noTarget(ctx context.Context, why string, found ...string) error {
	kind, text := "usage", fmt.Sprintf("nothing to measure in %s: no perftrack.toml, and %s", p.Dir, why)
	if p.ConfigPath != "" { // the file's author may want to measure another program
		kind, text = "config", fmt.Sprintf("%s has no [[target]] and %s", p.ConfigPath, why)
	}
	if len(found) == 0 {
		found = p.below(ctx)
	}
	lines := slices.Concat([]string{text}, found, []string{engineHint})
	return &fault.Error{Kind: kind, Err: &noTargetError{strings.Join(lines, "\n  ")}}
}

// below describes the benchmarks found in the folders below the directory, and how to measure them.
func (p Place) below(ctx context.Context) []string {
	all, err := p.modulesBelow()
	found := modules.Tree{Root: p.Dir, GoModule: modules.HasFile(p.Dir, "go.mod"), Loose: all.Loose}
	for _, m := range all.Modules {
		if m.Benchmarks > 0 {
			found.Modules = append(found.Modules, m)
		}
	}
	switch {
	case err != nil:
		return []string{"search the folders below: " + err.Error()}
	case len(all.Workspaces) > 0:
		return []string{
			"there is a go.work in the subfolders " + fault.SomeOf(all.Workspaces, ", "),
			"to measure its modules: cd " + modules.QuoteFolder(all.Workspaces[0]) + " && perftrack run",
		}
	case len(found.Modules) > 0:
		return []string{
			"there are Go modules with benchmarks in subfolders: " + moduleList(found),
			"to measure one: cd " + modules.QuoteFolder(found.Modules[0].Dir) + " && perftrack run",
			"to measure all: " + found.WorkCommand() + " && perftrack run",
		}
	}
	lines := []string{"there is no Go module in a subfolder"}
	switch {
	case found.Loose > 0 && !found.GoModule:
		return p.loose(ctx, found)
	case len(all.Modules) > 0:
		lines = []string{"there are Go modules in subfolders, but none declares a benchmark: " + moduleList(modules.Tree{Root: p.Dir, Modules: all.Modules})}
	}
	switch {
	case p.ConfigPath != "":
		return append(lines, "to measure another program, write a [[target]] into it: perftrack help github")
	case p.Repo == nil:
		return append(lines, "to measure another program, write a perftrack.toml")
	}
	return append(lines, "to measure another program, write a target into perftrack.toml: perftrack init")
}

// loose explains how to make the go command build benchmarks outside modules.
func (p Place) loose(ctx context.Context, found modules.Tree) []string {
	web := ""
	if p.Repo != nil && sameDir(p.Repo.Root(), p.Dir) {
		web, _ = p.Repo.RemoteWeb(ctx) // without an address, the command contains a placeholder
	}
	return []string{
		reports.Plural(found.Loose, "Go benchmark") + " outside any module, where the go command does not build them",
		"to measure them: " + found.InitCommand(web) + " && perftrack run",
	}
}

// modulesBelow returns the modules and workspaces in the folders below. Outside a repository it
// searches only direct subfolders, because the directory may be the user's home.
func (p Place) modulesBelow() (all modules.Scanned, err error) {
	if p.Repo != nil {
		all, err = modules.Scan(os.DirFS(p.Dir))
	} else {
		for _, dir := range foldersWith(p.Dir, "go.mod") {
			all.Modules = append(all.Modules, modules.Module{Dir: dir, Benchmarks: 1}) // the number of benchmarks is a guess, because the files are not read
		}
		all.Workspaces = foldersWith(p.Dir, "go.work")
	}
	here := func(dir string) bool { return dir == "." }
	all.Modules = slices.DeleteFunc(all.Modules, func(m modules.Module) bool { return here(m.Dir) })
	all.Workspaces = slices.DeleteFunc(all.Workspaces, here)
	return all, err
}
