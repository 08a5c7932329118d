package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/artifact"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/githubtest"
)

// The measured program has 32 benchmarks in three packages. Its times are made up, so verdicts are
// certain.
const (
	rehearsedConfig = "[[target]]\nname = \"bench\"\nkind = \"command\"\nlayout = \"accept\"\nrun = \"sh bench.sh\"\nenv = [\"PACE\", \"" + testClock + "\"]\n"
	rehearsedBench  = `echo "pkg: example.com/shop/text"
echo "BenchmarkParse 100 $(cat parse.txt)2.5 ns/op"
echo "BenchmarkRender 100 502.5 ns/op"
for pkg in text store net; do
	echo "pkg: example.com/shop/$pkg"
	for n in 1 2 3 4 5 6 7 8 9 10; do
		echo "Benchmark_$pkg/n=$n 100 $((n * 100 + 2)).5 ns/op"
	done
done
`
)

// A rehearsal is a repository on a simulated GitHub, with its workflows, its maintainer's clone and
// a contributor's clone.
type rehearsal struct {
	*player
	env         []string
	maintainer  string
	contributor string
}

// TestRehearsal runs the workflows of this repository, from a pull request to the history. It
// checks their comments and statuses, and that the files of a fork do not count.
func TestRehearsal(t *testing.T) {
	live(t)
	newRehearsal(t, playedGo(t)).rehearse()
}

// TestLiveRehearsal does the same with a perftrack built by the action:
//
//	PERFTRACK_LIVE=full go test -run LiveRehearsal -v ./cmd/perftrack
func TestLiveRehearsal(t *testing.T) {
	if !full() {
		t.Skip("it builds perftrack twice: PERFTRACK_LIVE=full go test -run LiveRehearsal -v ./cmd/perftrack")
	}
	newRehearsal(t, os.Getenv("PATH")).rehearse()
}

// playedGo returns a PATH with a go command that, instead of building perftrack, links to the test
// binary.
func playedGo(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	binary, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	script := "#!/bin/sh\n[ \"$1\" = build ] || exit 1\nwhile [ \"$1\" != -o ]; do shift; done\nln -s '" + binary + "' \"$2\"\n"
	if err := os.WriteFile(filepath.Join(dir, "go"), []byte(script), 0o755); err != nil {
		t.Fatal(err)
	}
	return dir + string(os.PathListSeparator) + os.Getenv("PATH")
}

func newRehearsal(t *testing.T, path string) *rehearsal {
	t.Helper()
	dir := t.TempDir()
	r := &rehearsal{
		player: &player{
			t: t, hub: githubtest.New(t), bare: filepath.Join(dir, "github.git"), home: filepath.Join(dir, "home"), path: path,
			artifacts: map[string]string{},
		},
		maintainer: filepath.Join(dir, "maintainer"), contributor: filepath.Join(dir, "contributor"),
	}
	r.hub.Git, r.hub.Artifact = r.bare, artifact.Name
	if err := os.Mkdir(r.home, 0o755); err != nil {
		t.Fatal(err)
	}
	const config = "[user]\n\tname = T\n\temail = t@example.com\n[init]\n\tdefaultBranch = main\n[protocol \"file\"]\n\tallow = always\n"
	if err := os.WriteFile(filepath.Join(r.home, ".gitconfig"), []byte(config), 0o600); err != nil {
		t.Fatal(err)
	}
	r.env = []string{"PATH=" + path, "HOME=" + r.home, "GIT_CONFIG_NOSYSTEM=1"}
	r.git(dir, "init", "-q", "--bare", r.bare)
	r.git(r.bare, "config", "uploadpack.allowReachableSHA1InWant", "true")
	r.git(dir, "clone", "-q", r.bare, r.maintainer)
	r.write(r.maintainer, "perftrack.toml", rehearsedConfig)
	r.write(r.maintainer, "bench.sh", rehearsedBench)
	r.write(r.maintainer, "parse.txt", "100")
	r.commit(r.maintainer, "Start")
	r.git(r.maintainer, "push", "-q", "origin", "HEAD:main")
	r.git(dir, "clone", "-q", r.bare, r.contributor)
	return r
}

func (r *rehearsal) git(dir string, args ...string) string {
	r.t.Helper()
	return gitIn(r.t, dir, r.env, args...)
}

func (r *rehearsal) write(dir, name, text string) {
	r.t.Helper()
	if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
		r.t.Fatal(err)
	}
}

// commit commits the whole work tree in dir and returns the commit's hash.
func (r *rehearsal) commit(dir, message string) string {
	r.t.Helper()
	r.git(dir, "add", ".")
	r.git(dir, "commit", "-q", "--allow-empty", "-m", message)
	return r.git(dir, "rev-parse", "HEAD")
}

// accepting is a commit message that accepts the regression, if its author is allowed to.
const accepting = "Exact halves\n\nperf-accept: Parse rounds exactly\n"

// The beginnings of comments and summaries.
const (
	rehearsedRegression = "### ❌ perftrack: 1 benchmark slower, `Parse` "
	rehearsedAcceptance = "### ☑️ perftrack: 1 benchmark slower as accepted, `Parse` "
)

func (r *rehearsal) rehearse() {
	r.rehearseBranch()
	r.rehearseFork()
	r.rehearseHistory()
}

// rehearseBranch simulates a pull request from a branch of the repository.
func (r *rehearsal) rehearseBranch() {
	p := &proposal{r, 12, r.maintainer, githubtest.Repository, 1, "topic"}
	r.git(r.maintainer, "checkout", "-q", "-b", "topic")
	r.write(r.maintainer, "parse.txt", "125")
	p.push("Exact halves")
	c := p.comment(p.measure())
	r.equal("status", c.state, "failure")
	r.golden("comment.md", p.anonymous(c.body))
	r.has("log", c.run.log["Run perftrack"], "::error title=regressed::example.com/shop/text Parse sec/op: ", "pull request 12: created the comment")
	_, visible, _ := strings.Cut(c.body, " -->\n###")
	r.equal("job summary", c.run.summary, "###"+visible)

	// The author may accept the regression. The measuring job stays red, and the existing
	// comment is edited.
	p.push(accepting)
	c = p.comment(p.measure())
	r.equal("status with a trailer", c.state, "success")
	r.has("comment", c.body, rehearsedAcceptance, "accepted: <code>rounds exactly (trailer in the head commit, by T)</code>")
	r.has("log", c.run.log["Run perftrack"], "::notice title=regressed as accepted::", "pull request 12: updated the comment")
}

// TestRehearsalOfLabels simulates a maintainer who sets and removes the label perf-accept. Each
// change of the label starts the judging workflow without a measurement.
func TestRehearsalOfLabels(t *testing.T) {
	live(t)
	r := newRehearsal(t, playedGo(t))
	p := &proposal{r, 16, r.contributor, "contributor/repo", 2, "x'; echo pwned >&2; '$(touch pwned)"}
	r.write(r.contributor, "parse.txt", "125")
	p.push("Exact halves")
	r.equal("status", p.comment(p.measure()).state, "failure")
	label := func(action, name string) workflowResult {
		t.Helper()
		event := map[string]any{"action": action, "number": p.number, "label": map[string]any{"name": name}, "pull_request": p.pull()}
		return p.play("perftrack-comment.yml", "pull_request_target", r.git(r.bare, "rev-parse", "main"), event)
	}
	r.hub.Label(p.number, "perf-accept", "maria")
	r.equal("judging", label("labeled", "perf-accept").conclusion, "success")
	r.has("status under the label", p.status(), "success: 1 benchmark regressed")
	r.hub.Label(p.number, "$(touch pwned)", "maria")
	r.equal("another label", label("labeled", "$(touch pwned)").conclusion, "skipped")
	r.hub.Unlabel(p.number, "perf-accept", "maria")
	run := label("unlabeled", "perf-accept")
	r.equal("judging", run.conclusion, "success")
	r.has("status without the label", p.status(), "failure: 1 benchmark regressed")
	if strings.Contains(run.log["Run perftrack"], "pwned") {
		t.Error(run.log)
	}
	if own, other := p.group("perftrack-comment.yml", map[string]any{"action": "labeled", "label": map[string]any{"name": "perf-accept"}}), p.group("perftrack-comment.yml", map[string]any{"action": "labeled", "label": map[string]any{"name": "bug"}}); own == other {
		t.Error("another label takes the place of a judgement that waits")
	}
}

// rehearseFork simulates a pull request from a fork with a branch called main, a commit accepting
// its own regression and a configuration allowing it.
func (r *rehearsal) rehearseFork() {
	p := &proposal{r, 13, r.contributor, "contributor/repo", 2, "main"}
	r.write(r.contributor, "parse.txt", "150")
	r.write(r.contributor, "perftrack.toml", "[defaults]\nthreshold = \"90%\"\n"+rehearsedConfig)
	p.push(accepting)
	measured := p.measure()
	c := p.comment(measured)
	r.equal("status of a fork", c.state, "failure")
	r.has("comment", c.body, rehearsedRegression, "<b>regressed</b>", "Threshold 5 %", "Measured by the pull request's own workflow")

	// The command in the comment works in a clone without runs.
	_, command, _ := strings.Cut(c.body, "`perftrack ci accept ")
	command, _, _ = strings.Cut(command, " --reason REASON")
	r.perftrack(r.maintainer, append(append([]string{"accept"}, strings.Fields(command)...), "--reason", "worth it")...)
	r.perftrack(r.maintainer, "sync")
	c = p.comment(measured)
	r.equal("status with the maintainer's record", c.state, "success")
	r.has("comment", c.body, rehearsedAcceptance, "accepted: <code>worth it (#13) (perftrack ci accept, by T)</code>")

	// Now the program fails.
	r.write(r.contributor, "bench.sh", "exit 3\n")
	p.push("Break it")
	measured = p.play("perftrack-measure.yml", "pull_request", p.head(), p.event())
	r.equal("measuring a broken program", measured.conclusion, "failure")
	r.equal("exit code", fmt.Sprint(measured.exit["Run perftrack"]), "2")
	c = p.comment(measured)
	r.equal("status of a broken program", c.state, "failure")
}

// rehearseHistory merges the pull request of rehearseBranch, runs the history workflow for the push
// and for the nightly run, and reads the history in a fresh clone.
func (r *rehearsal) rehearseHistory() {
	r.git(r.maintainer, "checkout", "-q", "main")
	r.git(r.maintainer, "merge", "-q", "--no-ff", "--no-edit", "topic")
	r.git(r.maintainer, "push", "-q", "origin", "main")
	merged := r.git(r.bare, "rev-parse", "main")
	for _, event := range []string{"push", "schedule"} {
		run := r.play("perftrack-history.yml", event, merged, map[string]any{"ref": "refs/heads/main"})
		if run.conclusion != "success" {
			r.t.Fatalf("the history on %s: %s\n%v", event, run.conclusion, run.log)
		}
	}
	refs := r.git(r.bare, "for-each-ref", "--format=%(refname)", "refs/perftrack")
	r.equal("references", ids.ReplaceAllString(refs, "ID"), strings.TrimSuffix(strings.Repeat("refs/perftrack/packs/ID\n", 3), "\n"))
	fresh := filepath.Join(r.t.TempDir(), "fresh")
	r.git(r.bare, "clone", "-q", "--depth=1", "file://"+r.bare, fresh)
	r.has("sync", r.perftrack(fresh, "sync", "--no-push"), "3 runs received, 0 sent")
	r.has("history", r.perftrack(fresh, "history", "Parse", "--format", "csv"), merged, ",1.0025", ",1.2525e-06,")
	r.has("acceptances", r.perftrack(fresh, "accept", "--list"), "worth it")
}

// After pushes in quick succession, GitHub skips the workflow for those between the first and the
// last.
func TestRehearsalOfSkippedPushes(t *testing.T) {
	live(t)
	r := newRehearsal(t, playedGo(t))
	tips := []string{r.git(r.bare, "rev-parse", "main")}
	for _, cost := range []string{"101", "125", "126", "127"} {
		r.write(r.maintainer, "parse.txt", cost)
		between := r.commit(r.maintainer, "Part of "+cost)
		tips = append(tips, r.commit(r.maintainer, "Cost "+cost))
		r.git(r.maintainer, "push", "-q", "origin", "HEAD:main")
		if cost == "126" {
			tips = append(tips, between)
		}
	}
	skipped := []string{tips[2], tips[4]} // the second push, and a commit inside the third one
	tips = []string{tips[0], tips[1], tips[3], tips[5]}
	for _, push := range [][2]string{{tips[0], tips[1]}, {tips[2], tips[3]}} {
		run := r.play("perftrack-history.yml", "push", push[1], map[string]any{"ref": "refs/heads/main", "before": push[0], "after": push[1]})
		if run.conclusion != "success" {
			t.Fatalf("the history of a push: %s\n%v", run.conclusion, run.log)
		}
	}
	fresh := filepath.Join(t.TempDir(), "fresh")
	r.git(r.bare, "clone", "-q", "file://"+r.bare, fresh)
	r.perftrack(fresh, "sync", "--no-push")
	history := r.perftrack(fresh, "history", "Parse", "--format", "csv")
	r.has("history", history, tips...)
	for _, sha := range skipped {
		if strings.Contains(history, sha) {
			t.Errorf("%s was measured:\n%s", sha, history)
		}
	}
}

var ids = regexp.MustCompile(`[0-9a-f]{64}`)

func (r *rehearsal) equal(what, got, want string) {
	r.t.Helper()
	if got != want {
		r.t.Errorf("%s: %s, want %s", what, got, want)
	}
}

func (r *rehearsal) has(what, text string, parts ...string) {
	r.t.Helper()
	for _, part := range parts {
		if !strings.Contains(text, part) {
			r.t.Errorf("%s: no %q in\n%s", what, part, text)
		}
	}
}

// perftrack runs perftrack in the clone dir, as its user would.
func (r *rehearsal) perftrack(dir string, args ...string) string {
	r.t.Helper()
	cmd := exec.Command("perftrack", args...)
	cmd.Dir, cmd.Env = dir, append(r.env, "GOMAXPROCS=2")
	out, err := cmd.CombinedOutput()
	if err != nil {
		r.t.Fatalf("perftrack %q: %v\n%s", args, err, out)
	}
	return string(out)
}

// golden compares text with a golden file, or writes the file if -update is given.
func (r *rehearsal) golden(name, text string) {
	r.t.Helper()
	path := filepath.Join("testdata", "rehearsal", name)
	if *update {
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			r.t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		r.t.Fatal(err)
	}
	if text != string(want) {
		r.t.Errorf("%s:\n%s\nwant\n%s", name, text, want)
	}
}

// A proposal is a pull request.
type proposal struct {
	*rehearsal
	number int
	dir    string // clone of the author
	repo   string // the head's repository; id and branch belong to the head, too
	id     int
	branch string
}

// push commits the work tree and makes it the head of the pull request on GitHub.
func (p *proposal) push(message string) (head string) {
	p.t.Helper()
	head = p.commit(p.dir, message)
	p.git(p.dir, "push", "-q", "--force", p.bare, fmt.Sprintf("HEAD:refs/pull/%d/head", p.number))
	pull := githubtest.Pull(p.number, p.git(p.bare, "rev-parse", "main"), head, p.id)
	of := pull["head"].(map[string]any)
	owner, _, _ := strings.Cut(p.repo, "/")
	of["label"], of["repo"].(map[string]any)["full_name"] = owner+":"+p.branch, p.repo
	for i, old := range p.hub.Pulls {
		if old["number"] == p.number {
			if labels, ok := old["labels"]; ok {
				pull["labels"] = labels
			}
			p.hub.Pulls[i] = pull
			return head
		}
	}
	p.hub.Pulls = append(p.hub.Pulls, pull)
	return head
}

func (p *proposal) pull() map[string]any {
	for _, pull := range p.hub.Pulls {
		if pull["number"] == p.number {
			return pull
		}
	}
	return nil
}

func (p *proposal) head() string { return p.pull()["head"].(map[string]any)["sha"].(string) }

func (p *proposal) event() map[string]any {
	delete(p.artifacts, artifact.Name)
	return map[string]any{"action": "synchronize", "number": p.number, "pull_request": p.pull()}
}

// measure runs the workflow that runs the code of the pull request. The workflow must fail because
// of the regression.
func (p *proposal) measure() workflowResult {
	p.t.Helper()
	m := p.play("perftrack-measure.yml", "pull_request", p.head(), p.event())
	p.equal("measuring", m.conclusion, "failure")
	p.equal("exit code", fmt.Sprint(m.exit["Run perftrack"]), "1")
	p.has("log", m.log["Run perftrack"], "1 regressed, 31 unchanged", "\n::error title=regressed::example.com/shop/text Parse sec/op: ")
	p.has("job summary", m.summary, rehearsedRegression, "<code>Parse</code>")
	return m
}

// A commentResult describes the effect of a run of the commenting workflow on the pull request.
type commentResult struct {
	run         workflowResult
	state, body string // of the commit status and of the comment
}

// comment runs the commenting workflow after a measurement. This workflow must succeed with any
// verdict.
func (p *proposal) comment(measured workflowResult) (c commentResult) {
	p.t.Helper()
	p.hub.Zip = nil
	if text, ok := p.artifacts[artifact.Name]; ok {
		p.hub.Zip = githubtest.Archive(p.t, artifact.FileName, text)
	}
	owner, _, _ := strings.Cut(p.repo, "/")
	c.run = p.play("perftrack-comment.yml", "workflow_run", p.git(p.bare, "rev-parse", "main"), map[string]any{"action": "completed", "workflow_run": map[string]any{
		"id": 7, "event": "pull_request", "path": ".github/workflows/perftrack-measure.yml", "conclusion": measured.conclusion,
		"head_branch": p.branch, "head_sha": p.head(), "pull_requests": []any{},
		"head_repository": map[string]any{"id": p.id, "full_name": p.repo, "owner": map[string]string{"login": owner}},
	}})
	p.equal("commenting", c.run.conclusion, "success")
	last := p.hub.Statuses[len(p.hub.Statuses)-1]
	p.equal("status", last["context"]+" of "+last["sha"], "perftrack of "+p.head())
	c.state = last["state"]
	found := 0
	for _, one := range p.hub.Ours() {
		if one.Pull == p.number {
			c.body = one.Body
			found++
		}
	}
	if found != 1 {
		p.t.Errorf("%d comments: %v", found, c.run.log)
	}
	return c
}

var (
	machineLine = regexp.MustCompile(`(?m)^Measured side by side on .*$`)
	remarks     = regexp.MustCompile(`(?s)<details><summary>\d+ remarks?</summary>.*?</details>\n\n`)
)

// anonymous replaces texts that depend on the machine, including notices about other processes.
func (p *proposal) anonymous(text string) string {
	base := p.git(p.bare, "merge-base", "main", p.head())
	text = strings.NewReplacer(p.head(), "HEAD", base, "BASE", base[:12], "BASE", p.head()[:12], "HEAD").Replace(text)
	return remarks.ReplaceAllString(machineLine.ReplaceAllString(text, "Measured side by side on MACHINE."), "")
}
