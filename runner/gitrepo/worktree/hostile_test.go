package worktree

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/perftrack/perftrack/runner/gitrepo"
	"github.com/perftrack/perftrack/runner/gitrepo/internal/git"
	"github.com/perftrack/perftrack/runner/gitrepo/internal/gittest"
)

// hostileRepo returns a repository whose files and configuration try to run a command that creates
// the file canary.
func hostileRepo(t *testing.T, canary string) string {
	t.Helper()
	touch := "touch " + canary
	dir := gittest.New(t, 1)
	sub := gittest.New(t, 1)
	gittest.WriteFile(t, sub, ".git/hooks/post-checkout", "#!/bin/sh\n"+touch+"\n")
	gittest.Run(t, dir, "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", sub, "sub")
	gittest.Run(t, dir, "config", "-f", ".gitmodules", "submodule.sub.update", "!"+touch)
	gittest.WriteFile(t, dir, ".gitattributes", "*.x filter=evil diff=evil merge=evil\n*.y filter=e=v.i\n*.z filter=late\n*.w filter=lfs\n*.v filter=inc\n")
	for _, name := range []string{"a.x", "a.y", "a.z", "a.w", "a.v"} {
		gittest.WriteFile(t, dir, name, name)
	}
	gittest.Run(t, dir, "add", ".")
	gittest.Run(t, dir, "commit", "--quiet", "-m", "hostile")
	for _, hook := range []string{"post-checkout", "post-index-change", "reference-transaction", "fsmonitor-watchman", "post-commit", "pre-auto-gc"} {
		gittest.WriteFile(t, dir, ".git/hooks/"+hook, "#!/bin/sh\n"+touch+"\n")
	}
	// includeIf gives the linked worktree a configuration of its own.
	gittest.WriteFile(t, dir, ".git/late", fmt.Sprintf("[filter \"late\"]\n\tsmudge = %s; cat\n\trequired = true\n", touch))
	gittest.WriteFile(t, dir, ".git/inc", fmt.Sprintf("[filter \"inc\"]\n\tprocess = %s\n", touch))
	config := fmt.Sprintf(`[core]
	fsmonitor = %[1]s
	hooksPath = %[2]s/.git/hooks
	sshCommand = %[1]s
	gitProxy = %[1]s
	pager = %[1]s
	editor = %[1]s
	askPass = %[1]s
	alternateRefsCommand = %[1]s
[filter "evil"]
	smudge = %[1]s; cat
	clean = %[1]s; cat
	process = %[1]s
	required = true
[filter "e=v.i"]
	smudge = %[1]s; cat
	clean = %[1]s; cat
	required
[filter "lfs"]
	smudge = git-lfs smudge -- %%f
	process = %[1]s
	required = true
[include]
	path = inc
[includeIf "gitdir:**/worktrees/**"]
	path = late
[diff "evil"]
	command = %[1]s
	textconv = %[1]s
[merge "evil"]
	driver = %[1]s
[diff]
	external = %[1]s
[gpg]
	program = %[1]s
[log]
	showSignature = true
[pager]
	status = %[1]s
	worktree = %[1]s
[alias]
	status = !%[1]s
	worktree = !%[1]s
[submodule]
	recurse = true
[fetch]
	recurseSubmodules = true
[protocol "ext"]
	allow = always
[protocol "file"]
	allow = always
[remote "origin"]
	url = %[2]s
	promisor = true
	uploadpack = %[1]s
	fetch = +refs/heads/*:refs/remotes/origin/*
[credential]
	helper = !%[1]s
[uploadpack]
	packObjectsHook = %[1]s
`, touch, dir)
	text, err := os.ReadFile(filepath.Join(dir, ".git/config"))
	if err != nil {
		t.Fatal(err)
	}
	gittest.WriteFile(t, dir, ".git/config", string(text)+config)
	return dir
}

func TestHostileRepository(t *testing.T) {
	temp := gittest.Isolate(t)
	canary := filepath.Join(t.TempDir(), "canary")
	dir := hostileRepo(t, canary)
	check := func(what string) {
		t.Helper()
		if _, err := os.Lstat(canary); err == nil {
			t.Fatalf("%s made the canary", what)
		}
	}
	repo := opened(t, dir)
	check("Open")
	head := resolved(t, repo, "HEAD")
	_, _ = repo.Resolve(t.Context(), strings.Repeat("1", 40)) // looks like a promised object
	_, _ = repo.Resolve(t.Context(), "elsewhere")
	check("Resolve")
	if order, err := repo.Order(t.Context(), []string{head.SHA, strings.Repeat("1", 40)}); err != nil || len(order) != 1 {
		t.Errorf("order = %v, %v", order, err)
	}
	check("Order")
	later := []string{"a.x", "a.y", "a.z", "a.w", "a.v"}
	for _, name := range later {
		gittest.WriteFile(t, dir, name, name+" ") // so that git status has to read them
		gittest.WriteFile(t, dir, name, name)
	}
	if _, err := repo.WorkTree(t.Context(), gitrepo.Own{}); err != nil {
		t.Error(err)
	}
	check("WorkTree")
	w, err := Add(t.Context(), repo, head)
	check("AddWorktree")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range later {
		if text, err := os.ReadFile(filepath.Join(w.Dir, name)); err != nil || string(text) != name {
			t.Errorf("%s is %q, %v", name, text, err)
		}
	}
	if left := gittest.Entries(t, filepath.Join(w.Dir, "sub")); len(left) != 0 {
		t.Errorf("the submodule was checked out: %q", left)
	}
	var caveats []string
	for _, caveat := range w.Caveats {
		caveats = append(caveats, strings.ReplaceAll(caveat, w.Commit.SHA[:12], "ID"))
	}
	want := []string{
		`filter "e=v.i", which only the repository's configuration defines, was not run on the files in ID`,
		`filter "evil", which only the repository's configuration defines, was not run on the files in ID`,
		`filter "inc", which only the repository's configuration defines, was not run on the files in ID`,
		`filter "late", which only the repository's configuration defines, was not run on the files in ID`,
		`filter "lfs", which only the repository's configuration defines, was not run on the files in ID`,
		"the submodules of ID were not checked out",
	}
	if !slices.Equal(caveats, want) {
		t.Errorf("caveats %q\nwant %q", caveats, want)
	}
	if err := errors.Join(Prune(t.Context(), repo), w.Remove(t.Context())); err != nil {
		t.Error(err)
	}
	check("Remove")
	if left := gittest.Entries(t, temp); len(left) != 0 {
		t.Errorf("left: %q", left)
	}
	// Check that the canary works: plain git runs the commands that this package did not run.
	cmd := exec.CommandContext(t.Context(), "git", "worktree", "add", "--detach", filepath.Join(t.TempDir(), "plain"), head.SHA)
	cmd.Dir = dir
	_ = cmd.Run()
	if _, err := os.Lstat(canary); err != nil {
		t.Errorf("the repository is not hostile: %v", err)
	}
}

// Filters configured by the user run, and so does Git LFS as CI checkouts install it.
func TestTrustedFilters(t *testing.T) {
	gittest.Isolate(t)
	bin := t.TempDir()
	gittest.WriteFile(t, bin, "git-lfs", "#!/bin/sh\ncat >/dev/null\nprintf large\n")
	t.Setenv("PATH", bin+":"+os.Getenv("PATH"))
	dir := gittest.New(t, 1)
	gittest.WriteFile(t, dir, ".gitattributes", "*.bin filter=lfs\n*.txt filter=users\n")
	gittest.WriteFile(t, dir, "a.bin", "pointer")
	gittest.WriteFile(t, dir, "a.txt", "small")
	gittest.Run(t, dir, "add", ".")
	gittest.Run(t, dir, "commit", "--quiet", "-m", "pointers")
	gittest.Run(t, dir, "config", "filter.lfs.smudge", "git-lfs smudge -- %f")
	gittest.Run(t, dir, "config", "filter.lfs.clean", "git-lfs clean -- %f")
	gittest.Run(t, dir, "config", "filter.lfs.required", "true")
	gittest.WriteFile(t, bin, "gitconfig", "[filter \"users\"]\n\tsmudge = tr a-z A-Z\n")
	t.Setenv("GIT_CONFIG_GLOBAL", filepath.Join(bin, "gitconfig"))
	w := addWorktree(t, opened(t, dir), "HEAD")
	for name, want := range map[string]string{"a.bin": "large", "a.txt": "SMALL"} {
		if text, err := os.ReadFile(filepath.Join(w.Dir, name)); err != nil || string(text) != want {
			t.Errorf("%s is %q, %v", name, text, err)
		}
	}
	if len(w.Caveats) != 0 {
		t.Errorf("caveats %q", w.Caveats)
	}
}

// Every value from outside is passed after --end-of-options, or on standard input as a checked
// object name.
func TestArguments(t *testing.T) {
	gittest.Isolate(t)
	upstream := gittest.New(t, 3)
	dir := gittest.TempDir(t)
	gittest.Run(t, dir, "clone", "--quiet", "--depth=1", "file://"+upstream, ".")
	real, err := exec.LookPath("git")
	if err != nil {
		t.Fatal(err)
	}
	bin, log := t.TempDir(), filepath.Join(t.TempDir(), "log")
	gittest.WriteFile(t, bin, "git", fmt.Sprintf("#!/bin/sh\n{ printf '%%s\\000' \"$@\"; printf '\\n\\000'; } >>%s\nexec %s \"$@\"\n", log, real))
	t.Setenv("PATH", bin+":"+os.Getenv("PATH"))

	repo := opened(t, dir)
	var outside []string
	for _, rev := range []string{"XYZZY", "-XYZZY", "--XYZZY=1", "XYZZY~2", "HEAD~7XYZZY", "HEAD^{/XYZZY}", "XYZZY^2", "x/XYZZY", "main@{XYZZY}"} {
		outside = append(outside, rev)
		_, _ = repo.Resolve(t.Context(), rev)
	}
	_, _ = repo.Order(t.Context(), []string{"XYZZY", "--XYZZY", strings.Repeat("1", 40)})
	if _, err := Add(t.Context(), repo, gitrepo.Commit{SHA: "--XYZZY"}); err == nil {
		t.Error("no error")
	}
	head := resolved(t, repo, "HEAD")
	w := addWorktree(t, repo, "HEAD")
	_, _ = repo.WorkTree(t.Context(), gitrepo.Own{})
	_ = Prune(t.Context(), repo)
	if err := w.Remove(t.Context()); err != nil {
		t.Error(err)
	}

	text, err := os.ReadFile(log)
	if err != nil {
		t.Fatal(err)
	}
	calls := strings.Split(strings.TrimSuffix(string(text), "\x00\n\x00"), "\x00\n\x00")
	seen := 0
	for _, call := range calls {
		args := strings.Split(call, "\x00")
		if !slices.Equal(args[:len(git.SafeConfig)], git.SafeConfig) {
			t.Errorf("without the settings: %q", args)
		}
		end := slices.Index(args, "--end-of-options")
		for i, arg := range args {
			if strings.Contains(arg, "XYZZY") {
				seen++
				if end < 0 || i < end {
					t.Errorf("%q stands before --end-of-options in %q", arg, args)
				}
			}
			if strings.Contains(arg, head.SHA[:7]) && !git.IsObjectName(strings.TrimSuffix(arg, "^{commit}")) {
				t.Errorf("%q is no checked object name in %q", arg, args)
			}
		}
	}
	if seen < len(outside) || len(calls) < 20 {
		t.Errorf("%d values in %d calls: the recorder does not record", seen, len(calls))
	}
}

// Asking a partial clone for missing commits fetches nothing.
func TestPartialClone(t *testing.T) {
	gittest.Isolate(t)
	upstream := gittest.New(t, 2)
	gittest.Run(t, upstream, "config", "uploadpack.allowFilter", "true")
	gittest.Run(t, upstream, "config", "uploadpack.allowAnySHA1InWant", "true")
	clone := gittest.TempDir(t)
	gittest.Run(t, clone, "clone", "--quiet", "--no-checkout", "--filter=tree:0", "file://"+upstream, ".")
	gittest.WriteFile(t, upstream, "n", "later")
	gittest.Run(t, upstream, "commit", "--quiet", "-a", "-m", "later")
	later := gittest.Run(t, upstream, "rev-parse", "HEAD")
	repo := opened(t, clone)
	head := resolved(t, repo, "HEAD")
	objects := gittest.Fingerprint(t, clone)
	got, err := repo.Order(t.Context(), []string{later, head.SHA})
	if err != nil || len(got) != 1 || got[head.SHA] != 1 {
		t.Errorf("order = %v, %v", got, err)
	}
	if _, err := repo.Resolve(t.Context(), later); err == nil {
		t.Error("resolved a commit that is not here")
	}
	if gittest.Fingerprint(t, clone) != objects {
		t.Error("something was fetched")
	}
	// A checkout has to fetch the files.
	w := addWorktree(t, repo, "HEAD")
	if text, err := os.ReadFile(w.Dir + "/n"); err != nil || string(text) != "xx" {
		t.Errorf("file is %q, %v", text, err)
	}
}

// A hook inherits variables that name its repository and its index.
func TestInsideHook(t *testing.T) {
	gittest.Isolate(t)
	other, dir := gittest.New(t, 3), gittest.New(t, 1)
	gittest.WriteFile(t, other, "o", "")
	gittest.Run(t, other, "add", "o") // its index differs from dir's
	t.Setenv("GIT_DIR", filepath.Join(other, ".git"))
	t.Setenv("GIT_WORK_TREE", other)
	t.Setenv("GIT_INDEX_FILE", filepath.Join(other, ".git", "index"))
	index, err := os.ReadFile(filepath.Join(other, ".git", "index"))
	if err != nil {
		t.Fatal(err)
	}
	repo := opened(t, dir)
	if repo.Root() != dir {
		t.Errorf("root = %s, want %s", repo.Root(), dir)
	}
	state, err := repo.WorkTree(t.Context(), gitrepo.Own{})
	if err != nil || state.Dirty || state.Commit.Subject != "change a" {
		t.Errorf("state = %+v, %v", state, err)
	}
	w, err := Add(t.Context(), repo, state.Commit)
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Remove(t.Context()); err != nil {
		t.Error(err)
	}
	after, err := os.ReadFile(filepath.Join(other, ".git", "index"))
	if err != nil || !slices.Equal(index, after) {
		t.Errorf("the hook's index has changed (%v)", err)
	}
}
