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
	"slices"
	"strings"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/fault"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/harness"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/modules"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/workspace"
	"github.com/perftrack/perftrack/runner/config"
	"github.com/perftrack/perftrack/runner/gitrepo"
)

// workflows contains the workflows for GitHub, the same as this repository's own except for the
// action's address.
//
//go:embed workflows/*.yml
var workflows embed.FS

// Workflows pin the action in actionRepository to pinnedCommit, which must be a published commit,
// and the jobs for other CIs install that commit. It may differ from the commit of this binary.
const (
	actionRepository = "perftrack/perftrack"
	pinnedCommit     = "ebfa2380eb195b2ce1606d14ef8a339014b93c04"
)

// A File is a file written by perftrack init to the repository.
type File struct {
	Path    string
	Written bool // false if the file already existed
}

// A Result holds the findings and the files of `perftrack init`.
type Result struct {
	modules.Tree
	Harnesses []harness.Found // benchmarks in other languages
	Branch    string          // the default branch
	Measured  bool            // whether there is something to measure with the current perftrack.toml
	CI        CI
	Guessed   bool   // whether neither a remote nor a file shows the CI
	Included  bool   // whether GitLab's main file includes perftrack's file
	On        string // when to measure pull requests, one of the values in When
	Shards    int    // number of machines per pull request; 0 means one
	KeptOn    string // value of On in an existing perftrack.toml, or ""
	Pages     bool   // whether a job publishes the page of results
	Site      string // address of the page of results, or "" if unknown
	KeptSite  string // value of Site in an existing perftrack.toml, or ""
	Files     []File
	Make      string // command to create a module for benchmarks outside modules, or ""
}

// Options select the files to write.
type Options struct {
	CI     CI     // "" means to detect it
	Action string // commit of perftrack to pin; "" means pinnedCommit
	On     string // one of the values in When; "" means the first
	Shards int    // number of machines per pull request, see [CheckShards]; 0 means one
	Pages  bool   // publish the page of results
}

// Initialize writes perftrack.toml and the jobs for a CI to the repository. It does not change
// existing files.
func Initialize(ctx context.Context, a *workspace.Session, opt Options) (res Result, err error) {
	ci, action := opt.CI, opt.Action
	if res.On, err = checkOn(opt.On); err != nil {
		return res, err
	}
	if action != "" && !gitrepo.IsHash(action) {
		return res, fault.Usagef("--action %q is not a commit hash: use 40 hex digits, because a tag can be moved", action)
	}
	repo, err := a.Repository(ctx)
	if err != nil {
		return res, fault.Git(err)
	}
	if res.CI = ci; ci == "" {
		if res.CI, res.Guessed, err = FindCI(ctx, repo); err != nil {
			return res, err
		}
	}
	if res.CI != GitHub && res.On != config.OnPush {
		return res, fault.Usagef("--on %s works only on GitHub, but this repository is on %s", res.On, res.CI)
	}
	if res.Shards = opt.Shards; res.CI != GitHub && res.Shards > 1 {
		return res, fault.Usagef("--shards works only on GitHub, but this repository is on %s", res.CI)
	}
	if res.Pages = opt.Pages; res.CI != GitHub && res.Pages {
		return res, fault.Usagef("--pages works only on GitHub, but this repository is on %s", res.CI)
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
	var names []string
	for _, t := range res.Targets() {
		names = append(names, t.Name)
	}
	res.Harnesses = harness.Find(root.FS(), names...)
	res.Measured = res.CanMeasure(kept) || kept == nil && slices.ContainsFunc(res.Harnesses, func(f harness.Found) bool { return f.Unfinished == "" })
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

// branchName returns the name of the default branch or, without a remote, of the current branch. It
// returns main if the name cannot be used in a workflow as it is.
func branchName(ctx context.Context, repo *gitrepo.Repo) (string, error) {
	rev, err := repo.DefaultBranch(ctx)
	if errors.Is(err, gitrepo.ErrNoDefaultBranch) {
		var state gitrepo.State
		state, err = repo.WorkTree(ctx, gitrepo.Own{})
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

// A textFile is a file to write.
type textFile struct{ path, text string }

// initFiles returns the files for a repository. They use perftrack at the given commit.
func initFiles(found Result, commit string) ([]textFile, error) {
	found.On = cmp.Or(found.On, config.OnPush)
	files := []textFile{{config.FileName, configText(found)}}
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

// workflowText returns the text of a workflow, adapted to the repository. The workflow sets up Go
// only if the root has a go.mod.
func workflowText(text, action, branch string, goModule bool) string {
	text = strings.ReplaceAll(text, "uses: perftrack-action", "uses: "+action)
	text = strings.ReplaceAll(text, "branches: [main]", `branches: ["`+branch+`"]`)
	if !goModule {
		text = setupGo.ReplaceAllString(text, "")
	}
	return text
}

// configText returns a perftrack.toml with a target for each covered module and each harness.
func configText(found Result) string {
	var b strings.Builder
	b.WriteString(`# The benchmarks to measure, and the size of a change that matters.
[defaults]
threshold = "5%"  # smallest change worth blocking
alpha     = "1%"  # chance of a false alarm for a pull request without any change
`)
	if found.On != config.OnPush {
		fmt.Fprintf(&b, "on        = %-6q # which pull requests to measure; the status of the others does not block\n", found.On)
	}
	if found.Site != "" {
		fmt.Fprintf(&b, "site      = %q # address of the page: comments link to it\n", found.Site)
	}
	targets := found.Targets()
	for _, t := range targets {
		fmt.Fprintf(&b, "\n[[target]]\nname     = %q\nkind     = \"gotest\"\npackages = [%q]\n", t.Name, t.Packages[0])
	}
	for _, f := range found.Harnesses {
		b.WriteString("\n" + f.Text())
	}
	if len(targets)+len(found.Harnesses) == 0 {
		b.WriteString(noTargetText(found.Tree))
	}
	return b.String()
}

// writeNew writes a file unless it already exists. It does not follow symbolic links out of the
// repository.
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
