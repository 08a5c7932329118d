package server

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"

	"github.com/perftrack/perftrack/reports/site"
	"github.com/perftrack/perftrack/reports/site/documents"
)

// These files change without the runs, so they are made for every request and never cached.
const (
	queueFile   = "queue.json"
	queueScript = "data/queue.js"
	metricsFile = "metrics"
)

// metricsKind is the content type of OpenMetrics text.
const metricsKind = "application/openmetrics-text; version=1.0.0; charset=utf-8"

// sayQueue replies with the document about the queue: as JSON for programs, or as a script for the
// page.
func (s *files) sayQueue(ctx context.Context, w http.ResponseWriter, r *http.Request, name string) {
	if s.queue == nil {
		fail(w, r, http.StatusNotFound, "Not found", "The site has no such file.")
		return
	}
	q, err := guarded(ctx, "read the queue", s.queue)
	var text []byte
	switch {
	case err != nil:
	case name == queueScript:
		text, err = site.FreshScript("queue", q)
	default:
		text, err = json.MarshalIndent(q, "", "  ")
		text = append(text, '\n')
	}
	missing := errors.Is(err, documents.ErrUnknown)
	switch {
	case err == nil:
		sendNow(w, r, kindOf(name), text)
	case missing && name == queueScript:
		failScript(w, r, "queue", errors.New("the database has no queue"))
	case missing:
		fail(w, r, http.StatusNotFound, "Not found", "The database has no queue.")
	case name == queueScript:
		failScript(w, r, "queue", err)
	default:
		fail(w, r, http.StatusServiceUnavailable, "Cannot read the queue", err.Error())
	}
}

// sayMetrics replies with the metrics.
func (s *files) sayMetrics(ctx context.Context, w http.ResponseWriter, r *http.Request) {
	if s.metrics == nil {
		fail(w, r, http.StatusNotFound, "Not found", "The site has no such file.")
		return
	}
	text, err := guarded(ctx, "make the metrics", func(ctx context.Context) (*[]byte, error) {
		text, err := s.metrics(ctx)
		return &text, err
	})
	if err != nil {
		fail(w, r, http.StatusServiceUnavailable, "Cannot make the metrics", err.Error())
		return
	}
	sendNow(w, r, metricsKind, *text)
}
