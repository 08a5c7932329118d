package server

import (
	"context"
	"path"
	"strings"

	"github.com/perftrack/perftrack/reports/site"
)

const pageFile = "index.html"

// produce makes a file that depends on what is stored.
func (s *files) produce(ctx context.Context, name string) (*file, error) {
	if name == pageFile {
		return compress(kindOf(name), s.assets[name])
	}
	key, data := strings.CutPrefix(name, "data/")
	key, script := strings.CutSuffix(key, ".js")
	if !data || !script {
		return nil, site.ErrUnknown
	}
	document, err := s.document(ctx, key)
	if err != nil {
		return nil, err
	}
	text, err := site.Script(key, document)
	if err != nil {
		return nil, err
	}
	return compress(kindOf(name), text)
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

// document returns the document of that name.
func (s *files) document(ctx context.Context, name string) (any, error) {
	kind, id, named := strings.Cut(name, "/")
	if named && id == "" {
		return nil, site.ErrUnknown
	}
	switch {
	case named && kind == "b":
		return s.source.Benchmark(ctx, id)
	case named && kind == "r":
		return s.source.Run(ctx, id)
	case named && kind == "c":
		return s.source.Comparison(ctx, id)
	case named && kind == "p":
		return s.source.Profile(ctx, id)
	case named:
		return nil, site.ErrUnknown
	}
	switch name {
	case "index":
		return s.source.Index(ctx)
	case "commits":
		return s.source.Commits(ctx)
	case "runs":
		return s.source.Runs(ctx)
	case "regressions":
		return s.source.Regressions(ctx)
	case "machine":
		return s.source.Machine(ctx)
	case "releases":
		return s.source.Releases(ctx)
	case "models":
		return s.source.Models(ctx)
	}
	return nil, site.ErrUnknown
}
