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
	"github.com/perftrack/perftrack/runner/config"
	"github.com/perftrack/perftrack/runner/gotool"
)

// A noTargetError says that there is nothing to measure where the user stands.
type noTargetError struct{ text string }

func (e *noTargetError) Error() string { return e.text }

// engineHint ends the errors for who only wants to see perftrack at work.
const engineHint = "to measure the built-in engine: perftrack run engine (perftrack profile --target engine)"

// discover returns what there is to measure without a configuration: the benchmarks of
// the modules that the go.work here uses, a target each, else those of the Go module the user
// stands in. Only outside of git repositories, in a folder without modules and
// without a perftrack.toml, it is the built-in engine: nobody who has a repository wants its
// numbers in the place of his own.
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
			return nil, where.noTarget(ctx, "no go.mod here or above", "above it there is a go.work", "to measure its modules: cd "+modules.QuotePath(above)+" && perftrack run")
		}
		return nil, where.noTarget(ctx, "no go.mod and no go.work here or above")
	}
	if _, err := exec.LookPath("go"); err != nil {
		return nil, fault.Build(fmt.Errorf("%s is built with Go and there is no go command in PATH: install Go, or add its bin folder to PATH\n  %s",
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
	if has || err != nil { // measuring it will say what is wrong
		return []config.Target{t}, nil
	}
	if has, err = gotool.HasBenchmarks(ctx, root, t.Packages, nil); has && err == nil {
		return nil, fault.Usage(&noTargetError{fmt.Sprintf("no benchmarks in %s or below it, but in its module\n  to measure them: cd %s && perftrack run\n  %s",
			where.Dir, modules.QuotePath(root), engineHint)})
	}
	return nil, where.noTarget(ctx, "no test file of the module "+root+" declares a benchmark")
}

// noticeLeftOut names the modules below that are not measured: ./... ends where another
// module begins, and go.work need not use them all.
func (a *Session) noticeLeftOut(ctx context.Context, where Place, targets []config.Target) {
	if len(where.Config.Targets) > 0 || !slices.ContainsFunc(targets, func(t config.Target) bool { return t.Kind == config.GoTest }) {
		return
	}
	work, err := gotool.Workspace(ctx, where.Dir)
	if err != nil {
		return // measuring will say so
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
	a.Noticef("not measured, because they are Go modules of their own: %s: stand in one to measure it%s", moduleList(found), how)
}

// foldersWith returns the folders of dir that hold the file.
func foldersWith(dir, file string) (folders []string) {
	found, err := filepath.Glob(filepath.Join(dir, "*", file))
	if err != nil {
		return nil // a dir that is no pattern
	}
	for _, path := range found {
		folders = append(folders, filepath.Base(filepath.Dir(path)))
	}
	return folders
}

// moduleList names modules with their paths.
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

// sameDir reports whether two paths lead to one directory.
func sameDir(a, b string) bool {
	infoA, errA := os.Stat(a)
	infoB, errB := os.Stat(b)
	return errors.Join(errA, errB) == nil && os.SameFile(infoA, infoB)
}

// workspace returns a target for each module with benchmarks that the go.work here
// uses; nil where the go command does not build by that file.
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
		m := modules.Module{Dir: dir, Covered: true} // outside of what was searched
		if has, err := gotool.HasBenchmarks(ctx, p.Dir, []string{m.Pattern()}, nil); has || err != nil {
			found.Modules = append(found.Modules, m)
		}
	}
	if targets := found.Targets(); len(targets) > 0 {
		return targets, nil
	}
	return nil, p.noTarget(ctx, "no test file of the modules in go.work ("+fault.SomeOf(uses, ", ")+") declares a benchmark")
}

// scan returns the modules with benchmarks here and below, and which directories the go.work
// here uses.
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

// noTarget is the error of having nothing to measure: what was looked for, what was
// found instead, by default below, and what to type.
func (p Place) noTarget(ctx context.Context, why string, found ...string) error {
	kind, text := "usage", fmt.Sprintf("nothing to measure in %s: no perftrack.toml, and %s", p.Dir, why)
	if p.ConfigPath != "" { // whoever wrote it wants his own program measured
		kind, text = "config", fmt.Sprintf("%s has no [[target]] and %s", p.ConfigPath, why)
	}
	if len(found) == 0 {
		found = p.below(ctx)
	}
	lines := slices.Concat([]string{text}, found, []string{engineHint})
	return &fault.Error{Kind: kind, Err: &noTargetError{strings.Join(lines, "\n  ")}}
}

// below says what could be measured in the folders below, and how.
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
		return []string{"what is below cannot be searched: " + err.Error()}
	case len(all.Workspaces) > 0:
		return []string{
			"below it there is a go.work in " + fault.SomeOf(all.Workspaces, ", "),
			"to measure its modules: cd " + modules.QuoteFolder(all.Workspaces[0]) + " && perftrack run",
		}
	case len(found.Modules) > 0:
		return []string{
			"below it there are Go modules with benchmarks: " + moduleList(found),
			"to measure one: cd " + modules.QuoteFolder(found.Modules[0].Dir) + " && perftrack run",
			"to measure all: " + found.WorkCommand() + " && perftrack run",
		}
	}
	lines := []string{"below it there is no Go module"}
	switch {
	case found.Loose > 0 && !found.GoModule:
		return p.loose(ctx, found)
	case len(all.Modules) > 0:
		lines = []string{"below it there are Go modules, and none declares a benchmark: " + moduleList(modules.Tree{Root: p.Dir, Modules: all.Modules})}
	}
	switch {
	case p.ConfigPath != "":
		return append(lines, "to measure another program, write a [[target]] into it: perftrack help github")
	case p.Repo == nil:
		return append(lines, "to measure another program, write a perftrack.toml")
	}
	return append(lines, "to measure another program, write a target into perftrack.toml: perftrack init")
}

// loose says of benchmarks that are in no module how the go command is made to build them.
func (p Place) loose(ctx context.Context, found modules.Tree) []string {
	web := ""
	if p.Repo != nil && sameDir(p.Repo.Root(), p.Dir) {
		web, _ = p.Repo.RemoteWeb(ctx) // "" is a command with a gap
	}
	return []string{
		fmt.Sprintf("Go benchmarks in no module, which the go command does not build: %d", found.Loose),
		"to measure them: " + found.InitCommand(web) + " && perftrack run",
	}
}

// modulesBelow returns the modules and workspaces in the folders below. Outside of a
// repository dir may be the whole home of a user, and only the next folders are searched.
func (p Place) modulesBelow() (all modules.Scanned, err error) {
	if p.Repo != nil {
		all, err = modules.Scan(os.DirFS(p.Dir))
	} else {
		for _, dir := range foldersWith(p.Dir, "go.mod") {
			all.Modules = append(all.Modules, modules.Module{Dir: dir, Benchmarks: 1}) // at a guess
		}
		all.Workspaces = foldersWith(p.Dir, "go.work")
	}
	here := func(dir string) bool { return dir == "." }
	all.Modules = slices.DeleteFunc(all.Modules, func(m modules.Module) bool { return here(m.Dir) })
	all.Workspaces = slices.DeleteFunc(all.Workspaces, here)
	return all, err
}
