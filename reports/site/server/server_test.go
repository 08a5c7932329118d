package server_test

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"regexp"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/perftrack/perftrack/reports/site/server"
)

// handler returns the handler of a server that waits for the newest overview without a limit,
// unless opt sets Moment.
func handler(t *testing.T, opt server.Options) http.Handler {
	t.Helper()
	opt.Moment = cmp.Or(opt.Moment, time.Minute)
	h, err := server.Handler(opt)
	if err != nil {
		t.Fatal(err)
	}
	return h
}

// ask sends a request to a server, as a browser on this machine does. The headers alternate between
// names and values.
func ask(h http.Handler, method, target string, headers ...string) answer {
	r := httptest.NewRequest(method, target, nil)
	r.Host = "127.0.0.1:7070"
	for i := 0; i < len(headers); i += 2 {
		if headers[i] == "Host" {
			r.Host = headers[i+1]
		}
		r.Header.Set(headers[i], headers[i+1])
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return answer{w.Code, w.Header(), w.Body.String()}
}

// An answer is the response to a request.
type answer struct {
	status int
	header http.Header
	body   string
}

func TestAnswers(t *testing.T) {
	h := handler(t, server.Options{Live: newShelf()})
	for _, tt := range []struct {
		path   string
		status int
		kind   string
		has    string
	}{
		{"/", 200, "text/html; charset=utf-8", "static/perftrack.js"},
		{"/index.html", 200, "text/html; charset=utf-8", "static/perftrack.js"},
		{"/data/index.js", 200, "text/javascript; charset=utf-8", `perftrack.data("index",{`},
		{"/data/runs.js", 200, "text/javascript; charset=utf-8", `perftrack.data("runs",{`},
		{"/data/b/0123abcd.js", 200, "text/javascript; charset=utf-8", `perftrack.data("b/0123abcd",{`},
		{"/data/c/main..feature%2Fx.js", 200, "text/javascript; charset=utf-8", `perftrack.data("c/main..feature/x",{`},
		{"/feed.atom", 200, "application/atom+xml", "<feed xmlns"},
		{"/regressions.json", 200, "application/json", `"schema_version": 1`},
		{"/badge.svg", 200, "image/svg+xml", "performance: unknown"},
		{"/static/perftrack.css", 200, "text/css; charset=utf-8", "{"},
		{"/static/perftrack.js", 200, "text/javascript; charset=utf-8", "perftrack"},
		{"/data/b/other.js", 404, "text/html; charset=utf-8", "no such file"},
		{"/data/b/fails.js", 200, "text/javascript; charset=utf-8", `perftrack.fail("b/fails","read history of \u003c/script`},
		{"/data/b/panics.js", 200, "text/javascript; charset=utf-8", "internal error"},
		{"/flame/abcd.html", 200, "text/html; charset=utf-8", "<h1>flames</h1>"},
		{"/flame/other.html", 404, "text/html; charset=utf-8", "no such file"},
		{"/favicon.ico", 404, "text/html; charset=utf-8", "no such file"},
	} {
		r := ask(h, "GET", tt.path)
		body := r.body
		if r.status != tt.status || r.header.Get("Content-Type") != tt.kind || !strings.Contains(body, tt.has) {
			t.Errorf("GET %s: %d %s %.200s, want %d %s with %q", tt.path, r.status, r.header.Get("Content-Type"), body, tt.status, tt.kind, tt.has)
		}
		head := ask(h, "HEAD", tt.path)
		if got := head.body; got != "" || head.status != tt.status || head.header.Get("Content-Length") != r.header.Get("Content-Length") {
			t.Errorf("HEAD %s: %d %q, Content-Length %s", tt.path, head.status, got, head.header.Get("Content-Length"))
		}
	}
}

// Flame graphs may contain inline scripts, but no other files may.
func TestFlamePolicy(t *testing.T) {
	h := handler(t, server.Options{Live: newShelf()})
	for path, want := range map[string]string{"/flame/abcd.html": server.FlamePolicy, "/flame/other.html": server.Policy, "/flame/": server.Policy} {
		if got := ask(h, "GET", path).header.Values("Content-Security-Policy"); len(got) != 1 || got[0] != want {
			t.Errorf("%s: %q, want %q", path, got, want)
		}
	}
}

// A page that is open while runs are stored must not use an index from one state in a list from
// another. Documents from the same state therefore have the same stamp, and documents from
// different states have different ones.
func TestStamps(t *testing.T) {
	s := newShelf()
	h := handler(t, server.Options{Live: s})
	stamp := regexp.MustCompile(`,"(v[0-9a-f]+)"\);\n$`)
	of := func(path string) string {
		m := stamp.FindStringSubmatch(ask(h, "GET", path).body)
		if m == nil {
			t.Fatalf("%s has no stamp", path)
		}
		return m[1]
	}
	before := of("/data/index.js")
	if of("/data/runs.js") != before || of("/data/b/0123abcd.js") != before {
		t.Error("documents of one state have several stamps")
	}
	s.put("newrun")
	if of("/data/index.js") == before {
		t.Error("documents of two states have one stamp")
	}
}

// Every response has headers that keep other sites out.
func TestHeaders(t *testing.T) {
	open, closed := handler(t, server.Options{Live: newShelf()}), handler(t, server.Options{Live: newShelf(), Token: token})
	for name, r := range map[string]answer{
		"page":       ask(open, "GET", "/"),
		"data":       ask(open, "GET", "/data/index.js", "Origin", "http://evil.test"),
		"preflight":  ask(open, "OPTIONS", "/data/index.js", "Origin", "http://evil.test", "Access-Control-Request-Method", "GET"),
		"not there":  ask(open, "GET", "/nothing"),
		"broken":     ask(open, "GET", "/data/b/fails.js"),
		"other host": ask(open, "GET", "/", "Host", "evil.test"),
		"post":       ask(open, "POST", "/"),
		"no token":   ask(closed, "GET", "/"),
		"login":      ask(closed, "GET", "/login?token="+token),
	} {
		for header, want := range map[string]string{
			"Content-Security-Policy":      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; frame-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
			"X-Content-Type-Options":       "nosniff",
			"Cross-Origin-Resource-Policy": "same-origin",
			"Cross-Origin-Opener-Policy":   "same-origin",
			"Referrer-Policy":              "no-referrer",
		} {
			if got := r.header.Values(header); len(got) != 1 || got[0] != want {
				t.Errorf("%s: %s is %q, want %q", name, header, got, want)
			}
		}
		for header := range r.header {
			if strings.HasPrefix(header, "Access-Control-") {
				t.Errorf("%s: %s: %s", name, header, r.header.Get(header))
			}
		}
	}
}

func TestMethods(t *testing.T) {
	h := handler(t, server.Options{Live: newShelf()})
	for _, method := range []string{"POST", "PUT", "DELETE", "PATCH", "OPTIONS", "CONNECT", "TRACE", "PROPFIND", "get"} {
		for _, path := range []string{"/", "/data/index.js", "/static/perftrack.css", "/login", "/nothing"} {
			if r := ask(h, method, path); r.status != 405 || r.header.Get("Allow") != "GET, HEAD" {
				t.Errorf("%s %s: %d, Allow %q", method, path, r.status, r.header.Get("Allow"))
			}
		}
	}
}

func TestHosts(t *testing.T) {
	loopback := server.Options{Live: newShelf()}
	named := server.Options{Live: newShelf(), Hosts: []string{"Perf.Example"}, Token: token}
	for _, tt := range []struct {
		opt    server.Options
		host   string
		status int
	}{
		{loopback, "127.0.0.1", 200},
		{loopback, "127.0.0.1:7070", 200},
		{loopback, "127.0.0.1:9", 200}, // through a tunnel
		{loopback, "localhost:7070", 200},
		{loopback, "LOCALHOST", 200},
		{loopback, "[::1]:7070", 200},
		{loopback, "[::1]", 200},
		{loopback, "evil.test", 421},
		{loopback, "evil.test:7070", 421},
		{loopback, "localhost.evil.test", 421},
		{loopback, "127.0.0.1.evil.test:7070", 421},
		{loopback, "127.0.0.1@evil.test", 421},
		{loopback, "192.168.0.7:7070", 421},
		{loopback, "perf.example", 421},
		{loopback, "2130706433", 421},
		{loopback, "", 421},
		{loopback, ":7070", 421},
		{named, "perf.example:7070", 200},
		{named, "192.168.0.7:7070", 200}, // no host name can be made to look like a numeric address
		{named, "[fe80::1]:7070", 200},
		{named, "127.0.0.1:7070", 200},
		{named, "evil.test", 421},
		{named, "perf.example.evil.test", 421},
	} {
		r := ask(handler(t, tt.opt), "GET", "/", "Host", tt.host, "Authorization", "Bearer "+token)
		if r.status != tt.status {
			t.Errorf("Host %q of %q: %d, want %d", tt.host, tt.opt.Hosts, r.status, tt.status)
		}
	}
}

// The data are scripts, so any page could load them if the server did not prevent that.
func TestForeignPages(t *testing.T) {
	h := handler(t, server.Options{Live: newShelf()})
	for _, tt := range []struct {
		site, mode, path string
		status           int
	}{
		{"cross-site", "no-cors", "/data/index.js", 403},
		{"same-site", "no-cors", "/data/index.js", 403}, // another port on this machine
		{"cross-site", "cors", "/data/index.js", 403},
		{"cross-site", "no-cors", "/static/perftrack.css", 403},
		{"cross-site", "navigate", "/", 200},
		{"same-origin", "no-cors", "/data/index.js", 200},
		{"none", "navigate", "/", 200},
		{"", "", "/data/index.js", 200},
	} {
		if r := ask(h, "GET", tt.path, "Sec-Fetch-Site", tt.site, "Sec-Fetch-Mode", tt.mode); r.status != tt.status {
			t.Errorf("%s %s of %s: %d, want %d", tt.site, tt.mode, tt.path, r.status, tt.status)
		}
	}
}

// The server serves only the files of the site: no other files on the machine and not the source of
// this package.
func TestTraversal(t *testing.T) {
	h := handler(t, server.Options{Live: newShelf()})
	for _, path := range []string{
		"/../etc/passwd", "/static/../../../etc/passwd", "/static/..%2f..%2fetc%2fpasswd", "/static/%2e%2e/%2e%2e/doc.go",
		"/static/../doc.go", "/static//etc/passwd", "//etc/passwd", "/static/", "/static", "/static/js/", "/static/js", "/static/js/../perftrack.css", "/static/./perftrack.css",
		"/static/perftrack.css/", "/static/perftrack.css%00.js", "/static/..%5c..%5cwindows", "/%2e%2e/%2e%2e/etc/passwd", "/data/../static/perftrack.css",
		"/data/b/../index.js", "/data/b/..%2findex.js", "/data/b/../../../../etc/passwd.js", "/data/b/%00.js", "/data/", "/data/b/", "/data/index", "/data/index.json", "/data/.js", "/data/b/.js",
		"/flame/../index.html", "/flame/../../../../etc/passwd", "/index.html/..", "/.git/config", "/.perftrack/perftrack.db", "/file:///etc/passwd", "/C:/windows/win.ini",
	} {
		if r := ask(h, "GET", path); r.status != 404 {
			t.Errorf("GET %s: %d %.100s", path, r.status, r.body)
		}
	}
}

// A file already in the browser is not sent again, and a file is compressed if the browser accepts
// it.
func TestTransfer(t *testing.T) {
	h := handler(t, server.Options{Live: newShelf()})
	plain := ask(h, "GET", "/data/index.js")
	want := plain.body
	packed := ask(h, "GET", "/data/index.js", "Accept-Encoding", "br, gzip;q=0.5")
	if packed.header.Get("Content-Encoding") != "gzip" || packed.header.Get("Vary") != "Accept-Encoding" {
		t.Fatalf("headers %v", packed.header)
	}
	r, err := gzip.NewReader(bytes.NewReader([]byte(packed.body)))
	if err != nil {
		t.Fatal(err)
	}
	if got, err := io.ReadAll(r); err != nil || string(got) != want {
		t.Errorf("unpacked: %v, %.200q", err, got)
	}
	if refused := ask(h, "GET", "/data/index.js", "Accept-Encoding", "gzip;q=0"); refused.header.Get("Content-Encoding") != "" || refused.body != want {
		t.Errorf("gzip;q=0: %v", refused.header)
	}
	if plain.header.Get("ETag") == packed.header.Get("ETag") {
		t.Error("two representations have one tag")
	}
	for _, tag := range []string{plain.header.Get("ETag"), `"x", W/` + plain.header.Get("ETag"), "*"} {
		if again := ask(h, "GET", "/data/index.js", "If-None-Match", tag); again.status != 304 || again.body != "" {
			t.Errorf("If-None-Match %s: %d", tag, again.status)
		}
	}
	if other := ask(h, "GET", "/data/index.js", "If-None-Match", `"x"`); other.status != 200 {
		t.Errorf("another tag: %d", other.status)
	}
	if got := plain.header.Get("Cache-Control"); got != "private, no-cache" {
		t.Errorf("Cache-Control %q", got)
	}
}

// New runs are shown, and a file is not made again until the store changes.
func TestGrowing(t *testing.T) {
	s := newShelf()
	h := handler(t, server.Options{Live: s})
	for range 3 {
		ask(h, "GET", "/data/index.js")
	}
	if n := s.made.Load(); n != 1 {
		t.Errorf("one index was made %d times", n)
	}
	before := ask(h, "GET", "/data/runs.js")
	s.put("newrun")
	after := ask(h, "GET", "/data/runs.js", "If-None-Match", before.header.Get("ETag"))
	if body := after.body; after.status != 200 || !strings.Contains(body, "newrun") {
		t.Errorf("after a run was stored: %d %s", after.status, body)
	}
	ask(h, "GET", "/data/index.js")
	if n := s.made.Load(); n != 2 {
		t.Errorf("after a run was stored, the index was made %d times", n)
	}
	if n := s.open.Load(); n != 0 {
		t.Errorf("%d states are still open", n)
	}
}

// If many clients request the same file at the same time, it is made only once.
func TestTogether(t *testing.T) {
	s := newShelf()
	s.wait = make(chan struct{})
	h := handler(t, server.Options{Live: s})
	var all sync.WaitGroup
	for range 50 {
		all.Go(func() {
			if r := ask(h, "GET", "/data/index.js"); r.status != 200 {
				t.Errorf("status %d", r.status)
			}
		})
	}
	for s.made.Load() == 0 {
		runtime.Gosched()
	}
	close(s.wait)
	all.Wait()
	if n := s.made.Load(); n != 1 {
		t.Errorf("one index was made %d times", n)
	}
}

// While a page is being made, the server sends a page that reports this. Then it sends the page
// itself.
func TestMaking(t *testing.T) {
	s := newShelf()
	s.block()
	h := handler(t, server.Options{Live: s, Moment: time.Millisecond})
	r := until(t, h, "/", func(r answer) bool { return strings.Contains(r.body, "counting: 3 of 7") })
	if r.status != 503 || !strings.Contains(r.body, "is being built") || r.header.Get("Refresh") != "1" {
		t.Errorf("%d %s", r.status, r.body)
	}
	s.unblock()
	if r := ask(h, "GET", "/data/index.js"); r.status != 200 || s.made.Load() != 1 {
		t.Errorf("%d, made %d times", r.status, s.made.Load())
	}
	until(t, h, "/", func(r answer) bool { return r.status == 200 })
}

// If the database cannot be read, the page shows the error as plain text and reloads by itself.
func TestTrouble(t *testing.T) {
	s := newShelf()
	h := handler(t, server.Options{Live: s})
	s.fail(errors.New("open store " + hostile + ": the database is damaged"))
	r := ask(h, "GET", "/")
	body := r.body
	if r.status != 503 || !strings.Contains(body, "the database is damaged") || strings.Contains(body, "<script>") || strings.Contains(body, "<img") {
		t.Errorf("%d %s", r.status, body)
	}
	if r.header.Get("Refresh") != "5" || r.header.Get("Cache-Control") != "no-store" {
		t.Errorf("headers %v", r.header)
	}
	s.fail(nil)
	if r := ask(h, "GET", "/"); r.status != 200 {
		t.Errorf("after it was mended: %d", r.status)
	}
}
