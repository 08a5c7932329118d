package setup

import (
	"cmp"
	"context"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"regexp"
	"strings"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/fault"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/modules"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/workspace"
	"github.com/perftrack/perftrack/runner/config"
	"github.com/perftrack/perftrack/runner/gitrepo"
)

// The workflows, as this repository uses them but for the action's address.
//
//go:embed workflows/*.yml
var workflows embed.FS

// actionRepository is where the action is, and pinnedCommit the commit of it that workflows pin and
// the jobs of other CIs install: one that has been published, not what happens to be built here.
const (
	actionRepository = "perftrack/perftrack"
	pinnedCommit     = "ebfa2380eb195b2ce1606d14ef8a339014b93c04"
)

// A File is a file that a repository needs.
type File struct {
	Path    string
	Written bool // false: there was one already, which stays
}

// A Result is what `perftrack init` found and wrote.
type Result struct {
	modules.Tree
	Branch   string // the default branch
	Measured bool   // with perftrack.toml as it is now, there is something to measure
	CI       CI     // whose files they are
	Included bool   // of GitLab: its own file includes perftrack's
	On       string // when pull requests are measured, of When
	Shards   int    // machines that measure a pull request; 0 is one
	KeptOn   string // the same by the perftrack.toml that was there, "" without one
	Pages    bool   // a job publishes the page
	Site     string // where, "" if that is not known
	KeptSite string // the same by the perftrack.toml that was there
	Files    []File
	Make     string // the command that makes a module of benchmarks that are in none; "" without such
}

// Options say what to write.
type Options struct {
	CI     CI     // "" for the one that the remote or the files tell
	Action string // the commit of perftrack to pin, "" for the one that the workflows of this repository pin
	On     string // of When, "" for the first
	Shards int    // machines that measure a pull request, see [CheckShards]; 0 is one
	Pages  bool   // publish the page
}

// Initialize writes the jobs of a CI and perftrack.toml into the repository, none
// over a file that is there.
func Initialize(ctx context.Context, a *workspace.Session, opt Options) (res Result, err error) {
	ci, action := opt.CI, opt.Action
	if res.On, err = checkOn(opt.On); err != nil {
		return res, err
	}
	if action != "" && !gitrepo.IsHash(action) {
		return res, fault.Usagef("--action %q is not the hash of a commit: 40 hex digits, which no tag can move", action)
	}
	repo, err := a.Repository(ctx)
	if err != nil {
		return res, fault.Git(err)
	}
	if res.CI = ci; ci == "" {
		if res.CI, err = FindCI(ctx, repo); err != nil {
			return res, err
		}
	}
	if res.CI != GitHub && res.On != config.OnPush {
		return res, fault.Usagef("--on %s is of the workflows on GitHub, and this repository is on %s", res.On, res.CI)
	}
	if res.Shards = opt.Shards; res.CI != GitHub && res.Shards > 1 {
		return res, fault.Usagef("--shards is of the workflows on GitHub, and this repository is on %s", res.CI)
	}
	if res.Pages = opt.Pages; res.CI != GitHub && res.Pages {
		return res, fault.Usagef("--pages is of the workflows on GitHub, and this repository is on %s", res.CI)
	}
	if action == "" {
		action = pinnedCommit
	}
	if res.Pages {
		if res.Site, err = pagesAddress(ctx, repo); err != nil {
			return res, err
		}
	}
	if res.Branch, err = branchName(ctx, repo); err != nil {
		return res, err
	}
	root, err := os.OpenRoot(repo.Root())
	if err != nil {
		return res, fault.IO(err)
	}
	defer root.Close()
	if res.Tree, err = modules.Find(root.FS()); err != nil {
		return res, fault.IO(err)
	}
	res.Root = repo.Root()
	if err := res.Cover(ctx); err != nil {
		return res, fault.Build(err)
	}
	kept, err := keptConfig(res.Root)
	if err != nil {
		return res, err
	}
	res.Measured = res.CanMeasure(kept)
	if kept != nil {
		res.KeptOn, res.KeptSite = kept.Defaults.On, kept.Defaults.Site
	}
	_, err = root.Lstat("go.mod")
	res.GoModule = err == nil
	web, err := repo.RemoteWeb(ctx)
	if err != nil {
		return res, fault.Git(err)
	}
	res.Make = res.InitCommand(web)
	if err := refuseUncovered(res.Tree, res.Measured, kept); err != nil {
		return res, err
	}
	files, err := initFiles(res, action)
	if err != nil {
		return res, err
	}
	for _, f := range files {
		written, err := writeNew(root, f.path, f.text)
		if err != nil {
			return res, fault.IO(err)
		}
		res.Files = append(res.Files, File{f.path, written})
	}
	res.Included, err = includes(root)
	return res, err
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
		return "", fault.Git(err)
	}
	name := strings.TrimPrefix(rev, "origin/")
	if !plainBranch.MatchString(name) {
		return "main", nil
	}
	return name, nil
}

// A textFile is a file to be written.
type textFile struct{ path, text string }

// initFiles returns the files of a repository. Commit is the one of perftrack to use.
func initFiles(found Result, commit string) ([]textFile, error) {
	found.On = cmp.Or(found.On, config.OnPush)
	files := []textFile{{config.FileName, configText(found.Tree, found.On, found.Site)}}
	if found.CI != GitHub {
		more, err := ciFiles(found.CI, found.Branch, commit)
		return append(files, more...), err
	}
	action := actionRepository + "@" + commit
	entries, err := workflows.ReadDir("workflows")
	if err != nil {
		return nil, err
	}
	for _, e := range entries {
		if e.Name() == demandWorkflow && found.On != config.OnComment || e.Name() == pagesWorkflow && !found.Pages {
			continue
		}
		text, err := workflows.ReadFile("workflows/" + e.Name())
		if err != nil {
			return nil, err
		}
		own, err := applyOn(e.Name(), string(text), found.On)
		if err != nil {
			return nil, err
		}
		if own, err = applyShards(e.Name(), own, found.Shards); err != nil {
			return nil, err
		}
		files = append(files, textFile{".github/workflows/" + e.Name(), workflowText(own, action, found.Branch, found.GoModule)})
	}
	return files, nil
}

var setupGo = regexp.MustCompile(`(?m)^ *- uses: actions/setup-go@.*\n +with:\n +go-version-file: go\.mod\n(?: +cache: false.*\n)?`)

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

// configText is a perftrack.toml for what was found and is covered.
func configText(found modules.Tree, on, site string) string {
	var b strings.Builder
	b.WriteString(`# What perftrack measures in this repository, and how large a change has to be.
[defaults]
threshold = "5%"  # smallest change worth blocking
alpha     = "1%"  # chance that a pull request that changed nothing is flagged as regressed
`)
	if on != config.OnPush {
		fmt.Fprintf(&b, "on        = %-6q # which pull requests are measured; the status of the others says so and does not block\n", on)
	}
	if site != "" {
		fmt.Fprintf(&b, "site      = %q # where the page is published: comments link to it\n", site)
	}
	targets := found.Targets()
	for _, t := range targets {
		fmt.Fprintf(&b, "\n[[target]]\nname     = %q\nkind     = \"gotest\"\npackages = [%q]\n", t.Name, t.Packages[0])
	}
	if len(targets) == 0 {
		b.WriteString(noTargetText(found))
	}
	return b.String()
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
