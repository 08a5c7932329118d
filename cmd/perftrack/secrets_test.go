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

// canary is the value of variables forbidden to all measured code.
const canary = "ghs_canary0123456789"

// canaries returns variables named like the tokens of forges and clouds, and some more. All contain
// the canary.
func canaries() (env []string) {
	for _, name := range strings.Fields(`GITHUB_TOKEN GH_TOKEN GITLAB_TOKEN CI_JOB_TOKEN FORGEJO_TOKEN PERFTRACK_TOKEN
		ACTIONS_ID_TOKEN_REQUEST_TOKEN ACTIONS_RUNTIME_TOKEN AWS_ACCESS_KEY_ID AWS_SECRET_ACCESS_KEY AWS_SESSION_TOKEN
		GOOGLE_API_KEY GOOGLE_APPLICATION_CREDENTIALS GOAUTH NPM_TOKEN DATABASE_URL SLACK_URL STRIPE_KEY LC_TOKEN OMP_TOKEN XDG_TOKEN`) {
		env = append(env, name+"="+canary)
	}
	return append(env, "PERFTRACK_WEBHOOK=http://hooks.invalid/"+canary, "GOPROXY=https://user:"+canary+"@proxy.invalid,off")
}

// spy is a line of shell that writes the readable environments to a file: its own, and those of its
// parent processes.
const spy = `{ env; p=$$; for i in 1 2 3 4; do
	while read -r key value; do [ "$key" = PPid: ] && parent=$value; done </proc/$p/status
	p=$parent; tr '\000' '\n' </proc/$p/cmdline; tr '\000' '\n' </proc/$p/environ 2>/dev/null; done; } >>`

// If perftrack's environment contains tokens, no command puts them into an output, a file, an
// argument for git, or an environment readable by measured code. The only place for a token is the
// header of a request: see TestTokenStays.
func TestTokenIsNowhere(t *testing.T) {
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
	writeFile(t, filepath.Join(v.repo, "bench.sh"), "echo bench >>"+seen+"\n"+spy+seen+"\necho 'BenchmarkX 10 100 ns/op'\n", 0o644)
	writeFile(t, filepath.Join(v.repo, "build.sh"), "echo build >>"+seen+"\n"+spy+seen+"\n", 0o644)
	writeFile(t, filepath.Join(v.repo, "perftrack.toml"), "[[target]]\nname = 'victim'\nkind = 'command'\nbuild = 'sh build.sh'\nrun = 'sh bench.sh'\nenv = ['LISTED']\n", 0o644)
	v.git("add", ".")
	v.git("commit", "-q", "-m", "three")
	v.git("commit", "-q", "-m", "four", "--allow-empty")

	var said bytes.Buffer
	for _, args := range [][]string{
		{"run", "--rounds", "2"}, {"run", "--against", "HEAD~1", "--rounds", "2"}, {"check", "--base", "HEAD~1", "--budget", "1s"}, {"list", "runs"},
		{"history", "X"}, {"compare", "HEAD~1", "HEAD"}, {"export"}, {"sync"}, {"db", "verify"}, {"profile"},
		{"accept", "X", "--commit", "HEAD", "--reason", "why"}, {"comment", "--dry-run"}, {"notify"}, {"limits"}, {"version"},
		{"init", "--action", "o/r@" + strings.Repeat("a", 40)}, {"nosuch"},
	} {
		c, out := v.command(args...)
		c.Env = append(append(c.Env, canaries()...), "LISTED=by the user", "GITHUB_REPOSITORY=o/r", "GITHUB_API_URL=http://api.invalid", "PATH="+filepath.Join(dir, "path")+":"+os.Getenv("PATH"), "GITHUB_ACTIONS=", "GITHUB_EVENT_PATH=")
		err := c.Run() // some fail with an error message
		fmt.Fprintf(&said, "perftrack %v: %v\n%s\n", args, err, out)
	}
	if bytes.Contains(said.Bytes(), []byte(canary)) {
		t.Errorf("the token was printed:\n%s", &said)
	}
	measured, err := os.ReadFile(seen)
	for _, want := range []string{"\nbench\n", "\nbuild\n", "\nLISTED=by the user\n", "\n" + v.mark + "\n", " push ", "\n__supervise\n", "\n--against\n"} {
		if err != nil || !bytes.Contains(measured, []byte(want)) {
			t.Fatalf("nothing was recorded of %q: %v\n%s\n%s", want, err, measured, &said)
		}
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
