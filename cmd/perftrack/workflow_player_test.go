package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/githubtest"
)

// A player simulates GitHub for the workflows of this repository: it reads their files and
// action.yml, evaluates the expressions in ${{ }}, and runs the shell steps as a runner does. It
// simulates third-party actions.
type player struct {
	t         *testing.T
	hub       *githubtest.Fake
	bare      string            // the repository on GitHub
	home      string            // home directory of the runner's user, with the configuration of git
	path      string            // PATH of every step
	artifacts map[string]string // content of the only file in each artifact, by the artifact's name
	env       []string          // for every step, in addition to what a runner sets
	uploaded  func(name, text string)
	site      map[string]string                // files in the pages artifact of the current workflow run
	published map[string]string                // files on GitHub Pages
	dies      func(matrix map[string]any) bool // reports whether the machine of a job is lost before its first step
	workflows string                           // folder of the workflows; "" for those of this repository
	runs      int                              // number of runs with a requested concurrency group
}

// A workflowResult describes the end and the output of a workflow run.
type workflowResult struct {
	conclusion string            // success, failure or skipped
	exit       map[string]int    // exit codes of the shell steps that ran, by step name
	log        map[string]string // both output streams of these steps, by step name
	summary    string
}

// play runs a workflow on an event. The event's payload needs only the fields that are read.
func (p *player) play(workflow, eventName, sha string, event map[string]any) workflowResult {
	p.t.Helper()
	event["repository"] = map[string]any{"id": 1, "full_name": githubtest.Repository}
	if run, ok := event["workflow_run"].(map[string]any); ok {
		p.hub.Run(run)
	}
	p.site = nil
	doc := p.workflow(workflow)
	r := workflowResult{conclusion: "skipped", exit: map[string]int{}, log: map[string]string{}}
	jobs := doc["jobs"].(map[string]any)
	needs := map[string]any{}
	for len(needs) < len(jobs) {
		name := nextJob(jobs, needs)
		if name == "" {
			p.t.Fatalf("%s: jobs wait for each other", workflow)
		}
		body := jobs[name].(map[string]any)
		for _, of := range matrix(body) { // the last job's outputs count, as on GitHub
			job := p.newJob(eventName, sha, event, &r)
			job.context["needs"], job.context["matrix"] = needs, of
			needed := job.play(body, &r)
			if before, ok := needs[name].(map[string]any); ok && before["result"] == "failure" {
				needed["result"] = "failure"
			}
			needs[name] = needed
		}
	}
	return r
}

// play runs one job and returns its result and outputs for the jobs that need it.
func (j *job) play(body map[string]any, r *workflowResult) map[string]any {
	if !j.begins(body) {
		return map[string]any{"result": "skipped"}
	}
	if j.failed = j.dies != nil && j.dies(j.context["matrix"].(map[string]any)); !j.failed {
		j.steps(body["steps"].([]any), "")
	}
	outcome := "success"
	if j.failed {
		outcome = "failure"
	}
	if r.conclusion != "failure" {
		r.conclusion = outcome
	}
	outputs := map[string]any{}
	for key, value := range j.strings(body["outputs"]) {
		outputs[key] = value
	}
	j.leavesNothing(len(outputs) > 0)
	return map[string]any{"result": outcome, "outputs": outputs}
}

// matrix returns the values in a job's matrix for each of its machines. Each machine has one value.
func matrix(body map[string]any) (all []map[string]any) {
	strategy, _ := body["strategy"].(map[string]any)
	of, _ := strategy["matrix"].(map[string]any)
	for key, list := range of {
		for _, v := range list.([]any) {
			all = append(all, map[string]any{key: v})
		}
	}
	if all == nil {
		all = []map[string]any{{}}
	}
	return all
}

// needed returns the jobs that a job needs.
func needed(body any) []any {
	switch needs := body.(map[string]any)["needs"].(type) {
	case string:
		return []any{needs}
	case []any:
		return needs
	}
	return nil
}

// nextJob returns an unfinished job with all needed jobs finished, or "".
func nextJob(jobs, ended map[string]any) string {
	for _, name := range slices.Sorted(maps.Keys(jobs)) {
		waits := slices.ContainsFunc(needed(jobs[name]), func(v any) bool { return ended[v.(string)] == nil })
		if ended[name] == nil && !waits {
			return name
		}
	}
	return ""
}

// begins reports whether a job is run. Unless its condition contains always(), the jobs it needs
// must have succeeded.
func (j *job) begins(body map[string]any) bool {
	if text, _ := body["if"].(string); !strings.Contains(text, "always()") {
		for _, name := range needed(body) {
			if j.context["needs"].(map[string]any)[name.(string)].(map[string]any)["result"] != "success" {
				return false
			}
		}
	}
	return j.condition(body["if"])
}

// workflow reads the workflow file with the given name.
func (p *player) workflow(name string) (doc map[string]any) {
	p.t.Helper()
	if p.workflows == "" {
		return readYAML(p.t, filepath.Join(".github", "workflows", name))
	}
	text, err := os.ReadFile(filepath.Join(p.workflows, name))
	if err == nil {
		err = yaml.Unmarshal(text, &doc)
	}
	if err != nil {
		p.t.Fatal(err)
	}
	return doc
}

// A job is one job on a fresh machine.
type job struct {
	*player
	result    *workflowResult
	workspace string
	temp      string // RUNNER_TEMP
	env       []string
	context   map[string]any
	failed    bool
	outputs   string // everything written to GITHUB_OUTPUT by all steps
}

func (p *player) newJob(eventName, sha string, event map[string]any, r *workflowResult) *job {
	p.t.Helper()
	dir := p.t.TempDir()
	j := &job{player: p, result: r, workspace: filepath.Join(dir, "workspace"), temp: filepath.Join(dir, "temp")}
	for _, d := range []string{j.workspace, j.temp} {
		if err := os.MkdirAll(d, 0o755); err != nil {
			p.t.Fatal(err)
		}
	}
	text, err := json.Marshal(event)
	if err != nil {
		p.t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(j.temp, "event.json"), text, 0o600); err != nil {
		p.t.Fatal(err)
	}
	j.context = map[string]any{
		"github": map[string]any{"event": event, "event_name": eventName, "token": githubtest.Token, "sha": sha, "repository_id": 1},
		"runner": map[string]any{"temp": j.temp}, "steps": map[string]any{},
	}
	j.env = []string{
		"PATH=" + p.path, "HOME=" + p.home, "GOMAXPROCS=2", "CI=true", "GITHUB_ACTIONS=true",
		"GOCACHE=" + goEnv("GOCACHE"), "GOMODCACHE=" + goEnv("GOMODCACHE"), "GOPROXY=" + goEnv("GOPROXY"),
		"GITHUB_API_URL=" + p.hub.URL(), "GITHUB_SERVER_URL=https://git.example", "GITHUB_REPOSITORY=" + githubtest.Repository,
		"GITHUB_EVENT_NAME=" + eventName, "GITHUB_EVENT_PATH=" + filepath.Join(j.temp, "event.json"), "GITHUB_SHA=" + sha,
		"GITHUB_RUN_ID=7", "GITHUB_WORKSPACE=" + j.workspace, "RUNNER_TEMP=" + j.temp, "RUNNER_OS=Linux", "RUNNER_ENVIRONMENT=github-hosted",
	}
	if ref, ok := event["ref"].(string); ok {
		j.env = append(j.env, "GITHUB_REF="+ref, "GITHUB_REF_NAME="+strings.TrimPrefix(ref, "refs/heads/"))
	}
	j.env = append(j.env, p.env...)
	for _, file := range []string{"STEP_SUMMARY", "OUTPUT", "ENV", "PATH"} {
		j.env = append(j.env, "GITHUB_"+file+"="+filepath.Join(j.temp, file))
	}
	return j
}

// steps runs the steps of the action in the folder action or, if action is "", of a workflow.
func (j *job) steps(steps []any, action string) {
	for _, s := range steps {
		step := s.(map[string]any)
		if step["if"] == nil && j.failed || !j.condition(step["if"]) {
			continue
		}
		with := j.strings(step["with"])
		uses, _ := step["uses"].(string)
		name, _, _ := strings.Cut(uses, "@")
		switch name {
		case "":
			j.shell(step, action)
		case "actions/checkout":
			j.checkout(with)
		case "actions/setup-go":
		case "actions/upload-artifact":
			if text, err := os.ReadFile(with["path"]); err == nil {
				j.artifacts[with["name"]] = string(text)
				if j.uploaded != nil {
					j.uploaded(with["name"], string(text))
				}
			}
		case "actions/download-artifact":
			if err := os.MkdirAll(with["path"], 0o755); err != nil {
				j.t.Fatal(err)
			}
			if err := os.WriteFile(filepath.Join(with["path"], "trial.txt"), []byte(j.artifacts[with["name"]]), 0o600); err != nil {
				j.t.Fatal(err)
			}
		case "actions/upload-pages-artifact":
			j.site = j.pages(with["path"])
		case "actions/deploy-pages":
			if j.published = j.site; j.site == nil {
				j.failed = true
			}
		case "./", "perftrack/perftrack":
			j.keep(step, j.action(with))
		default:
			j.t.Fatalf("nobody plays %s", uses)
		}
	}
}

// pages simulates actions/upload-pages-artifact, and fails if the folder does not exist. It returns
// the files.
func (j *job) pages(folder string) map[string]string {
	files := map[string]string{}
	err := filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
		name, _ := filepath.Rel(folder, path)
		files[filepath.ToSlash(name)] = string(text)
		return err
	})
	if err != nil || len(files) == 0 {
		j.failed = true
		return nil
	}
	return files
}

// keep keeps the outputs of a step for later steps.
func (j *job) keep(step, outputs map[string]any) {
	if id, ok := step["id"].(string); ok {
		j.context["steps"].(map[string]any)[id] = map[string]any{"outputs": outputs}
	}
}

// action runs this repository's action.yml and returns its outputs.
func (j *job) action(with map[string]string) map[string]any {
	doc := readYAML(j.t, "action.yml")
	inputs := map[string]any{}
	for name, v := range doc["inputs"].(map[string]any) {
		inputs[name], _ = v.(map[string]any)["default"].(string)
	}
	for name, v := range with {
		if _, ok := inputs[name]; !ok {
			j.t.Errorf("action.yml has no input %s", name)
		}
		inputs[name] = v
	}
	root, err := filepath.Abs(filepath.Join("..", ".."))
	if err != nil {
		j.t.Fatal(err)
	}
	outside := j.context["steps"]
	j.context["inputs"], j.context["steps"] = inputs, map[string]any{}
	j.steps(doc["runs"].(map[string]any)["steps"].([]any), root)
	outputs := map[string]any{}
	for name, v := range doc["outputs"].(map[string]any) {
		outputs[name] = j.strings(v)["value"]
	}
	j.context["steps"] = outside
	return outputs
}

// checkout simulates actions/checkout: it makes a shallow clone of one commit, unless the whole
// history is requested.
func (j *job) checkout(with map[string]string) {
	ref := with["ref"]
	if ref == "" {
		ref = j.context["github"].(map[string]any)["sha"].(string)
	}
	depth := []string{}
	if with["fetch-depth"] != "0" {
		depth = []string{"--depth=1"}
	}
	git := func(args ...string) { gitIn(j.t, j.workspace, j.env, args...) }
	git("init", "-q", "-b", "main")
	git("remote", "add", "origin", "file://"+j.bare)
	git(slices.Concat([]string{"fetch", "-q"}, depth, []string{"origin", ref, "+refs/heads/*:refs/remotes/origin/*"})...)
	git("checkout", "-q", "--detach", ref)
}

// shell runs a step as a runner does: the script in a file, its variables in the
// environment.
func (j *job) shell(step map[string]any, action string) {
	j.t.Helper()
	name := step["name"].(string)
	script := filepath.Join(j.temp, "step.sh")
	if err := os.WriteFile(script, []byte(step["run"].(string)), 0o600); err != nil {
		j.t.Fatal(err)
	}
	cmd := exec.Command("bash", "--noprofile", "--norc", "-eo", "pipefail", script)
	cmd.Dir, cmd.Env = j.workspace, append(slices.Clone(j.env), "GITHUB_ACTION_PATH="+action)
	for key, value := range j.strings(step["env"]) {
		cmd.Env = append(cmd.Env, key+"="+value)
	}
	out, err := cmd.CombinedOutput()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		j.t.Fatal(err)
	}
	if err != nil {
		j.failed = true
	}
	j.result.exit[name], j.result.log[name] = cmd.ProcessState.ExitCode(), string(out)
	if strings.Contains(string(out), githubtest.Token) {
		j.t.Errorf("%s prints the token", name)
	}
	if text, err := os.ReadFile(filepath.Join(j.temp, "OUTPUT")); err == nil {
		outputs := map[string]any{}
		for line := range strings.Lines(string(text)) {
			key, value, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "=")
			outputs[key] = value
		}
		j.keep(step, outputs)
		j.outputs += string(text)
		if err := os.Remove(filepath.Join(j.temp, "OUTPUT")); err != nil {
			j.t.Error(err)
		}
	}
	if text, err := os.ReadFile(filepath.Join(j.temp, "STEP_SUMMARY")); err == nil {
		j.result.summary = string(text)
	}
}

// leavesNothing checks that no step passes anything on to later steps, except outputs in a job that
// may have some. Through GITHUB_ENV and GITHUB_PATH, a step could change the programs of later
// steps.
func (j *job) leavesNothing(mayOutput bool) {
	if j.outputs != "" && !mayOutput {
		j.t.Errorf("a step wrote %q to GITHUB_OUTPUT", j.outputs)
	}
	for _, file := range []string{"ENV", "PATH"} {
		if text, err := os.ReadFile(filepath.Join(j.temp, file)); err == nil && len(text) > 0 {
			j.t.Errorf("a step wrote %q to GITHUB_%s", text, file)
		}
	}
}

func (j *job) condition(v any) bool {
	text, ok := v.(string)
	if !ok {
		return true
	}
	if m := inBraces.FindStringSubmatch(text); m != nil {
		text = m[1]
	}
	return truth(evaluate(j.t, text, j.context))
}

var inBraces = regexp.MustCompile(`\$\{\{(.*?)\}\}`)

// strings evaluates the expressions in the values of with: or env:.
func (j *job) strings(v any) map[string]string {
	out := map[string]string{}
	m, _ := v.(map[string]any)
	for key, value := range m {
		out[key] = inBraces.ReplaceAllStringFunc(fmt.Sprint(value), func(s string) string {
			return asText(evaluate(j.t, inBraces.FindStringSubmatch(s)[1], j.context))
		})
	}
	return out
}

func readYAML(t *testing.T, name string) (doc map[string]any) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "..", name))
	if err == nil {
		err = yaml.Unmarshal(text, &doc)
	}
	if err != nil {
		t.Fatal(err)
	}
	return doc
}

func gitIn(t *testing.T, dir string, env []string, args ...string) string {
	t.Helper()
	cmd := exec.Command("git", args...)
	cmd.Dir, cmd.Env = dir, env
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("git %q: %v\n%s", args, err, out)
	}
	return strings.TrimSpace(string(out))
}
