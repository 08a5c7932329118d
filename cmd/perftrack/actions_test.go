package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/demand"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/setup"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/workspace"
)

// yamlFiles returns every workflow and the action in this repository, and the workflows written by
// perftrack init.
func yamlFiles(t *testing.T) map[string]map[string]any {
	t.Helper()
	root := filepath.Join("..", "..")
	var names []string
	for _, pattern := range []string{".github/workflows/*", "action.y*ml", "cmd/perftrack/internal/setup/workflows/*"} {
		found, err := filepath.Glob(filepath.Join(root, filepath.FromSlash(pattern)))
		if err != nil {
			t.Fatal(err)
		}
		names = append(names, found...)
	}
	if len(names) < 8 {
		t.Fatalf("only %v", names)
	}
	all := map[string]map[string]any{}
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		var doc map[string]any
		if err := yaml.Unmarshal(text, &doc); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		rel, _ := filepath.Rel(root, name)
		all[filepath.ToSlash(rel)] = doc
	}
	return all
}

// walk calls visit for every key in a document. path holds the keys above it.
func walk(v any, path []string, visit func(path []string, key string, v any)) {
	switch v := v.(type) {
	case map[string]any:
		for key, value := range v {
			visit(path, key, value)
			walk(value, append(slices.Clone(path), key), visit)
		}
	case []any:
		for i, value := range v {
			if _, ok := value.(string); ok {
				visit(path, fmt.Sprint(i), value)
			}
			walk(value, append(slices.Clone(path), fmt.Sprint(i)), visit)
		}
	}
}

var pinned = regexp.MustCompile(`^[\w.-]+/[\w./-]+@[0-9a-f]{40}$`)

// mistakes lints a workflow or an action.
func mistakes(name string, doc map[string]any) (found []string) {
	mistake := func(format string, args ...any) {
		found = append(found, name+": "+fmt.Sprintf(format, args...))
	}
	workflow := strings.Contains(name, "perftrack-") || strings.Contains(name, "workflows/")
	// Labels also start the judging job, which is safe because trusted jobs may not run
	// anything from the pull request.
	onLabels := map[string]any{"types": []any{"labeled", "unlabeled"}}
	walk(doc, nil, func(path []string, key string, v any) {
		text, _ := v.(string)
		switch {
		case key == "pull_request_target" && strings.HasSuffix(name, "perftrack-comment.yml") && reflect.DeepEqual(v, onLabels):
		case key == "pull_request_target", text == "pull_request_target":
			mistake("pull_request_target")
		case key == "run" && strings.Contains(text, "${{"):
			mistake("an expression inside run: %q", text)
		case key == "uses" && text != "./" && text != "perftrack-action" && !pinned.MatchString(text):
			mistake("%s is not pinned to a commit", text)
		case key == "secrets":
			mistake("secrets")
		case text == "write-all" || text == "read-all":
			mistake("permissions: %s", text)
		}
	})
	if !workflow {
		return found
	}
	if _, ok := doc["permissions"]; !ok {
		mistake("no permissions")
	}
	jobs, _ := doc["jobs"].(map[string]any)
	for job, v := range jobs {
		j := v.(map[string]any)
		if _, ok := j["timeout-minutes"]; !ok {
			mistake("job %s has no timeout", job)
		}
		granted, ok := j["permissions"].(map[string]any)
		if !ok {
			granted, _ = doc["permissions"].(map[string]any)
		}
		for permission, level := range granted {
			if want := allowedPermissions[filepath.Base(name)+" "+job]; want[permission] != level {
				mistake("job %s may %s %s", job, permission, level)
			}
		}
	}
	return found
}

// allowedPermissions lists the permissions allowed for each job; other jobs must not have any.
var allowedPermissions = map[string]map[string]any{
	"ci.yml check":                  {"contents": "read"},
	"perftrack-measure.yml measure": {"contents": "read"},
	"perftrack-comment.yml comment": {"actions": "read", "checks": "read", "contents": "read", "pull-requests": "write", "statuses": "write"},
	"perftrack-history.yml measure": {"contents": "read"},
	"perftrack-history.yml publish": {"contents": "write", "issues": "write"},
	"perftrack-pages.yml build":     {"contents": "read"},
	"perftrack-pages.yml publish":   {"pages": "write", "id-token": "write"},
	"perftrack-demand.yml ask":      {"contents": "read", "pull-requests": "write", "statuses": "write"},
	"perftrack-demand.yml measure":  {"contents": "read"},
	"perftrack-demand.yml judge":    {"actions": "read", "checks": "read", "contents": "read", "pull-requests": "write", "statuses": "write"},
	"release.yml build":             {"contents": "read"},
	"release.yml publish":           {"contents": "write", "id-token": "write", "attestations": "write"},
}

func TestWorkflows(t *testing.T) {
	for name, doc := range yamlFiles(t) {
		for _, m := range mistakes(name, doc) {
			t.Error(m)
		}
		for job, v := range trustedJobs(name, doc) {
			walk(v, nil, func(_ []string, key string, v any) {
				text := fmt.Sprint(v)
				if key == "run" || key == "uses" && strings.Contains(text, "checkout") || key == "uses" && strings.Contains(text, "cache") {
					t.Errorf("%s: %s %s in %s, which may write", name, key, text, job)
				}
			})
		}
		if strings.HasSuffix(name, "perftrack-measure.yml") || strings.HasSuffix(name, "perftrack-demand.yml") {
			walk(doc, nil, func(_ []string, key string, v any) {
				if key == "persist-credentials" && v != false {
					t.Errorf("%s: the token stays in the checkout", name)
				}
			})
		}
	}
}

// A requested measurement ends before its job's time limit, because a canceled job is not judged.
func TestDemandEndsBeforeItsJob(t *testing.T) {
	doc := yamlFiles(t)["cmd/perftrack/internal/setup/workflows/perftrack-demand.yml"]
	job := at(doc, []string{"jobs", "measure"})
	for _, s := range job["steps"].([]any) {
		step := s.(map[string]any)
		if with, _ := step["with"].(map[string]any); with["command"] != "measure" {
			continue
		}
		limit, _ := step["timeout-minutes"].(int)
		if whole := job["timeout-minutes"].(int); limit < int(demand.MaxBudget.Minutes())+30 || limit > whole-10 {
			t.Errorf("the step has %d minutes, its job %d, and %v may be asked for", limit, whole, demand.MaxBudget)
		}
		return
	}
	t.Error("nothing is measured")
}

// trustedJobs returns the jobs with write permissions in the pull request workflows.
func trustedJobs(name string, doc map[string]any) map[string]any {
	trusted := map[string]any{}
	jobs, _ := doc["jobs"].(map[string]any)
	for job, v := range jobs {
		granted, _ := v.(map[string]any)["permissions"].(map[string]any)
		if granted["statuses"] == "write" && strings.Contains(name, "perftrack-") {
			trusted[job] = v
		}
	}
	return trusted
}

// Trusted jobs are found by their permissions, so no new one is missed.
func TestTrustedJobs(t *testing.T) {
	found := map[string]bool{}
	for name, doc := range yamlFiles(t) {
		for job := range trustedJobs(name, doc) {
			found[filepath.Base(name)+" "+job] = true
		}
	}
	if len(found) != 3 || !found["perftrack-comment.yml comment"] || !found["perftrack-demand.yml ask"] || !found["perftrack-demand.yml judge"] {
		t.Error(found)
	}
}

// actionlint finds no mistakes in any workflow written by perftrack init.
func TestActionlint(t *testing.T) {
	live(t)
	var files []string
	for i, on := range append(setup.When, setup.When...) {
		shards := 1 + 3*(i/len(setup.When))
		for _, goModule := range []bool{false, true} {
			dir := t.TempDir()
			gitIn(t, dir, nil, "init", "-q", "-b", "main")
			if goModule {
				for name, text := range map[string]string{"go.mod": "module m\n\ngo 1.24\n", "a_test.go": "package m\n\nimport \"testing\"\n\nfunc BenchmarkA(b *testing.B) {}\n"} {
					if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
						t.Fatal(err)
					}
				}
			}
			if _, err := setup.Initialize(t.Context(), &workspace.Session{Dir: dir}, setup.Options{CI: setup.GitHub, On: on, Shards: shards, Pages: goModule}); err != nil {
				t.Fatal(err)
			}
			found, err := filepath.Glob(filepath.Join(dir, ".github", "workflows", "*.yml"))
			if err != nil || len(found) < 3 {
				t.Fatalf("%v, %v", found, err)
			}
			files = append(files, found...)
		}
	}
	own, err := filepath.Glob(filepath.Join("..", "..", ".github", "workflows", "*.yml"))
	if err != nil {
		t.Fatal(err)
	}
	args := append([]string{"run", "github.com/rhysd/actionlint/cmd/actionlint@v1.7.12", "-shellcheck=", "-pyflakes="}, append(files, own...)...)
	if out, err := exec.Command("go", args...).CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}

// The commit of this repository pinned in perftrack init's workflows contains the action, with all
// inputs set by the workflows.
func TestPinnedAction(t *testing.T) {
	root := filepath.Join("..", "..")
	git := func(args ...string) (string, error) {
		cmd := exec.Command("git", args...)
		cmd.Dir = root
		out, err := cmd.Output()
		return strings.TrimSpace(string(out)), err
	}
	if shallow, err := git("rev-parse", "--is-shallow-repository"); err != nil || shallow == "true" {
		t.Skip("the history is not here")
	}
	const own = "perftrack/perftrack@"
	pins := 0
	for name, doc := range yamlFiles(t) {
		walk(doc, nil, func(path []string, key string, v any) {
			commit, ok := strings.CutPrefix(fmt.Sprint(v), own)
			if key != "uses" || !ok {
				return
			}
			pins++
			if _, err := git("merge-base", "--is-ancestor", commit, "HEAD"); err != nil {
				t.Errorf("%s pins %s, which is no commit before this one", name, commit)
				return
			}
			for _, file := range []string{"action.yml", ".github/action.sh", "cmd/perftrack/comment.go"} {
				if _, err := git("cat-file", "-e", commit+":"+file); err != nil {
					t.Errorf("%s pins %s, which has no %s", name, commit, file)
				}
			}
			text, _ := git("show", commit+":action.yml")
			var action struct{ Inputs map[string]any }
			if err := yaml.Unmarshal([]byte(text), &action); err != nil {
				t.Errorf("action.yml of %s: %v", commit, err)
			}
			with, _ := at(doc, path)["with"].(map[string]any)
			for input := range with {
				if action.Inputs[input] == nil {
					t.Errorf("%s gives the input %s, which %s does not have", name, input, commit)
				}
			}
		})
	}
	if pins == 0 {
		t.Error("no workflow pins the action")
	}
}

// at returns the mapping at a path of keys.
func at(v any, path []string) map[string]any {
	for _, key := range path {
		switch in := v.(type) {
		case map[string]any:
			v = in[key]
		case []any:
			i, _ := strconv.Atoi(key)
			v = in[i]
		}
	}
	m, _ := v.(map[string]any)
	return m
}

// The job that publishes the page runs one of GitHub's actions and no code from the repository; the
// job that makes the page has no write permission.
func TestPagesWorkflow(t *testing.T) {
	doc := yamlFiles(t)["cmd/perftrack/internal/setup/workflows/perftrack-pages.yml"]
	steps := at(doc, []string{"jobs", "publish"})["steps"].([]any)
	if uses, _ := at(doc, []string{"jobs", "publish", "steps", "0"})["uses"].(string); len(steps) != 1 || !strings.HasPrefix(uses, "actions/deploy-pages@") {
		t.Errorf("the job that may publish: %v", steps)
	}
	for permission, level := range at(doc, []string{"jobs", "build", "permissions"}) {
		if level != "read" {
			t.Errorf("the job that makes the page may %s %s", permission, level)
		}
	}
}

// The lint finds deliberate mistakes.
func TestWorkflowMistakes(t *testing.T) {
	const head = "on: [push]\npermissions: {contents: read}\njobs:\n  check:\n    timeout-minutes: 5\n    steps:\n      - "
	for _, tt := range []struct{ text, want string }{
		{head + "run: true", ""},
		{head + "run: echo ${{ github.head_ref }}", "an expression inside run"},
		{head + "uses: actions/checkout@v7", "not pinned"},
		{head + "uses: actions/checkout@main", "not pinned"},
		{head + "uses: docker://alpine", "not pinned"},
		{strings.Replace(head, "push", "pull_request_target", 1) + "run: true", "pull_request_target"},
		{strings.Replace(head, "on: [push]", "on: {pull_request_target: {}}", 1) + "run: true", "pull_request_target"},
		{strings.Replace(head, "read", "write", 1) + "run: true", "may contents write"},
		{strings.Replace(head, "permissions: {contents: read}\n", "", 1) + "run: true", "no permissions"},
		{strings.Replace(head, "    timeout-minutes: 5\n", "", 1) + "run: true", "no timeout"},
	} {
		var doc map[string]any
		if err := yaml.Unmarshal([]byte(tt.text), &doc); err != nil {
			t.Fatal(err)
		}
		got := strings.Join(mistakes(".github/workflows/ci.yml", doc), "\n")
		if tt.want == "" && got != "" || !strings.Contains(got, tt.want) {
			t.Errorf("%s\nmistakes %q, want %q", tt.text, got, tt.want)
		}
	}
}

// The steps of the action run scripts, and pass everything to them in environment variables.
func TestActionSteps(t *testing.T) {
	doc := yamlFiles(t)["action.yml"]
	steps := doc["runs"].(map[string]any)["steps"].([]any)
	for _, s := range steps {
		step := s.(map[string]any)
		if run, ok := step["run"].(string); ok && !regexp.MustCompile(`^exec bash "\$GITHUB_ACTION_PATH/\.github/action\.sh" \w+$`).MatchString(run) {
			t.Errorf("step %v: %s", step["name"], run)
		}
	}
}

// actionStep runs a step of the action with a perftrack that prints its command line.
func actionStep(t *testing.T, step string, env ...string) (out string, code int) {
	t.Helper()
	script, err := filepath.Abs(filepath.Join("..", "..", ".github", "action.sh"))
	if err != nil {
		t.Fatal(err)
	}
	temp := t.TempDir()
	if err := os.MkdirAll(filepath.Join(temp, "perftrack", "out"), 0o755); err != nil {
		t.Fatal(err)
	}
	const fake = "#!/bin/sh\necho \"pid $$ token=$GITHUB_TOKEN db=${PERFTRACK_DB##*/}:\"\nfor a; do echo \"[$a]\"; done\n"
	if err := os.WriteFile(filepath.Join(temp, "perftrack", "perftrack"), []byte(fake), 0o755); err != nil {
		t.Fatal(err)
	}
	if !slices.Contains(env, "MEASURED=nothing") {
		measured := filepath.Join(temp, "perftrack-history", "trial.txt")
		if err := errors.Join(os.Mkdir(filepath.Dir(measured), 0o755), os.WriteFile(measured, []byte("runs"), 0o644)); err != nil {
			t.Fatal(err)
		}
	}
	repo := t.TempDir()
	git := func(args ...string) string {
		cmd := exec.Command("git", append([]string{"-c", "user.name=t", "-c", "user.email=t@example.com"}, args...)...)
		cmd.Dir = repo
		text, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("git %v: %v\n%s", args, err, text)
		}
		return strings.TrimSpace(string(text))
	}
	git("init", "-q", "-b", "main")
	git("commit", "-q", "--allow-empty", "-m", "fork point")
	point := git("rev-parse", "HEAD")
	git("commit", "-q", "--allow-empty", "-m", "base moved on")
	base := git("rev-parse", "HEAD")
	git("checkout", "-q", "-b", "topic", point)
	git("commit", "-q", "--allow-empty", "-m", "change")
	head := git("rev-parse", "HEAD")
	// The pull request has merged a newer commit of the base branch than the one in the event.
	git("checkout", "-q", "-b", "newer", base)
	git("commit", "-q", "--allow-empty", "-m", "base moved on again")
	newer := git("rev-parse", "HEAD")
	git("update-ref", "refs/remotes/origin/main", newer)
	git("checkout", "-q", "-b", "merged", head)
	git("merge", "-q", "--no-edit", newer)
	merged := git("rev-parse", "HEAD")
	// The tip of the branch before it was rewritten.
	rewritten := git("commit-tree", "-m", "rewritten", "-p", point, merged+"^{tree}")

	cmd := exec.Command("bash", script, step)
	cmd.Dir = repo
	cmd.Env = append(os.Environ(), "RUNNER_TEMP="+temp, "GITHUB_REPOSITORY=o/r", "GITHUB_ACTION_PATH="+filepath.Dir(filepath.Dir(script)), "GITHUB_EVENT_NAME=push",
		"COMMENT=on-change", "NAME=perf; touch canary", "STRICT=false", "BUDGET=10m", "BASE_SHA="+base, "HEAD_SHA="+head, "GITHUB_TOKEN=canary")
	for _, v := range env {
		cmd.Env = append(cmd.Env, strings.NewReplacer("=MERGED", "="+merged, "=NEWER", "="+newer, "=REWRITTEN", "="+rewritten).Replace(v))
	}
	text, err := cmd.CombinedOutput()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(repo, "canary")); err == nil {
		t.Error("an input was run as a command")
	}
	out = strings.NewReplacer(fmt.Sprintf("pid %d ", cmd.Process.Pid), "same process ", filepath.Join(temp, "perftrack/out/why.txt"), "WHY", point, "POINT", base, "BASE", head, "HEAD", newer, "NEWER", merged, "MERGED").Replace(string(text))
	return out, cmd.ProcessState.ExitCode()
}

// On the default branch, publishing ends with perftrack ci notify if there is a channel to notify.
func TestActionPublishes(t *testing.T) {
	for _, tt := range []struct {
		env  []string
		want string
	}{
		{[]string{"GITHUB_REF_NAME=main", "DEFAULT_BRANCH=main"}, "[ci]\n[notify]\n[--branch]\n[main]\n"},
		{[]string{"GITHUB_REF_NAME=main"}, "[ci]\n[notify]\n[--branch]\n[main]\n"},
		{[]string{"GITHUB_REF_NAME=main", "GITHUB_TOKEN=", "PERFTRACK_WEBHOOK=x", "SLACK=true"}, "[ci]\n[notify]\n[--branch]\n[main]\n[--slack]\n"},
		{[]string{"GITHUB_REF_NAME=main", "SLACK=true"}, "[ci]\n[notify]\n[--branch]\n[main]\n"},
		{[]string{"GITHUB_REF_NAME=main", "AUTHOR=machine; touch canary"}, "[ci]\n[notify]\n[--branch]\n[main]\n[--author=machine; touch canary]\n"},
		{[]string{"GITHUB_REF_NAME=main", "GITHUB_TOKEN="}, "[sync]\n[origin]\n"},
		{[]string{"GITHUB_REF_NAME=side", "DEFAULT_BRANCH=main"}, "[sync]\n[origin]\n"},
		{nil, "[sync]\n[origin]\n"},
		{[]string{"GITHUB_REF_NAME=main", "MEASURED=nothing"}, "[ci]\n[notify]\n[--branch]\n[main]\n"},
	} {
		env := append([]string{"COMMAND=publish", "GITHUB_REF_NAME=", "PERFTRACK_WEBHOOK="}, tt.env...)
		out, code := actionStep(t, "run", env...)
		if code != 0 || !strings.HasSuffix(out, tt.want) || strings.Contains(out, "[import]") == slices.Contains(tt.env, "MEASURED=nothing") || !strings.Contains(out, "[sync]") {
			t.Errorf("%v: %d %s", tt.env, code, out)
		}
		if notify := strings.Contains(out, "[notify]"); notify && !strings.Contains(out, "same process token="+map[bool]string{true: "", false: "canary"}[slices.Contains(tt.env, "GITHUB_TOKEN=")]+" db=runs.db:\n[ci]\n[notify]") {
			t.Errorf("%v: %s", tt.env, out)
		}
	}
}

// Each step replaces its shell with perftrack, so perftrack gets the signals.
func TestActionScript(t *testing.T) {
	for _, tt := range []struct {
		step string
		env  []string
		code int
		want string
	}{
		{"run", []string{"COMMAND=measure"}, 0, "same process token= db=runs.db:\n[check]\n[--base]\n[POINT]\n[--head]\n[HEAD]\n[--budget]\n[10m]\n[--if-needed=BASE]\n"},
		{"run", []string{"COMMAND=measure", "STRICT=true"}, 0, "same process token= db=runs.db:\n[check]\n[--base]\n[POINT]\n[--head]\n[HEAD]\n[--budget]\n[10m]\n[--if-needed=BASE]\n[--strict]\n"},
		{"run", []string{"COMMAND=measure", "HEAD_SHA=MERGED", "BASE_REF=main"}, 0, "same process token= db=runs.db:\n[check]\n[--base]\n[NEWER]\n[--head]\n[MERGED]\n[--budget]\n[10m]\n[--if-needed=NEWER]\n"},
		{"run", []string{"COMMAND=measure", "BASE_REF=--all"}, 0, "same process token= db=runs.db:\n[check]\n[--base]\n[POINT]\n[--head]\n[HEAD]\n[--budget]\n[10m]\n[--if-needed=BASE]\n"},
		{"run", []string{"COMMAND=measure", "HEAD_SHA=--output=x"}, 2, "::error title=perftrack::the event does not name a head commit: use this command only with pull_request or merge_group\n"},
		{"run", []string{"COMMAND=measure", "EXPLAIN=true"}, 0, "same process token= db=runs.db:\n[check]\n[--base]\n[POINT]\n[--head]\n[HEAD]\n[--budget]\n[10m]\n[--if-needed=BASE]\n[--explain]\n[--explain-budget=5m]\n[--explain-file=WHY]\n"},
		{"run", []string{"COMMAND=measure", "ASKED=x"}, 0, "same process token= db=runs.db:\n[check]\n[--base]\n[POINT]\n[--head]\n[HEAD]\n[--budget]\n[10m]\n"},
		{"run", []string{"COMMAND=measure", "ASKED=x", "BENCH=a b$(touch canary)`touch canary`; touch canary"}, 0, "same process token= db=runs.db:\n[check]\n[--base]\n[POINT]\n[--head]\n[HEAD]\n[--budget]\n[10m]\n[--bench=a b$(touch canary)`touch canary`; touch canary]\n"},
		{"run", []string{"COMMAND=comment", "ASKED=$(touch canary)"}, 0, "same process token=canary db=runs.db:\n[ci]\n[comment]\n[--comment]\n[on-change]\n[--workflow]\n[perf; touch canary]\n[--asked=$(touch canary)]\n"},
		{"run", []string{"COMMAND=ask"}, 0, "same process token=canary db=runs.db:\n[ci]\n[ask]\n[--workflow]\n[perf; touch canary]\n"},
		{"run", []string{"COMMAND=comment"}, 0, "same process token=canary db=runs.db:\n[ci]\n[comment]\n[--comment]\n[on-change]\n[--workflow]\n[perf; touch canary]\n"},
		{"run", []string{"COMMAND=history"}, 0, "same process token= db=runs.db:\n[run]\n[--against]\n[HEAD]\n"},
		{"run", []string{"COMMAND=history", "BEFORE=NEWER"}, 0, "same process token= db=runs.db:\n[run]\n[--against]\n[NEWER]\n"},
		{"run", []string{"COMMAND=history", "BEFORE=REWRITTEN"}, 0, "same process token= db=runs.db:\n[run]\n[--against]\n[HEAD]\n"},
		{"run", []string{"COMMAND=history", "BEFORE=MERGED"}, 0, "same process token= db=runs.db:\n[run]\n[--against]\n[HEAD]\n"},
		{"run", []string{"COMMAND=history", "BEFORE=0000000000000000000000000000000000000000"}, 0, "same process token= db=runs.db:\n[run]\n[--against]\n[HEAD]\n"},
		{"run", []string{"COMMAND=history", "BEFORE=--all"}, 0, "same process token= db=runs.db:\n[run]\n[--against]\n[HEAD]\n"},
		{"run", []string{"COMMAND=history", "GITHUB_EVENT_NAME=schedule"}, 0, "same process token= db=runs.db:\n[run]\n"},
		{"run", []string{"COMMAND=$(touch canary)"}, 2, "::error title=perftrack::command must be measure, comment, ask, history, publish or site\n"},
		{"export", nil, 0, ""},
		{"guard", []string{"RUNNER_ENVIRONMENT=github-hosted", "HEAD_REPOSITORY=fork/r"}, 0, ""},
		{"guard", []string{"RUNNER_ENVIRONMENT=self-hosted", "HEAD_REPOSITORY=o/r"}, 0, ""},
		{"guard", []string{"RUNNER_ENVIRONMENT=self-hosted", "HEAD_REPOSITORY=fork/r"}, 2, "::error title=perftrack::this pull request comes from a fork"},
		{"guard", []string{"RUNNER_ENVIRONMENT=self-hosted", "HEAD_REPOSITORY=", "GITHUB_EVENT_NAME=merge_group"}, 0, ""},
		{"guard", []string{"RUNNER_ENVIRONMENT=self-hosted", "HEAD_REPOSITORY="}, 2, "::error title=perftrack::this pull request comes from a fork"},
		{"guard", []string{"RUNNER_ENVIRONMENT=self-hosted", "HEAD_REPOSITORY=fork/r", "ALLOW_FORK=true"}, 0, ""},
	} {
		out, code := actionStep(t, tt.step, tt.env...)
		if code != tt.code || (tt.code == 0 && out != tt.want) || !strings.HasPrefix(out, tt.want) {
			t.Errorf("%s %v: exit %d, %q\nwant %d, %q", tt.step, tt.env, code, out, tt.code, tt.want)
		}
	}
}
