package gitrepo

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/perftrack/perftrack/runner/gitrepo/internal/git"
	"github.com/perftrack/perftrack/runner/gitrepo/internal/gittest"
)

// hostileRevs returns revisions disguised as an option, a command, another transport or a path.
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

// Every hostile revision is either unknown or resolves to a commit, without side effects.
func TestHostileRevisions(t *testing.T) {
	gittest.Isolate(t)
	dir := gittest.New(t, 2)
	// Git itself refuses references with these names.
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
		var missing *MissingError
		if errors.As(err, &missing) && missing.Fetch != "" {
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

// A suggested command must be safe, because users paste it into a shell.
func TestHostileAdvice(t *testing.T) {
	gittest.Isolate(t)
	upstream := gittest.New(t, 2)
	clone := gittest.TempDir(t)
	gittest.Run(t, clone, "clone", "--quiet", "--depth=1", "file://"+upstream, ".")
	repo := open(t, clone)
	for _, rev := range hostileRevs("canary") {
		_, err := repo.Resolve(t.Context(), rev)
		var missing *MissingError
		if errors.As(err, &missing) && strings.Trim(missing.Fetch,
			"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789 -=:/._+") != "" {
			t.Errorf("Resolve(%q) advises %q", rev, missing.Fetch)
		}
	}
}
