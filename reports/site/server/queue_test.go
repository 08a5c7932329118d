package server_test

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"testing"

	"github.com/perftrack/perftrack/reports/site/documents"
	"github.com/perftrack/perftrack/reports/site/server"
)

// The queue and the metrics are made for every request, and need the token as all files do.
func TestQueue(t *testing.T) {
	asked := 0
	queue := func(text string, err error) func(context.Context) (*documents.Queue, error) {
		return func(context.Context) (*documents.Queue, error) {
			asked++
			if err != nil {
				return nil, err
			}
			return &documents.Queue{Kind: "queue", Workers: []documents.QueueWorker{{ID: text}}}, nil
		}
	}
	metrics := func(text string, err error) func(context.Context) ([]byte, error) {
		return func(context.Context) ([]byte, error) { asked++; return []byte(text), err }
	}
	failing := errors.New("read </script> of a store")
	for _, tt := range []struct {
		name, path string
		opt        server.Options
		status     int
		kind, has  string
	}{
		{"document", "/queue.json", server.Options{Queue: queue("</script>", nil)}, 200, "application/json", "\n      \"id\": \"\\u003c/script\\u003e\","},
		{"script", "/data/queue.js", server.Options{Queue: queue("</script>", nil)}, 200, "text/javascript; charset=utf-8", `perftrack.fresh("queue",{"schema_version":0,"kind":"queue",`},
		{"escaped script", "/data/queue.js", server.Options{Queue: queue("</script>", nil)}, 200, "text/javascript; charset=utf-8", `"id":"\u003c/script\u003e"`},
		{"no fleet", "/queue.json", server.Options{Queue: queue("", documents.ErrUnknown)}, 404, "text/html; charset=utf-8", "has no queue"},
		{"no fleet any more", "/data/queue.js", server.Options{Queue: queue("", documents.ErrUnknown)}, 200, "text/javascript; charset=utf-8", `perftrack.fail("queue","the database has no queue")`},
		{"fault", "/queue.json", server.Options{Queue: queue("", failing)}, 503, "text/html; charset=utf-8", "read &lt;/script&gt; of a store"},
		{"fault for the page", "/data/queue.js", server.Options{Queue: queue("", failing)}, 200, "text/javascript; charset=utf-8", `perftrack.fail("queue","read \u003c/script\u003e of a store")`},
		{"panic", "/queue.json", server.Options{Queue: func(context.Context) (*documents.Queue, error) { panic("x") }}, 503, "text/html; charset=utf-8", "internal error"},
		{"metrics", "/metrics", server.Options{Metrics: metrics("a 1\n# EOF\n", nil)}, 200, "application/openmetrics-text; version=1.0.0; charset=utf-8", "a 1\n# EOF\n"},
		{"metrics fail", "/metrics", server.Options{Metrics: metrics("", failing)}, 503, "text/html; charset=utf-8", "read &lt;/script&gt; of a store"},
	} {
		tt.opt.Live = newShelf()
		h := handler(t, tt.opt)
		before := asked
		for range 2 {
			r := ask(h, http.MethodGet, tt.path)
			if r.status != tt.status || r.header.Get("Content-Type") != tt.kind || r.header.Get("Cache-Control") != "no-store" || !strings.Contains(r.body, tt.has) {
				t.Errorf("%s: %d %v\n%s\nwant %d %s with %s", tt.name, r.status, r.header, r.body, tt.status, tt.kind, tt.has)
			}
		}
		if tt.name != "panic" && asked != before+2 {
			t.Errorf("%s: asked %d times for 2 answers", tt.name, asked-before)
		}
		if r := ask(h, http.MethodHead, tt.path); r.status != tt.status || tt.status == 200 && r.body != "" {
			t.Errorf("%s: HEAD: %d %q", tt.name, r.status, r.body)
		}
		tt.opt.Token = token
		h, before = handler(t, tt.opt), asked
		if r := ask(h, http.MethodGet, tt.path); r.status != 401 || asked != before {
			t.Errorf("%s: without the token: %d, asked %d times", tt.name, r.status, asked-before)
		}
		if r := ask(h, http.MethodGet, tt.path, "Authorization", "Bearer "+token); r.status != tt.status {
			t.Errorf("%s: with the token: %d", tt.name, r.status)
		}
	}
	h := handler(t, server.Options{Live: newShelf()})
	for _, path := range []string{"/queue.json", "/data/queue.js", "/metrics"} {
		if r := ask(h, http.MethodGet, path); r.status != 404 {
			t.Errorf("%s of a site without one: %d", path, r.status)
		}
	}
}
