package notify

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/githubapi"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/githubtest"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/history"
)

func newIssue(t *testing.T, f *githubtest.Fake) *issue {
	t.Helper()
	g, err := githubapi.NewClient(f.URL(), githubtest.Repository, githubtest.Token, time.Now)
	if err != nil {
		t.Fatal(err)
	}
	g.Sleep = func(context.Context, time.Duration) error { return nil }
	return &issue{github: g, author: githubtest.BotLogin}
}

// texts returns first, the first body of an issue, and its comments.
func texts(f *githubtest.Fake, first string, number int) []string {
	all := []string{first}
	for _, c := range f.CommentsOn(number) {
		all = append(all, c.Body)
	}
	return all
}

// Over twenty runs, each event is reported once in the issue, no matter which requests fail and
// whether GitHub carries them out. The issue is open as long as there is an unresolved regression.
func TestIssueTellsOnce(t *testing.T) {
	for _, fault := range []struct {
		name string
		fail func(f *githubtest.Fake, run int)
	}{
		{"nothing fails", func(*githubtest.Fake, int) {}},
		{"every second run is refused", func(f *githubtest.Fake, run int) {
			if run%2 == 0 {
				refuse(f, "POST issues", 403, false)
				refuse(f, "PATCH issues", 403, false)
			}
		}},
		{"every second comment fails, carried out", func(f *githubtest.Fake, run int) {
			if run%2 == 0 {
				refuse(f, "POST issues", 502, true)
			}
		}},
		{"every second comment fails, and is not carried out", func(f *githubtest.Fake, run int) {
			if run%2 == 0 {
				refuse(f, "POST issues", 502, false)
			}
		}},
		{"the connection breaks after the comment", func(f *githubtest.Fake, run int) {
			if run%2 == 0 {
				f.Fail["POST issues"] = []githubtest.Failure{{Done: true}}
			}
		}},
		{"every second update fails", func(f *githubtest.Fake, run int) {
			if run%2 == 0 {
				refuse(f, "PATCH issues", 500, false)
			}
		}},
		{"every second list fails", func(f *githubtest.Fake, run int) {
			if run%2 == 0 {
				refuse(f, "GET issues", 503, false)
			}
		}},
	} {
		t.Run(fault.name, func(t *testing.T) {
			f := githubtest.New(t)
			stranger := f.Issue("mallory", issueTitle, issueMarker+"\n"+toldOpen+"x"+lineClose)
			namesake := f.Issue(githubtest.BotLogin, issueTitle, "of another workflow of ours")
			first := ""
			for run := range 22 {
				fault.fail(f, run)
				_, err := Tell(t.Context(), newIssue(t, f), State{Standings: standings(min(26, 6+run))}, one, false)
				f.Settle()
				if err != nil && fault.name == "nothing fails" {
					t.Fatal(err)
				}
				if len(f.Issues) == 3 && first == "" {
					first = f.Issues[2].Body
				}
			}
			if len(f.Issues) != 3 {
				t.Fatalf("%d issues", len(f.Issues))
			}
			if stranger.Edits+namesake.Edits > 0 || len(f.CommentsOn(1))+len(f.CommentsOn(2)) > 0 {
				t.Error("an issue of somebody else was touched")
			}
			if got := told(t, texts(f, first, 3)...); !slices.Equal(sorted(got), sorted(want)) {
				t.Errorf("told %q\nwant %q", sorted(got), sorted(want))
			}
			if f.Issues[2].State != "open" {
				t.Errorf("the issue is %s", f.Issues[2].State)
			}
		})
	}
}

func refuse(f *githubtest.Fake, what string, status int, done bool) {
	for range 20 {
		f.Fail[what] = append(f.Fail[what], githubtest.Failure{Status: status, Done: done && len(f.Fail[what]) == 0})
	}
}

// The issue is closed when everything has recovered, and reopened when there is another regression.
func TestIssueIsClosedAndOpenedAgain(t *testing.T) {
	f := githubtest.New(t)
	only := func(n int) []history.Standing {
		return slices.DeleteFunc(standings(n), func(s history.Standing) bool { return s.Name != "Again" })
	}
	var states []string
	for n := 6; n <= 26; n++ {
		if _, err := Tell(t.Context(), newIssue(t, f), State{Standings: only(n)}, one, false); err != nil {
			t.Fatal(err)
		}
		state := "none"
		if len(f.Issues) > 0 {
			state = f.Issues[0].State
		}
		if len(states) == 0 || states[len(states)-1] != state {
			states = append(states, state)
		}
	}
	if got := strings.Join(states, " "); got != "none open closed open" || len(f.Issues) != 1 {
		t.Errorf("the issue was %s; %d issues", got, len(f.Issues))
	}
}

func TestIssueWithADamagedLineIsLeftAlone(t *testing.T) {
	f := githubtest.New(t)
	for n := 6; n <= 14; n++ {
		if _, err := Tell(t.Context(), newIssue(t, f), State{Standings: standings(n)}, one, false); err != nil {
			t.Fatal(err)
		}
	}
	i := f.Issues[0]
	i.Body = strings.Replace(i.Body, toldOpen, toldOpen+"!", 1)
	body, comments := i.Body, len(f.CommentsOn(1))
	_, err := Tell(t.Context(), newIssue(t, f), State{Standings: standings(26)}, one, false)
	if err == nil || !strings.Contains(err.Error(), "issue 1: its hidden line was changed") {
		t.Errorf("error %v", err)
	}
	if i.Body != body || len(f.CommentsOn(1)) != comments || len(f.Issues) != 1 {
		t.Error("it was written to")
	}
}

// An issue created by another account is closed, because no later run would find it.
func TestIssueOfAnotherAuthor(t *testing.T) {
	f := githubtest.New(t)
	f.Login = "machine"
	said, err := Tell(t.Context(), newIssue(t, f), State{Standings: standings(13)}, one, false)
	if err == nil || !strings.Contains(err.Error(), "the token belongs to machine") || !strings.Contains(err.Error(), "--author") {
		t.Errorf("%q, %v", said, err)
	}
	if len(f.Issues) != 1 || f.Issues[0].State != "closed" {
		t.Fatalf("%d issues, the first %+v", len(f.Issues), f.Issues[0])
	}
	named := func() *issue {
		c := newIssue(t, f)
		c.author = "Machine"
		return c
	}
	for range 2 {
		if _, err := Tell(t.Context(), named(), State{Standings: standings(13)}, one, false); err != nil {
			t.Error(err)
		}
	}
	if len(f.Issues) != 2 || f.Issues[0].State != "closed" || f.Issues[1].State != "open" {
		t.Errorf("%d issues", len(f.Issues))
	}
}

// The issue stays within GitHub's size limit with any number of regressions, and the report hidden
// in it can be read back.
func TestIssueFits(t *testing.T) {
	var all []Step
	var events []Event
	for i := range 400 {
		k := Key{Target: "target", Package: "example.com/a/long/path/to/some/package", Benchmark: fmt.Sprintf("Benchmark|`%d`/<x>", i), Unit: "sec/op", Environment: "0123456789ab"}
		all = append(all, Step{Key: k, From: 1e-9, Value: 2e-9, Count: 1, After: strings.Repeat("a", 40), UpTo: strings.Repeat("b", 40)})
		events = append(events, Event{Kind: New, Key: k, From: 1e-9, To: 2e-9, After: strings.Repeat("a", 40), UpTo: strings.Repeat("b", 40)})
	}
	body, err := issueBody(Reported{Version: version, Steps: all}, events)
	if err != nil || len(body) > 60_000 {
		t.Fatalf("%d bytes, %v", len(body), err)
	}
	back, err := reportedIn(body)
	if err != nil || !slices.Equal(back.Steps, all) {
		t.Errorf("read back %d steps, %v", len(back.Steps), err)
	}
}
