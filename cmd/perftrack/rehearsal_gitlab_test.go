package main

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/console"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/gitlabtest"
)

// A shellRunner runs the jobs written by perftrack init for GitLab and Forgejo.
type shellRunner struct {
	t    *testing.T
	bare string
	jobs map[string]gitLabJob
	env  []string // for all jobs
}

type gitLabJob struct {
	Script    []string
	Variables map[string]string
	Artifacts struct {
		Paths   []string
		Reports map[string]string
	}
	Environment struct{ Name string }
}

// The GitLab jobs run from perftrack init to the note. One job measures without a token and fails
// because something regressed; the other reports this on the merge request.
func TestRehearsalOfGitLab(t *testing.T) {
	g, work, head := newRepository(t, "gitlab")
	g.read(filepath.Join(work, ".gitlab", "perftrack.yml"))

	f := gitlabtest.New(t)
	f.Requests[12] = gitlabtest.Request{State: "opened", SHA: head}
	f.Commits[9] = head
	ci := []string{"GITLAB_CI=true", "CI_MERGE_REQUEST_TARGET_BRANCH_NAME=main", "CI_MERGE_REQUEST_IID=12", "CI_MERGE_REQUEST_PROJECT_ID=" + gitlabtest.Project,
		"CI_COMMIT_SHA=" + head, "CI_API_V4_URL=" + f.URL(), "CI_PIPELINE_ID=9", "CI_JOB_URL=https://git.example/jobs/1"}
	left, code, log := g.play("perftrack-measure", head, ci, nil)
	if code != console.ExitRegression || len(left) != 3 || !strings.Contains(left["perftrack-junit.xml"], `failures="1"`) || !strings.Contains(left["perftrack-codequality.json"], "perftrack-regressed") {
		t.Fatalf("exit %d, %d files\n%s", code, len(left), log)
	}
	if asked, _ := f.Seen(); len(asked) > 0 {
		t.Errorf("the job that measures asked for %q", asked)
	}
	token := append(ci, "GITLAB_TOKEN="+gitlabtest.Token)
	if _, code, log := g.play("perftrack-comment", head, token, map[string]string{"perftrack-trial.txt": left["perftrack-trial.txt"]}); code != 0 || strings.Contains(log, gitlabtest.Token) {
		t.Errorf("exit %d\n%s", code, log)
	}
	notes := f.Ours()
	if _, told := f.Seen(); len(notes) != 1 || !strings.Contains(notes[0].Body, "1 benchmark regressed") || len(told) != 1 || told[0]["state"] != "failed" || told[0]["sha"] != head {
		t.Errorf("%+v\n%v", notes, told)
	}
	if env := g.jobs["perftrack-comment"].Environment.Name; env != "perftrack" || g.jobs["perftrack-measure"].Environment.Name != "" {
		t.Errorf("the environment, which has the token, is %q", env)
	}

	// Without a trial the status is failed. A token refused by GitLab does not fail the job.
	_, code, log = g.play("perftrack-comment", head, token, nil)
	if _, told := f.Seen(); code != 0 || told[len(told)-1]["state"] != "failed" || !strings.Contains(f.Ours()[0].Body, "without a result") {
		t.Errorf("exit %d\n%s", code, log)
	}
	if _, code, log := g.play("perftrack-comment", head, append(ci, "CI_JOB_TOKEN=x"), nil); code != 0 || !strings.Contains(log, "pass a project token with the api scope") {
		t.Errorf("exit %d\n%s", code, log)
	}
}

// newRepository returns a repository set up by perftrack init. Its branch slower was pushed before
// later commits on the default branch.
func newRepository(t *testing.T, ci string) (g *shellRunner, work, head string) {
	t.Helper()
	g = &shellRunner{t: t, bare: filepath.Join(t.TempDir(), "project.git")}
	bin := t.TempDir()
	work = filepath.Join(t.TempDir(), "work")
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(exe, filepath.Join(bin, "perftrack")); err != nil { // acts as perftrack
		t.Fatal(err)
	}
	g.env = []string{"PATH=" + bin + ":" + os.Getenv("PATH"), "HOME=" + t.TempDir(), "GIT_CONFIG_GLOBAL=" + os.DevNull, "GIT_CONFIG_NOSYSTEM=1", "GORACE=atexit_sleep_ms=0",
		"GIT_AUTHOR_NAME=T", "GIT_AUTHOR_EMAIL=t@example.com", "GIT_COMMITTER_NAME=T", "GIT_COMMITTER_EMAIL=t@example.com",
		"GOCACHE=" + goEnv("GOCACHE"), "GOMODCACHE=" + goEnv("GOMODCACHE")}
	g.sh("", "git init -q --bare -b main "+g.bare+" && git clone -q "+g.bare+" "+work)
	for name, text := range map[string]string{
		"perftrack.toml": "[[target]]\nname = \"bench\"\nkind = \"command\"\nlayout = \"accept\"\nrun = \"sh run.sh\"\n",
		"run.sh":         "n=$(cat n 2>/dev/null || echo 0); n=$(( (n + 1) % 5 )); echo $n > n\n[ -z \"$GITLAB_TOKEN$GITHUB_TOKEN\" ] || exit 7\necho \"BenchmarkParse 100 $(cat time.txt)$n ns/op\"\n",
		".gitignore":     "n\n", "time.txt": "100\n",
	} {
		if err := os.WriteFile(filepath.Join(work, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	g.sh(work, "git checkout -q -b main && perftrack init --ci "+ci+" && git add . && git commit -q -m base && git push -q origin main")
	g.sh(work, "git checkout -q -b slower && echo 120 > time.txt && git commit -q -a -m slower && git push -q origin slower")
	head = strings.TrimSpace(g.sh(work, "git rev-parse HEAD"))
	g.sh(work, "git checkout -q main && git commit -q --allow-empty -m since && git push -q origin main") // not part of the merge request
	return g, work, head
}

// read reads the jobs in the file path.
func (g *shellRunner) read(path string) {
	g.t.Helper()
	text, err := os.ReadFile(path)
	if err == nil {
		err = yaml.Unmarshal(text, &g.jobs)
	}
	if err != nil {
		g.t.Fatal(err)
	}
	for name, job := range g.jobs {
		if !strings.HasPrefix(name, ".") && len(job.Script) == 0 {
			g.t.Errorf("job %s has no script", name)
		}
	}
}

// play runs a job as a runner would: in a clone at the head, it runs every line of the script until
// one fails. It returns the files left by the job, the exit code and the log.
func (g *shellRunner) play(name, head string, env []string, files map[string]string) (left map[string]string, code int, log string) {
	g.t.Helper()
	dir := filepath.Join(g.t.TempDir(), "clone")
	g.sh("", "git clone -q "+g.bare+" "+dir)
	g.sh(dir, "git checkout -q --detach "+head)
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			g.t.Fatal(err)
		}
	}
	job := g.jobs[name]
	code, log = g.run(dir, strings.Join(job.Script, "\n"), env)
	left = map[string]string{}
	paths := job.Artifacts.Paths
	for _, path := range job.Artifacts.Reports {
		paths = append(paths, path)
	}
	for _, path := range paths {
		if text, err := os.ReadFile(filepath.Join(dir, path)); err == nil {
			left[path] = string(text)
		}
	}
	return left, code, log
}

// run runs a script until a line fails.
func (g *shellRunner) run(dir, script string, env []string) (code int, log string) {
	g.t.Helper()
	c := exec.CommandContext(g.t.Context(), "sh", "-e", "-c", script)
	c.Dir, c.Env = dir, append(append([]string{}, g.env...), env...)
	out, err := c.CombinedOutput()
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		code = exit.ExitCode()
	} else if err != nil {
		g.t.Fatal(err)
	}
	return code, string(out)
}

// sh runs a line that must succeed.
func (g *shellRunner) sh(dir, line string) string {
	g.t.Helper()
	c := exec.CommandContext(g.t.Context(), "sh", "-e", "-c", line)
	c.Dir, c.Env = dir, g.env
	out, err := c.CombinedOutput()
	if err != nil {
		g.t.Fatalf("%s: %v\n%s", line, err, out)
	}
	return string(out)
}
