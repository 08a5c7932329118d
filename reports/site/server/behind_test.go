package server_test

import (
	"net/http"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/perftrack/perftrack/reports/site/server"
)

const note = "perftrack.behind({"

// until repeats a request until good returns true for the answer, and returns the answer.
func until(t *testing.T, h http.Handler, path string, good func(answer) bool) answer {
	t.Helper()
	for end := time.Now().Add(time.Minute); ; time.Sleep(time.Millisecond) {
		r := ask(h, "GET", path)
		if good(r) {
			return r
		}
		if time.Now().After(end) {
			t.Fatalf("%s: %d %s", path, r.status, r.body)
		}
	}
}

// While a newer version is being made, the server sends the older overview with a note about the
// progress. After that, it sends the newer overview without a note.
func TestBehind(t *testing.T) {
	s := newShelf()
	s.time = time.Unix(1767323045, 0)
	h := handler(t, server.Options{Live: s, Moment: time.Millisecond})
	older := until(t, h, "/data/index.js", func(r answer) bool { return strings.HasSuffix(r.body, s.stamp()+"\");\n") }).body
	s.block()
	s.put("run")
	if r := until(t, h, "/", func(r answer) bool { return r.status == 200 }); !strings.Contains(r.body, "perftrack.js") {
		t.Errorf("the page: %s", r.body)
	}
	for _, name := range []string{"index", "commits"} {
		r := until(t, h, "/data/"+name+".js", func(r answer) bool { return strings.Contains(r.body, note) })
		if !strings.Contains(r.body, `"time":1767323045,"doing":"counting","done":3,"of":7`) || !strings.Contains(r.body, `perftrack.data("`+name+`",`) {
			t.Errorf("%s: %s", name, r.body)
		}
		if name == "index" && !strings.HasPrefix(r.body, older) {
			t.Errorf("it is not the older one: %s", r.body)
		}
	}
	if r := ask(h, "GET", "/data/behind.js"); r.status != 200 || r.body != `perftrack.behind({"time":0,"doing":"counting","done":3,"of":7,"why":""});`+"\n" {
		t.Errorf("%d %s", r.status, r.body)
	}
	if r := ask(h, "GET", "/data/runs.js"); strings.Contains(r.body, note) || !strings.Contains(r.body, s.stamp()) {
		t.Errorf("what is no part of the overview is older: %s", r.body)
	}
	s.unblock()
	until(t, h, "/data/behind.js", func(r answer) bool { return r.body == "perftrack.behind(null);\n" })
	newer := until(t, h, "/data/index.js", func(r answer) bool { return !strings.Contains(r.body, note) }).body
	if !strings.HasSuffix(newer, s.stamp()+"\");\n") {
		t.Errorf("the newer one: %s", newer)
	}
}

// If runs are stored too often to finish the files of a version, the server sends an older
// overview.
func TestBehindAllTheTime(t *testing.T) {
	s := newShelf()
	h := handler(t, server.Options{Live: s, Moment: time.Millisecond})
	until(t, h, "/data/commits.js", func(r answer) bool { return r.status == 200 && strings.Contains(r.body, `perftrack.data("commits",`) })
	s.change()
	for range 300 {
		if r := ask(h, "GET", "/data/commits.js"); r.status != 200 || !strings.Contains(r.body, `perftrack.data("commits",`) {
			t.Fatalf("%d %s", r.status, r.body)
		}
	}
}

// The older overview may come from an earlier process, but not from another database.
func TestBehindKept(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.overview")
	s := newShelf()
	s.origin = origin
	overview(t, kept(t, s, path))
	s.block()
	s.put("run")
	h := handler(t, server.Options{Live: s, Keep: path, Moment: time.Millisecond})
	until(t, h, "/data/index.js", func(r answer) bool { return strings.Contains(r.body, note) })
	s.mu.Lock()
	s.origin = "another database"
	s.mu.Unlock()
	other := handler(t, server.Options{Live: s, Keep: path, Moment: time.Millisecond})
	until(t, other, "/", func(r answer) bool {
		return strings.Contains(r.body, "The page is being built, counting: 3 of 7. It will open by itself.")
	})
	s.unblock()
	for _, h := range []http.Handler{h, other} { // an overview is kept before it is shown, so this also waits for the file
		until(t, h, "/data/index.js", func(r answer) bool { return !strings.Contains(r.body, note) })
	}
}

// If the newer version cannot be made, the older page shows the error.
func TestBehindForever(t *testing.T) {
	s := newShelf()
	h := handler(t, server.Options{Live: s})
	overview(t, h)
	s.fail(http.ErrBodyNotAllowed)
	if r := ask(h, "GET", "/data/behind.js"); !strings.Contains(r.body, `"why":"http: request method or response status code does not allow body"`) {
		t.Errorf("%d %s", r.status, r.body)
	}
}

// Commands in a message are marked as code.
func TestCommands(t *testing.T) {
	for text, want := range map[string]string{
		"no run: see `perftrack list runs`": "<p>no run: see <code>perftrack list runs</code></p>",
		"`a` or `<b>`, or `c`":              "<p><code>a</code> or <code>&lt;b&gt;</code>, or <code>c</code></p>",
		"o`ne":                              "<p>o`ne</p>",
		"":                                  "<p></p>",
	} {
		s := newShelf()
		s.fail(textError(text))
		if r := ask(handler(t, server.Options{Live: s}), "GET", "/"); !strings.Contains(r.body, want) {
			t.Errorf("%s: %s, want %s", text, r.body, want)
		}
	}
}

type textError string

func (e textError) Error() string { return string(e) }
