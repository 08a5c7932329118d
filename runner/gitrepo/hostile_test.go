package gitrepo

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/perftrack/perftrack/runner/gitrepo/internal/git"
	"github.com/perftrack/perftrack/runner/gitrepo/internal/gittest"
)

// hostileRevs try to be an option, a command, another transport or a path.
func hostileRevs(canary string) []string {
	return []string{
		"--output=" + canary, "--output", "-o" + canary, "-o", "--upload-pack=touch " + canary, "--upload-pack=" + canary,
		"--exec=touch " + canary, "--receive-pack=touch " + canary, "--git-dir=" + canary, "--work-tree=/", "--namespace=x",
		"-c", "-ccore.pager=touch " + canary, "--config-env=core.pager=HOME", "--exec-path=" + canary, "--paginate", "--help",
		"--version", "--all", "--branches", "--glob=*", "--stdin", "--not", "--verify", "--sq", "--parseopt", "--end-of-options",
		"--", "-", "-1", "--local-env-vars", "--show-toplevel", "--path-format=absolute", "--disambiguate=0", "-- " + canary,
		"a;touch " + canary, "a$(touch " + canary + ")", "a`touch " + canary + "`", "a|touch " + canary, "a&touch " + canary,
		"a>" + canary, "a\ntouch " + canary, "a\x00b", "\x00", "\n", " ", "\t", "a b", "~/x", "*", "?", "[a]", "{a,b}", "\\", "\xff\xfe", "\u202e",
		"ext::sh -c touch% " + canary, "ext::touch " + canary, "file://" + canary, "ssh://-oProxyCommand=touch " + canary, "|touch " + canary,
		"refs/heads/-x", "-x", "refs/heads/--output=" + canary, "@{-1}", "@{-99}", "@{1000000000000}", "HEAD@{yesterday}x", "HEAD@{", "HEAD^{",
		"HEAD^{/x", "HEAD^{blob}", "HEAD:n", "HEAD:../../etc/passwd", ":n", ":0:n", ":/", ":!", ":(exclude)x", "HEAD^!", "HEAD^@", "^HEAD",
		"HEAD..", "..HEAD", "a..b", "a...b", "HEAD..HEAD", "HEAD...HEAD", "../../../etc/passwd", "/etc/passwd", ".", "..", ".git/HEAD",
		"HEAD~99999999999999999999", "HEAD^99999999999999999999", "HEAD~-1", strings.Repeat("^", 2000), strings.Repeat("a/", 2000),
		strings.Repeat("f", 41), strings.Repeat("0", 40), strings.Repeat("0", 64), "0000", "refs/", "refs/heads/", "HEAD.lock", "%s%n%d",
	}
}

// Every hostile revision is unknown, or is the id of a commit; nothing else happens.
func TestHostileRevisions(t *testing.T) {
	gittest.Isolate(t)
	dir := gittest.New(t, 2)
	// References that git itself refuses to make with such names.
	head := gittest.Run(t, dir, "rev-parse", "HEAD")
	for _, name := range []string{"-x", "--output=x", "-"} {
		gittest.WriteFile(t, dir, ".git/refs/heads/"+name, head+"\n")
	}
	canary := filepath.Join(t.TempDir(), "canary")
	before := gittest.Fingerprint(t, dir)
	repo := open(t, dir)
	revs := hostileRevs(canary)
	if len(revs) < 60 {
		t.Fatalf("only %d revisions", len(revs))
	}
	for _, rev := range revs {
		commit, err := repo.Resolve(t.Context(), rev)
		if err == nil && !git.IsObjectName(commit.SHA) {
			t.Errorf("Resolve(%q) = %+v", rev, commit)
		}
		if missing, ok := errors.AsType[*MissingError](err); ok && missing.Fetch != "" {
			t.Errorf("Resolve(%q) advises %q", rev, missing.Fetch)
		}
		if _, err := os.Lstat(canary); err == nil {
			t.Fatalf("Resolve(%q) made the canary", rev)
		}
	}
	if after := gittest.Fingerprint(t, dir); after != before {
		t.Errorf("before:\n%s\nafter:\n%s", before, after)
	}
}

// A command that is advised is one that a user will paste into a shell.
func TestHostileAdvice(t *testing.T) {
	gittest.Isolate(t)
	upstream := gittest.New(t, 2)
	clone := gittest.TempDir(t)
	gittest.Run(t, clone, "clone", "--quiet", "--depth=1", "file://"+upstream, ".")
	repo := open(t, clone)
	for _, rev := range hostileRevs("canary") {
		_, err := repo.Resolve(t.Context(), rev)
		if missing, ok := errors.AsType[*MissingError](err); ok && strings.Trim(missing.Fetch,
			"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789 -=:/._+") != "" {
			t.Errorf("Resolve(%q) advises %q", rev, missing.Fetch)
		}
	}
}

// hostileRepo is a repository whose files and configuration try to run a command that
// makes the canary.
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
	repo := open(t, dir)
	check("Open")
	head := resolve(t, repo, "HEAD")
	_, _ = repo.Resolve(t.Context(), strings.Repeat("1", 40)) // a promised object, as it were
	_, _ = repo.Resolve(t.Context(), "elsewhere")
	check("Resolve")
	if order, err := repo.Order(t.Context(), []string{head.SHA, strings.Repeat("1", 40)}); err != nil || len(order) != 1 {
		t.Errorf("order = %v, %v", order, err)
	}
	check("Order")
	later := []string{"a.x", "a.y", "a.z", "a.w", "a.v"}
	for _, name := range later {
		gittest.WriteFile(t, dir, name, name+" ") // so that the status has to look into them
		gittest.WriteFile(t, dir, name, name)
	}
	if _, err := repo.WorkTree(t.Context()); err != nil {
		t.Error(err)
	}
	check("WorkTree")
	w, err := repo.AddWorktree(t.Context(), head)
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
		`filter "e=v.i" of the repository's own configuration was not run on the files of ID`,
		`filter "evil" of the repository's own configuration was not run on the files of ID`,
		`filter "inc" of the repository's own configuration was not run on the files of ID`,
		`filter "late" of the repository's own configuration was not run on the files of ID`,
		`filter "lfs" of the repository's own configuration was not run on the files of ID`,
		"submodules of ID are not checked out",
	}
	if !slices.Equal(caveats, want) {
		t.Errorf("caveats %q\nwant %q", caveats, want)
	}
	if err := errors.Join(repo.Prune(t.Context()), w.Remove(t.Context())); err != nil {
		t.Error(err)
	}
	check("Remove")
	if left := gittest.Entries(t, temp); len(left) != 0 {
		t.Errorf("left: %q", left)
	}
	// The canary does sing: plain git runs what this package did not.
	cmd := exec.CommandContext(t.Context(), "git", "worktree", "add", "--detach", filepath.Join(t.TempDir(), "plain"), head.SHA)
	cmd.Dir = dir
	_ = cmd.Run()
	if _, err := os.Lstat(canary); err != nil {
		t.Errorf("the repository is not hostile: %v", err)
	}
}

// Filters that the user chose run, and so does Git LFS as CI checkouts install it.
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
	w := addWorktree(t, open(t, dir), "HEAD")
	for name, want := range map[string]string{"a.bin": "large", "a.txt": "SMALL"} {
		if text, err := os.ReadFile(filepath.Join(w.Dir, name)); err != nil || string(text) != want {
			t.Errorf("%s is %q, %v", name, text, err)
		}
	}
	if len(w.Caveats) != 0 {
		t.Errorf("caveats %q", w.Caveats)
	}
}

// Every value that comes from outside stands after --end-of-options, or goes in on
// standard input as a checked object name.
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

	repo := open(t, dir)
	var outside []string
	for _, rev := range []string{"XYZZY", "-XYZZY", "--XYZZY=1", "XYZZY~2", "HEAD~7XYZZY", "HEAD^{/XYZZY}", "XYZZY^2", "x/XYZZY", "main@{XYZZY}"} {
		outside = append(outside, rev)
		_, _ = repo.Resolve(t.Context(), rev)
	}
	_, _ = repo.Order(t.Context(), []string{"XYZZY", "--XYZZY", strings.Repeat("1", 40)})
	if _, err := repo.AddWorktree(t.Context(), Commit{SHA: "--XYZZY"}); err == nil {
		t.Error("no error")
	}
	head := resolve(t, repo, "HEAD")
	w := addWorktree(t, repo, "HEAD")
	_, _ = repo.WorkTree(t.Context())
	_ = repo.Prune(t.Context())
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
