package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/console"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/githubtest"
)

// The Forgejo job runs from perftrack init to the comment: the measuring step fails because of a
// regression, and the next step reports it.
func TestRehearsalOfForgejo(t *testing.T) {
	g, work, head := newRepository(t, "forgejo")
	text, err := os.ReadFile(filepath.Join(work, ".forgejo", "workflows", "perftrack.yml"))
	if err != nil {
		t.Fatal(err)
	}
	var doc struct {
		Jobs map[string]struct {
			Steps []struct {
				Name, Uses, Run, If string
				Env                 map[string]string
			}
		}
	}
	if err := yaml.Unmarshal(text, &doc); err != nil {
		t.Fatal(err)
	}
	f := githubtest.New(t)
	f.Me = -2
	f.Pulls = []map[string]any{githubtest.Pull(12, strings.TrimSpace(g.sh(work, "git rev-parse main~1")), head, 1)}
	event := map[string]any{"pull_request": f.Pulls[0]}
	temp, clone := t.TempDir(), filepath.Join(t.TempDir(), "clone")
	g.sh("", "git clone -q "+g.bare+" "+clone)
	g.sh(clone, "git checkout -q --detach "+head)
	// These are the runner's variables, and replacements for the two actions and go install.
	g.sh("", "mkdir "+temp+"/perftrack && ln -s $(command -v perftrack) "+temp+"/perftrack/perftrack && echo old > "+temp+"/perftrack/trial.txt")
	g.env = append(g.env, "FORGEJO_ACTIONS=true", "GITHUB_ACTIONS=true", "GITHUB_API_URL="+f.URL(), "GITHUB_SERVER_URL=https://git.example", "GITHUB_RUN_ID=99", "GITHUB_RUN_NUMBER=5",
		"GITHUB_EVENT_PATH="+f.Event(event), "RUNNER_TEMP="+temp, "GITHUB_STEP_SUMMARY="+filepath.Join(temp, "summary"))
	ended := map[string]int{}
	for _, step := range doc.Jobs["perftrack-check"].Steps {
		if step.Run == "" || strings.Contains(step.Run, "go install") {
			continue
		}
		var env []string
		for key, value := range step.Env {
			env = append(env, key+"="+strings.NewReplacer("${{ github.event.pull_request.base.ref }}", "main",
				"${{ github.event.pull_request.head.sha }}", head, "${{ github.token }}", githubtest.Token).Replace(value))
		}
		code, log := g.run(clone, step.Run, env)
		if ended[step.Name] = code; strings.Contains(log, githubtest.Token) || strings.Contains(step.Run, "${{") {
			t.Errorf("%s: %s", step.Name, log)
		}
		if code != 0 && step.Name != "Measure" {
			t.Errorf("%s: %s", step.Name, log)
		}
	}
	if ended["Measure"] != console.ExitRegression || len(ended) != 2 {
		t.Errorf("the steps ended with %v", ended)
	}
	if ours := f.Ours(); len(ours) != 1 || !strings.Contains(ours[0].Body, "1 benchmark regressed") {
		t.Errorf("%+v", ours)
	}
	if n := len(f.Statuses); n != 1 || f.Statuses[0]["state"] != "failure" || f.Statuses[0]["target_url"] != "https://git.example/owner/repo/actions/runs/5" {
		t.Errorf("%v", f.Statuses)
	}
	if text, err := json.Marshal(f.Requests); err != nil || strings.Contains(string(text), "check-runs") {
		t.Errorf("%s, %v", text, err)
	}
}
