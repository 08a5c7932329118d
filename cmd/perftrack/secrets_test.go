package main

import (
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// Whatever perftrack is asked to do with a token in its environment, the token is in
// no output, no file, no argument of git, and not in the environment of what is
// measured. The one place for it is the header of a request: see TestTokenStays.
func TestTokenIsNowhere(t *testing.T) {
	const canary = "ghs_canary0123456789"
	v := newVictim(t)
	dir := filepath.Dir(v.repo)
	git, err := exec.LookPath("git")
	if err != nil {
		t.Fatal(err)
	}
	seen := filepath.Join(dir, "seen")
	writeFile(t, filepath.Join(dir, "path", "git"), fmt.Sprintf("#!/bin/sh\necho \"git $*\" >>%s\nexec %s \"$@\"\n", seen, git), 0o755)
	v.git("init", "-q", "--bare", filepath.Join(dir, "bare.git"))
	v.git("remote", "add", "origin", filepath.Join(dir, "bare.git"))
	writeFile(t, filepath.Join(v.repo, "bench.sh"), fmt.Sprintf("{ echo bench; env; tr '\\000' ' ' </proc/$PPID/cmdline; } >>%s\necho 'BenchmarkX 10 100 ns/op'\n", seen), 0o644)
	v.git("add", ".")
	v.git("commit", "-q", "-m", "three")
	v.git("commit", "-q", "-m", "four", "--allow-empty")

	var said bytes.Buffer
	for _, args := range [][]string{
		{"run", "--rounds", "2"}, {"run", "--against", "HEAD~1", "--rounds", "2"}, {"check", "--base", "HEAD~1", "--budget", "1s"}, {"list", "runs"},
		{"history", "X"}, {"compare", "HEAD~1", "HEAD"}, {"export"}, {"sync"}, {"sync", "--compact"}, {"db", "verify"}, {"profile"},
		{"accept", "X", "--commit", "HEAD", "--reason", "why"}, {"comment", "--dry-run"}, {"notify"}, {"limits"}, {"version"},
		{"init", "--action", "o/r@" + strings.Repeat("a", 40)}, {"nosuch"},
	} {
		c, out := v.command(args...)
		c.Env = append(c.Env, "GITHUB_TOKEN="+canary, "GITHUB_REPOSITORY=o/r", "GITHUB_API_URL=http://api.invalid", "GITLAB_TOKEN="+canary, "PERFTRACK_WEBHOOK=http://hooks.invalid/"+canary, "PATH="+filepath.Join(dir, "path")+":"+os.Getenv("PATH"), "GITHUB_ACTIONS=", "GITHUB_EVENT_PATH=")
		err := c.Run() // some fail, and say why
		fmt.Fprintf(&said, "perftrack %v: %v\n%s\n", args, err, out)
	}
	if bytes.Contains(said.Bytes(), []byte(canary)) {
		t.Errorf("the token was printed:\n%s", &said)
	}
	measured, err := os.ReadFile(seen)
	if err != nil || !bytes.Contains(measured, []byte("\nbench\n")) || !bytes.Contains(measured, []byte("PERFTRACK_VICTIM=")) || !bytes.Contains(measured, []byte(" push ")) {
		t.Fatalf("nothing was recorded: %v\n%s\n%s", err, measured, &said)
	}
	files := 0
	err = filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() || path == v.binary {
			return err
		}
		text, err := os.ReadFile(path)
		if files++; bytes.Contains(text, []byte(canary)) {
			t.Errorf("the token is in %s", strings.TrimPrefix(path, dir))
		}
		return err
	})
	if err != nil || files < 20 {
		t.Errorf("looked into %d files, %v", files, err)
	}
}
