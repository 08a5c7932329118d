package demand

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/githubtest"
)

// newFake returns a fake GitHub with one pull request from a fork, with the head HeadSHA.
func newFake(t *testing.T) *githubtest.Fake {
	f := githubtest.New(t)
	f.MergeBase = githubtest.BaseSHA
	f.Pulls = []map[string]any{githubtest.Pull(12, githubtest.BaseSHA, githubtest.HeadSHA, 2)}
	f.Pulls[0]["head"].(map[string]any)["repo"].(map[string]any)["full_name"] = "fork/repo"
	f.Permissions = map[string]string{"maria": "write", "olga": "admin", "tom": "read", "nobody": "none"}
	return f
}

// comment returns the event for a comment on a pull request.
func comment(by, body string) map[string]any {
	return map[string]any{
		"action": "created", "sender": map[string]any{"login": by},
		"issue":   map[string]any{"number": 12, "state": "open", "pull_request": map[string]any{"url": "x"}},
		"comment": map[string]any{"body": body, "author_association": "MEMBER", "user": map[string]any{"login": by}},
	}
}

func TestDecide(t *testing.T) {
	const all = "pull=12\nhead=" + githubtest.HeadSHA + "\nbase=" + githubtest.BaseSHA + "\nrepository=fork/repo\nbench=\nbudget=10m0s\n"
	issue := comment("maria", "/perftrack")
	delete(issue["issue"].(map[string]any), "pull_request")
	dispatch := func(pull, bench, budget string) map[string]any {
		return map[string]any{"sender": map[string]any{"login": "maria"}, "inputs": map[string]any{"pull": pull, "bench": bench, "budget": budget}}
	}
	for _, tt := range []struct {
		name    string
		event   map[string]any
		prepare func(*githubtest.Fake)
		outputs string
		refused string // or part of the error
		ours    int    // number of perftrack's comments
	}{
		{"a maintainer", comment("maria", "/perftrack"), nil, all, "", 0},
		{"an owner", comment("olga", "/perftrack"), nil, all, "", 0},
		{"a part", comment("maria", "/perftrack --bench 'A|B' --budget 5m"), nil,
			strings.NewReplacer("bench=", "bench=A|B", "10m0s", "5m0s").Replace(all), "", 0},
		{"by hand", dispatch("12", "", "10m"), nil, all, "", 0},
		{"by hand, a part", dispatch("12", "A", "5m"), nil, strings.NewReplacer("bench=", "bench=A", "10m0s", "5m0s").Replace(all), "", 0},

		{"who may read", comment("tom", "/perftrack"), nil, "", "measuring a pull request requires push access", 1},
		{"who may nothing", comment("nobody", "/perftrack"), nil, "", "measuring a pull request requires push access", 1},
		{"a stranger, whatever GitHub calls him", comment("stranger", "/perftrack --strict"), nil, "", "measuring a pull request requires push access", 1},
		{"a stranger who says more", comment("stranger", "/perftrack --budget 9h"), nil, "", "measuring a pull request requires push access", 1},
		{"what may not be asked for", comment("maria", "/perftrack --strict"), nil, "", "wrong arguments", 1},
		{"chat", comment("stranger", "/perftracker is nice"), nil, "", silently, 0},
		{"an issue", issue, nil, "", silently, 0},
		{"a closed pull request", comment("maria", "/perftrack"), func(f *githubtest.Fake) { f.Pulls[0]["state"] = "closed" }, "", "pull request 12 is not open", 0},
		{"GitHub does not say who may", comment("maria", "/perftrack"), func(f *githubtest.Fake) {
			f.Fail["GET collaborators"] = []githubtest.Failure{{Status: 403}}
		}, "", "read the user's permission: 403", 0},
		{"what is said cannot be kept up to date", comment("maria", "/perftrack"), func(f *githubtest.Fake) {
			f.Fail["GET issues"] = []githubtest.Failure{{Status: 403}}
		}, "", "list comments: 403", 0},
		{"a tab", comment("stranger", "/perftrack\t--bench X"), nil, "", "measuring a pull request requires push access", 1},
		{"a name that leads elsewhere", comment("../../x", "/perftrack"), nil, "", "does not name its user", 0},
		{"no number", dispatch("12; id", "", ""), nil, "", "pull must be the number of a pull request", 0},
		{"by hand, a bad budget", dispatch("12", "", "1y"), nil, "", "--budget must be a duration", 0},
		{"another event", map[string]any{}, nil, "", "neither a comment nor", 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			f := newFake(t)
			if tt.prepare != nil {
				tt.prepare(f)
			}
			answer, err := Decide(t.Context(), Options{
				API: f.URL(), Token: githubtest.Token, EventPath: f.Event(tt.event), Workflow: "perftrack", Link: "https://git.example/run",
				Now: time.Now, Sleep: func(context.Context, time.Duration) error { return nil },
			})
			said := answer.Refused
			if err != nil {
				said = err.Error()
			}
			if !strings.Contains(said, tt.refused) || tt.refused == "" && said != "" {
				t.Errorf("refused %q, want %q", said, tt.refused)
			}
			if ours := f.Ours(); len(ours) != tt.ours || tt.ours > 0 && !strings.Contains(ours[0].Body, "perftrack will not measure for `") {
				t.Errorf("comments %v", ours)
			}
			path := filepath.Join(t.TempDir(), "outputs")
			if err := answer.WriteOutputs(path); err != nil {
				t.Fatal(err)
			}
			outputs, _ := os.ReadFile(path)
			if err == nil && string(outputs) != tt.outputs {
				t.Errorf("outputs\n%s\nwant\n%s", outputs, tt.outputs)
			}
			want := 0
			if tt.outputs != "" {
				want = 1
			}
			if len(f.Statuses) != want || want > 0 && (f.Statuses[0]["state"] != "pending" || !strings.HasPrefix(f.Statuses[0]["description"], "requested by ")) {
				t.Errorf("statuses %v", f.Statuses)
			}
		})
	}
}

// Repeated requests by a stranger get a single answer, replaced by the answer to a maintainer's
// later request.
func TestDecideAnswersOnce(t *testing.T) {
	f := newFake(t)
	for _, by := range []string{"stranger", "stranger", "maria"} {
		if _, err := Decide(t.Context(), Options{API: f.URL(), Token: githubtest.Token, EventPath: f.Event(comment(by, "/perftrack")), Workflow: "perftrack", Now: time.Now}); err != nil {
			t.Fatal(err)
		}
	}
	if ours := f.Ours(); len(ours) != 1 || !strings.Contains(ours[0].Body, "Requested by `maria`") {
		t.Errorf("comments %v", ours)
	}
}
