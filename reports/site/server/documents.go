package server

import (
	"context"
	"net/http"
	"path"
	"strconv"
	"strings"

	"github.com/perftrack/perftrack/reports/site"
	"github.com/perftrack/perftrack/reports/site/documents"
)

const (
	pageFile    = "index.html"
	flameFolder = "flame/"
)

// produce makes a file from the given state of the site.
func (s *files) produce(ctx context.Context, now *State, name string) (*file, error) {
	if name == pageFile {
		return compress(kindOf(name), s.assets[name])
	}
	if name == site.BadgePath {
		return badge(ctx, now)
	}
	if name == site.FeedPath || name == site.RegressionsPath {
		feeds, err := site.Feeds(ctx, now)
		if err != nil {
			return nil, err
		}
		return compress(kindOf(name), feeds[name])
	}
	if flame, ok := strings.CutPrefix(name, flameFolder); ok && flame != "" {
		page, err := now.Flame(ctx, flame)
		if err != nil {
			return nil, err
		}
		return compress(kindOf(name), page)
	}
	if report, ok := strings.CutPrefix(name, reportFolder); ok {
		return s.reports.file(ctx, now.Version, report)
	}
	key, ok := documentOf(name)
	if !ok {
		return nil, documents.ErrUnknown
	}
	if isOverview(name) {
		o, err := s.overviews.get(ctx, now)
		if err != nil {
			return nil, err
		}
		return o.Files[name], nil
	}
	document, err := documentCalled(ctx, now, key)
	if err != nil {
		return nil, err
	}
	text, err := site.Script(key, document, stampOf(now.Version))
	if err != nil {
		return nil, err
	}
	return compress(kindOf(name), text)
}

// badge makes the file with the badge.
func badge(ctx context.Context, s documents.Source) (*file, error) {
	index, err := s.Index(ctx)
	if err != nil {
		return nil, err
	}
	r, err := s.Regressions(ctx)
	if err != nil {
		return nil, err
	}
	return compress(kindOf(site.BadgePath), site.Badge(index, r))
}

// documentOf returns the name of the document that a file contains. ok is false for files that
// contain no document.
func documentOf(file string) (name string, ok bool) {
	name, data := strings.CutPrefix(file, "data/")
	name, script := strings.CutSuffix(name, ".js")
	return name, data && script
}

// failScript replies with a script that makes the page show an error. The status is 200, because
// browsers do not run scripts with any other status.
func failScript(w http.ResponseWriter, r *http.Request, name string, cause error) {
	text, err := site.FailScript(name, cause.Error())
	if err != nil {
		panic(err) // cannot happen: there are only two texts
	}
	sendNow(w, r, kindOf(".js"), text)
}

// sendNow replies with a text that must not be cached.
func sendNow(w http.ResponseWriter, r *http.Request, kind string, text []byte) {
	w.Header().Set("Content-Type", kind)
	w.Header().Set("Content-Length", strconv.Itoa(len(text)))
	if r.Method != http.MethodHead {
		_, _ = w.Write(text) // the client may be gone
	}
}

// kindOf returns the content type for a file's extension. It does not use mime.TypeByExtension,
// because this depends on the machine.
func kindOf(name string) string {
	known := map[string]string{".html": "text/html; charset=utf-8", ".js": "text/javascript; charset=utf-8", ".css": "text/css; charset=utf-8",
		".json": "application/json", ".atom": "application/atom+xml", ".svg": "image/svg+xml", ".txt": "text/plain; charset=utf-8"}
	if kind, ok := known[path.Ext(name)]; ok {
		return kind
	}
	return "application/octet-stream"
}

// documentCalled returns the document with the given name.
func documentCalled(ctx context.Context, s documents.Source, name string) (any, error) {
	kind, id, named := strings.Cut(name, "/")
	if named && id == "" {
		return nil, documents.ErrUnknown
	}
	switch {
	case named && kind == "b":
		return s.Benchmark(ctx, id)
	case named && kind == "r":
		return s.Run(ctx, id)
	case named && kind == "c":
		return s.Comparison(ctx, id)
	case named && kind == "p":
		return s.Profile(ctx, id)
	case named:
		return nil, documents.ErrUnknown
	}
	switch name {
	case "index":
		return s.Index(ctx)
	case "commits":
		return s.Commits(ctx)
	case "runs":
		return s.Runs(ctx)
	case "regressions":
		return s.Regressions(ctx)
	case "machine":
		return s.Machine(ctx)
	case "releases":
		return s.Releases(ctx)
	case "models":
		return s.Models(ctx)
	}
	return nil, documents.ErrUnknown
}
