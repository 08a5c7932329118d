package notify

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/githubapi"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/githubtest"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/history"
	"github.com/perftrack/perftrack/compare/steps"
	"github.com/perftrack/perftrack/runner/gitrepo"
	"github.com/perftrack/perftrack/runner/gitrepo/parcel"
	"github.com/perftrack/perftrack/runner/record"
)

// runs are the values of a benchmark over the runs of a default branch, and from which run on
// its change was accepted, 0 for never.
type runs struct {
	name     string
	values   []float64
	accepted int
}

func flat(parts ...float64) (values []float64) {
	for i := 0; i < len(parts); i += 2 {
		for k := range int(parts[i]) {
			values = append(values, parts[i+1]*(1+0.0003*float64(k%3-1)))
		}
	}
	return values
}

// twenty runs, beginning with six of before: steps that come, go, worsen and are accepted.
var twenty = []runs{
	{"Calm", flat(26, 100), 0},
	{"Comes", flat(9, 100, 17, 120), 0},
	{"Worsens", flat(8, 100, 8, 120, 10, 150), 0},
	{"Recovers", flat(8, 100, 6, 130, 12, 100), 0},
	{"Accepted", flat(9, 100, 17, 110), 18},
	{"Again", flat(8, 100, 5, 130, 5, 100, 8, 140), 0},
	{"Short", flat(24, 0, 2, 100)[24:], 0},
}

// standings are how all stand after so many runs.
func standings(n int) (all []history.Standing) {
	for _, b := range twenty {
		values := b.values
		if n < len(values) {
			values = values[:n]
		}
		l := steps.NewLine(steps.Options{Unit: "sec/op", Better: -1, Threshold: 0.05, Accepted: func(last, first string) bool {
			return b.accepted > 0 && n >= b.accepted
		}})
		for i, v := range values {
			l.Append(steps.Point{Run: fmt.Sprint("r", i), Commit: fmt.Sprintf("%040x", 0xabc000+i), Value: v * 1e-9})
		}
		line := steps.UnitLine{Environment: "e", Unit: "ns/op", Tidied: "sec/op", Course: l.Course()}
		all = append(all, history.NewStanding("t", record.BenchmarkID{Kind: record.Bench, Name: b.name}, line, 0.05))
	}
	return all
}

// want is what each channel is told in the end, each once.
var want = []string{
	"new Comes", "new Worsens", "worse Worsens", "new Recovers", "recovered Recovers", "new Accepted", "accepted Accepted",
	"new Again", "recovered Again", "new Again",
}

func one(Event) int { return 3 }

// told reads the sentences of texts as kind and name.
func told(t *testing.T, texts ...string) (all []string) {
	t.Helper()
	words := []struct{ word, kind string }{{"than it was told before", Worse}, {"than before", New}, {"was accepted", Accepted}, {"recovered", Recovered}}
	for _, text := range texts {
		for line := range strings.Lines(text) {
			for _, w := range words {
				if strings.Contains(line, w.word) {
					name, _, _ := strings.Cut(strings.TrimLeft(line, "-` t"), "`")
					name, _, _ = strings.Cut(name, " ")
					all = append(all, w.kind+" "+name)
					break
				}
			}
		}
	}
	return all
}

func sorted(list []string) []string { return slices.Sorted(slices.Values(list)) }

func newIssue(t *testing.T, f *githubtest.Fake) *issue {
	t.Helper()
	g, err := githubapi.NewClient(f.URL(), githubtest.Repository, githubtest.Token, time.Now)
	if err != nil {
		t.Fatal(err)
	}
	g.Sleep = func(context.Context, time.Duration) error { return nil }
	return &issue{github: g, author: githubtest.BotLogin}
}

// texts are what readers of an issue were told: its first text and the comments.
func texts(f *githubtest.Fake, first string, number int) []string {
	all := []string{first}
	for _, c := range f.CommentsOn(number) {
		all = append(all, c.Body)
	}
	return all
}

// Over twenty runs each thing is told once in the issue, whichever request fails and whether
// it was carried out or not, and the issue is open as long as anything is in force.
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
				_, err := Tell(t.Context(), newIssue(t, f), standings(min(26, 6+run)), one, false)
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

// The issue is closed when all recovered, and the same one opened again.
func TestIssueIsClosedAndOpenedAgain(t *testing.T) {
	f := githubtest.New(t)
	only := func(n int) []history.Standing {
		return slices.DeleteFunc(standings(n), func(s history.Standing) bool { return s.Name != "Again" })
	}
	var states []string
	for n := 6; n <= 26; n++ {
		if _, err := Tell(t.Context(), newIssue(t, f), only(n), one, false); err != nil {
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
		if _, err := Tell(t.Context(), newIssue(t, f), standings(n), one, false); err != nil {
			t.Fatal(err)
		}
	}
	i := f.Issues[0]
	i.Body = strings.Replace(i.Body, toldOpen, toldOpen+"!", 1)
	body, comments := i.Body, len(f.CommentsOn(1))
	_, err := Tell(t.Context(), newIssue(t, f), standings(26), one, false)
	if err == nil || !strings.Contains(err.Error(), "issue 1: its hidden line was changed") {
		t.Errorf("error %v", err)
	}
	if i.Body != body || len(f.CommentsOn(1)) != comments || len(f.Issues) != 1 {
		t.Error("it was written to")
	}
}

// The issue of a token that writes as somebody else would be found by no later run.
func TestIssueOfAnotherAuthor(t *testing.T) {
	f := githubtest.New(t)
	f.Login = "machine"
	said, err := Tell(t.Context(), newIssue(t, f), standings(13), one, false)
	if err == nil || !strings.Contains(err.Error(), "the token writes as machine") || !strings.Contains(err.Error(), "--author") {
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
		if _, err := Tell(t.Context(), named(), standings(13), one, false); err != nil {
			t.Error(err)
		}
	}
	if len(f.Issues) != 2 || f.Issues[0].State != "closed" || f.Issues[1].State != "open" {
		t.Errorf("%d issues", len(f.Issues))
	}
}

// A dry run reads and writes nothing.
func TestDryRun(t *testing.T) {
	f := githubtest.New(t)
	said, err := Tell(t.Context(), newIssue(t, f), standings(13), one, true)
	if err != nil || len(f.Issues) != 0 || len(told(t, strings.Join(said, "\n"))) != 5 {
		t.Errorf("%d issues, %q, %v", len(f.Issues), said, err)
	}
	for _, r := range f.Requests {
		if !strings.HasPrefix(r, "GET ") {
			t.Error(r)
		}
	}
	if said, err = Tell(t.Context(), nobody{}, standings(6), one, true); err != nil || said != nil {
		t.Errorf("of no steps %q, %v", said, err)
	}
}

// A hookServer is a receiver that tells letters apart by their id.
type hookServer struct {
	*httptest.Server
	answer  func() int // status; 0 breaks the connection after the letter was taken
	letters map[string]string
	sent    int
}

func newHookServer(t *testing.T) *hookServer {
	h := &hookServer{letters: map[string]string{}, answer: func() int { return 200 }}
	h.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h.sent++
		status := h.answer()
		if r.URL.Path != "/secret-canary" {
			t.Errorf("%s %s: a redirection was followed", r.Method, r.URL.Path)
			status = 500
		}
		if status < 300 {
			text, _ := io.ReadAll(r.Body)
			var l struct {
				ID     string
				Events []struct{ Sentence string }
			}
			if err := json.Unmarshal(text, &l); err != nil || l.ID == "" {
				t.Errorf("%s: %v", text, err)
			}
			all := ""
			for _, e := range l.Events {
				all += e.Sentence + "\n"
			}
			if before, ok := h.letters[l.ID]; ok && before != all {
				t.Errorf("two letters have the id %s", l.ID)
			}
			h.letters[l.ID] = all
		}
		if status == 0 {
			panic(http.ErrAbortHandler)
		}
		if status == 302 {
			w.Header().Set("Location", "/elsewhere")
		}
		w.WriteHeader(status)
	}))
	t.Cleanup(h.Close)
	return h
}

// workTree is a clone of a bare repository.
func workTree(t *testing.T) (clone *parcel.Clone, dir string) {
	t.Helper()
	dir = t.TempDir()
	t.Setenv("GIT_CONFIG_GLOBAL", os.DevNull)
	for _, args := range [][]string{
		{"init", "-q", "--bare", filepath.Join(dir, "bare.git")}, {"init", "-q", filepath.Join(dir, "work")},
		{"-C", filepath.Join(dir, "work"), "remote", "add", "origin", filepath.Join(dir, "bare.git")},
	} {
		if out, err := exec.CommandContext(t.Context(), "git", args...).CombinedOutput(); err != nil {
			t.Fatalf("git %v: %v\n%s", args, err, out)
		}
	}
	repo, err := gitrepo.Open(t.Context(), filepath.Join(dir, "work"))
	if err != nil {
		t.Fatal(err)
	}
	return parcel.Of(repo), dir
}

func newTestHook(t *testing.T, h *hookServer, clone *parcel.Clone) *hook {
	t.Helper()
	c, err := newHook(Webhook{URL: h.URL + "/secret-canary", Name: "webhook"}, "o/r", clone, "origin")
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// So does the webhook, with what it was told in the remote; a letter that may have arrived
// comes again with the same id.
func TestWebhookTellsOnce(t *testing.T) {
	for _, fault := range []struct {
		name   string
		status int // of every second delivery
		again  bool
	}{{"nothing fails", 200, false}, {"every second delivery fails", 500, false}, {"every second delivery is redirected", 302, false}, {"every second answer is lost", 0, true}} {
		t.Run(fault.name, func(t *testing.T) {
			h := newHookServer(t)
			clone, _ := workTree(t)
			h.answer = func() int {
				if h.sent%2 == 0 {
					return fault.status
				}
				return 200
			}
			for run := range 24 {
				_, err := Tell(t.Context(), newTestHook(t, h, clone), standings(min(26, 6+run)), one, false)
				if err != nil && strings.Contains(err.Error(), "secret-canary") {
					t.Errorf("the error has the address: %v", err)
				}
			}
			var all []string
			for _, text := range h.letters {
				all = append(all, text)
			}
			if got := told(t, all...); !slices.Equal(sorted(got), sorted(want)) {
				t.Errorf("told %q\nwant %q", sorted(got), sorted(want))
			}
			if !fault.again && fault.status == 200 && h.sent != len(h.letters) {
				t.Errorf("%d letters were sent %d times", len(h.letters), h.sent)
			}
		})
	}
}

// A job that read an older note replaces no newer one, and tells nothing.
func TestNoteOfAnotherJobIsKept(t *testing.T) {
	h := newHookServer(t)
	clone, _ := workTree(t)
	slow := newTestHook(t, h, clone)
	if _, err := slow.load(t.Context()); err != nil {
		t.Fatal(err)
	}
	if _, err := Tell(t.Context(), newTestHook(t, h, clone), standings(13), one, false); err != nil {
		t.Fatal(err)
	}
	sent := h.sent
	if err := slow.save(t.Context(), Told{Version: version}); !errors.Is(err, parcel.ErrNoteChanged) {
		t.Errorf("error %v", err)
	}
	if _, err := Tell(t.Context(), newTestHook(t, h, clone), standings(13), one, false); err != nil || h.sent != sent {
		t.Errorf("%d letters more, %v", h.sent-sent, err)
	}
}

func TestWebhookAddresses(t *testing.T) {
	for url, ok := range map[string]bool{
		"https://hooks.example/x": true, "http://127.0.0.1:1/x": true, "http://[::1]/x": true,
		"http://hooks.example/canary": false, "ftp://x/canary": false, "canary": false, "https://": false, "https://x/\x00canary": false,
	} {
		_, err := newHook(Webhook{URL: url}, "", nil, "")
		if (err == nil) != ok || err != nil && strings.Contains(err.Error(), "canary") {
			t.Errorf("%q: %v", url, err)
		}
	}
}

// What nobody knows now is as it was told: neither gone nor told again.
func TestWhatIsNotMeasuredStaysAsTold(t *testing.T) {
	_, before := Differences(nil, standings(14))
	if len(before) == 0 {
		t.Fatal("nothing is in force")
	}
	for name, now := range map[string][]history.Standing{
		"nothing": nil,
		"too few": {{Target: "t", BenchmarkID: record.BenchmarkID{Kind: record.Bench, Name: "Comes"}, Environment: "e", Unit: "ns/op", Tidied: "sec/op"}},
	} {
		events, next := Differences(before, now)
		if len(events) != 0 || !slices.Equal(next, before) {
			t.Errorf("%s: %v, %v", name, events, next)
		}
	}
}

// A job of an older commit that is run again knows nothing of what was told since.
func TestOlderRunLeavesAsTold(t *testing.T) {
	_, before := Differences(nil, standings(26))
	if len(before) == 0 {
		t.Fatal("nothing is in force")
	}
	for _, n := range []int{7, 9, 13, 16} {
		older := map[Key]bool{}
		for _, s := range before {
			for _, now := range standings(n) {
				older[s.Key] = older[s.Key] || keyOf(now) == s.Key && !now.Has(s.UpTo)
			}
		}
		events, next := Differences(before, standings(n))
		for _, e := range events {
			if older[e.Key] {
				t.Errorf("after %d runs %s %s", n, e.Kind, e.Benchmark)
			}
		}
		for _, s := range before {
			if older[s.Key] && !slices.Contains(next, s) {
				t.Errorf("after %d runs %s is told otherwise", n, s.Benchmark)
			}
		}
	}
	if events, next := Differences(before, standings(7)); len(events) != 0 || !slices.Equal(next, before) {
		t.Errorf("%v, %v", events, next)
	}
}

// A level that creeps is worse when it lies a step from what was told, not from the last run.
func TestCreepingIsWorseInTheEnd(t *testing.T) {
	step := steps.Step{From: 100, To: 120, InForce: true}
	step.Shift.Lo, step.Shift.Hi = 0.19, 0.21
	at := func(value float64) []history.Standing {
		return []history.Standing{{Target: "t", BenchmarkID: record.BenchmarkID{Name: "X"}, Tidied: "sec/op", Threshold: 0.05, InForce: []steps.Step{step}, Value: value, Enough: true}}
	}
	_, known := Differences(nil, at(120))
	var kinds []string
	for _, value := range []float64{121, 122, 123.5, 124, 110, 114, math.Inf(1)} {
		events, next := Differences(known, at(value))
		for _, e := range events {
			kinds = append(kinds, fmt.Sprint(e.Kind, " ", value))
		}
		known = next
	}
	if got := strings.Join(kinds, ", "); got != "worse 123.5, worse 114, worse +Inf" {
		t.Error(got)
	}
}

func TestSentences(t *testing.T) {
	e := Event{Kind: New, Key: Key{Target: "engine", Benchmark: "GELU/n=1", Unit: "sec/op"}, Stored: "ns/op", From: 1e-7, To: 1.12e-7,
		After: strings.Repeat("a", 40), UpTo: strings.Repeat("b", 40), Commits: 3}
	with := func(change func(*Event)) Event {
		c := e
		change(&c)
		return c
	}
	for _, tt := range []struct {
		e    Event
		want string
	}{
		{e, "engine GELU/n=1 sec/op is 12.0 % worse than before: 100.0n to 112.0n, since the 3 commits after aaaaaaaaaaaa up to bbbbbbbbbbbb; " +
			"to find the one: perftrack bisect-helper auto aaaaaaaaaaaa..bbbbbbbbbbbb --bench GELU/n=1"},
		{with(func(e *Event) { e.Kind, e.Commits = Worse, 1 }), "engine GELU/n=1 sec/op is 12.0 % worse than it was told before: 100.0n to 112.0n, since commit bbbbbbbbbbbb; " +
			"to see why: perftrack explain aaaaaaaaaaaa bbbbbbbbbbbb --bench GELU/n=1"},
		{with(func(e *Event) { e.Kind, e.From, e.To = Recovered, e.To, e.From }), "engine GELU/n=1 sec/op recovered: 112.0n to 100.0n"},
		{with(func(e *Event) { e.Kind = Accepted }), "engine GELU/n=1 sec/op stays at 112.0n: what came in up to bbbbbbbbbbbb was accepted"},
		{with(func(e *Event) {
			e.Unit, e.Stored, e.From, e.To, e.Commits, e.Benchmark = "allocs/op", "allocs/op", 0, 2, 0, "it's; rm"
		}),
			"engine it's; rm allocs/op is worse than before: 0.000 to 2.000, since the commits after aaaaaaaaaaaa up to bbbbbbbbbbbb; " +
				`to find the one: perftrack bisect-helper auto aaaaaaaaaaaa..bbbbbbbbbbbb --bench 'it'\''s; rm' --unit allocs/op`},
		{with(func(e *Event) { e.Drift = 30 }), "engine GELU/n=1 sec/op is 12.0 % worse than before: 100.0n to 112.0n, since little by little over 30 runs, from aaaaaaaaaaaa up to bbbbbbbbbbbb; " +
			"measure both together: perftrack run --rev bbbbbbbbbbbb --against aaaaaaaaaaaa"},
		{with(func(e *Event) { e.After = "" }), "engine GELU/n=1 sec/op is 12.0 % worse than before: 100.0n to 112.0n, since a run of no known commit"},
	} {
		if got := tt.e.sentence(plainly); got != tt.want {
			t.Errorf("%s\nwant\n%s", got, tt.want)
		}
	}
}

func TestSlack(t *testing.T) {
	h := &hook{Webhook: Webhook{Slack: true}, repository: "o/r"}
	text, err := h.payload(Letter{Events: []Event{{Kind: Recovered, Key: Key{Target: "t", Benchmark: "<!channel> & more", Unit: "sec/op"}, From: 2e-9, To: 1e-9}}})
	if want := `{"text":"perftrack, o/r:\nt \u0026lt;!channel\u0026gt; \u0026amp; more sec/op recovered: 2.000n to 1.000n"}`; err != nil || string(text) != want {
		t.Errorf("%s, want %s: %v", text, want, err)
	}
}

// So does a letter in Slack's shape, and a name in it is no link.
func TestSlackFits(t *testing.T) {
	h := &hook{Webhook: Webhook{Slack: true}, repository: "o/r"}
	var events []Event
	for i := range 400 {
		events = append(events, Event{Kind: Recovered, Key: Key{Target: "t", Benchmark: fmt.Sprintf("Get/https://evil.example/<%d>", i), Unit: "sec/op"}, From: 2e-9, To: 1e-9})
	}
	text, err := h.payload(Letter{Events: events})
	if err != nil {
		t.Fatal(err)
	}
	var got struct{ Text string }
	if err := json.Unmarshal(text, &got); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(got.Text, "\n")
	last := fmt.Sprintf("%d more: perftrack history --steps lists them.", 400-(len(lines)-2))
	if len(got.Text) > 4000 || len(lines) < 20 || lines[len(lines)-1] != last || strings.Contains(got.Text, "://") {
		t.Errorf("%d bytes, %d lines, the last %q, want %q", len(got.Text), len(lines), lines[len(lines)-1], last)
	}
}

// A command in the issue can be typed as it stands there.
func TestCommandsAreWhole(t *testing.T) {
	name := "Sub/" + strings.Repeat("long", 60)
	for _, tt := range []struct{ name, want string }{
		{name, "`perftrack explain aaaaaaaaaaaa bbbbbbbbbbbb --bench " + name + "`"},
		{"a|b`c``d", "``` perftrack explain aaaaaaaaaaaa bbbbbbbbbbbb --bench 'a|b`c``d' ```"},
	} {
		e := Event{Kind: New, Key: Key{Target: "t", Benchmark: tt.name, Unit: "sec/op"}, Stored: "ns/op", From: 1e-7, To: 2e-7,
			After: strings.Repeat("a", 40), UpTo: strings.Repeat("b", 40), Commits: 1}
		if got := eventList([]Event{e}, 60_000); !strings.Contains(got, tt.want) {
			t.Errorf("%s\nlacks %s", got, tt.want)
		}
	}
}

// However much is in force, the issue fits, and what was told is read back.
func TestIssueFits(t *testing.T) {
	var all []Step
	var events []Event
	for i := range 400 {
		k := Key{Target: "target", Package: "example.com/a/long/path/to/some/package", Benchmark: fmt.Sprintf("Benchmark|`%d`/<x>", i), Unit: "sec/op", Environment: "0123456789ab"}
		all = append(all, Step{Key: k, From: 1e-9, Value: 2e-9, Count: 1, After: strings.Repeat("a", 40), UpTo: strings.Repeat("b", 40)})
		events = append(events, Event{Kind: New, Key: k, From: 1e-9, To: 2e-9, After: strings.Repeat("a", 40), UpTo: strings.Repeat("b", 40)})
	}
	body, err := issueBody(Told{Version: version, Steps: all}, events)
	if err != nil || len(body) > 60_000 {
		t.Fatalf("%d bytes, %v", len(body), err)
	}
	back, err := hiddenTold(body)
	if err != nil || !slices.Equal(back.Steps, all) {
		t.Errorf("read back %d steps, %v", len(back.Steps), err)
	}
}
