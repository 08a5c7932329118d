package notify

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/perftrack/perftrack/runner/gitrepo"
	"github.com/perftrack/perftrack/runner/gitrepo/parcel"
)

// A hookServer is a receiver that recognizes letters by their id.
type hookServer struct {
	*httptest.Server
	answer  func() int // returns the status; 0 breaks the connection after the letter was received
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

// workTree returns a clone of a bare repository, and the folder that contains both.
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
	c, err := newHook(Webhook{URL: h.URL + "/secret-canary", Name: "webhook"}, "o/r")
	if err != nil {
		t.Fatal(err)
	}
	c.clone, c.remote = clone, "origin"
	return c
}

// Each event is sent to the webhook only once, because the remote stores the last report. A letter
// that may have arrived is sent again with the same id.
func TestWebhookTellsOnce(t *testing.T) {
	for _, fault := range []struct {
		name   string
		status int // status of every second delivery
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
				_, err := Tell(t.Context(), newTestHook(t, h, clone), State{Standings: standings(min(26, 6+run))}, one, false)
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

// A job with an older note does not replace a newer one, and sends nothing.
func TestNoteOfAnotherJobIsKept(t *testing.T) {
	h := newHookServer(t)
	clone, _ := workTree(t)
	slow := newTestHook(t, h, clone)
	if _, err := slow.load(t.Context()); err != nil {
		t.Fatal(err)
	}
	if _, err := Tell(t.Context(), newTestHook(t, h, clone), State{Standings: standings(13)}, one, false); err != nil {
		t.Fatal(err)
	}
	sent := h.sent
	if err := slow.save(t.Context(), Reported{Version: version}); !errors.Is(err, parcel.ErrNoteChanged) {
		t.Errorf("error %v", err)
	}
	if _, err := Tell(t.Context(), newTestHook(t, h, clone), State{Standings: standings(13)}, one, false); err != nil || h.sent != sent {
		t.Errorf("%d letters more, %v", h.sent-sent, err)
	}
}

func TestWebhookAddresses(t *testing.T) {
	for url, ok := range map[string]bool{
		"https://hooks.example/x": true, "http://127.0.0.1:1/x": true, "http://[::1]/x": true, "http://127.0.0.2/x": true, "https://127.0.0.2/x": true, "ftp://127.0.0.1/canary": false, "http://localhost/canary": false,
		"http://hooks.example/canary": false, "ftp://x/canary": false, "canary": false, "https://": false, "https://x/\x00canary": false,
	} {
		_, err := newHook(Webhook{URL: url}, "")
		if (err == nil) != ok || err != nil && strings.Contains(err.Error(), "canary") {
			t.Errorf("%q: %v", url, err)
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

// A letter in Slack's format stays within the size limit, and names in it do not become links.
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
	last := fmt.Sprintf("%d more: see perftrack ci notify --dry-run.", 400-(len(lines)-2))
	if len(got.Text) > 4000 || len(lines) < 20 || lines[len(lines)-1] != last || strings.Contains(got.Text, "://") {
		t.Errorf("%d bytes, %d lines, the last %q, want %q", len(got.Text), len(lines), lines[len(lines)-1], last)
	}
}
