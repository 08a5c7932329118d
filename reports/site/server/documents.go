package server

import (
	"context"
	"net/http"
	"path"
	"strconv"
	"strings"

	"github.com/perftrack/perftrack/reports/site"
)

const (
	pageFile    = "index.html"
	flameFolder = "flame/"
)

// produce makes a file that depends on what is stored.
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
		return nil, site.ErrUnknown
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

// badge says how things stand.
func badge(ctx context.Context, s site.Source) (*file, error) {
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

// documentOf returns the name of the document that a file has, if it has one.
func documentOf(file string) (name string, ok bool) {
	name, data := strings.CutPrefix(file, "data/")
	name, script := strings.CutSuffix(name, ".js")
	return name, data && script
}

// failScript says why there is no such document. It is an answer like others, because a browser
// runs no script of one that is not; the page shows the words.
func failScript(w http.ResponseWriter, r *http.Request, name string, cause error) {
	text, err := site.FailScript(name, cause.Error())
	if err != nil {
		panic(err) // two texts
	}
	sendScript(w, r, text)
}

// sendScript answers with a script that is true for this moment only.
func sendScript(w http.ResponseWriter, r *http.Request, text []byte) {
	w.Header().Set("Content-Type", kindOf(".js"))
	w.Header().Set("Content-Length", strconv.Itoa(len(text)))
	if r.Method != http.MethodHead {
		_, _ = w.Write(text) // who asked may be gone
	}
}

// kindOf is the content type of a file, by the end of its name: those of the machine's own
// list do not count.
func kindOf(name string) string {
	known := map[string]string{".html": "text/html; charset=utf-8", ".js": "text/javascript; charset=utf-8", ".css": "text/css; charset=utf-8",
		".json": "application/json", ".atom": "application/atom+xml", ".svg": "image/svg+xml", ".txt": "text/plain; charset=utf-8"}
	if kind, ok := known[path.Ext(name)]; ok {
		return kind
	}
	return "application/octet-stream"
}

// documentCalled returns the document of that name.
func documentCalled(ctx context.Context, s site.Source, name string) (any, error) {
	kind, id, named := strings.Cut(name, "/")
	if named && id == "" {
		return nil, site.ErrUnknown
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
		return nil, site.ErrUnknown
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
	return nil, site.ErrUnknown
}
