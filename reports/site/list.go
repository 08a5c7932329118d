package site

import (
	"context"
	"fmt"
	"strconv"

	"github.com/perftrack/perftrack/reports"
	"github.com/perftrack/perftrack/reports/site/documents"
)

// A file is a file of a site, together with the function that makes it. The function may return
// more files to make.
type file struct {
	path string
	make func(ctx context.Context) (text []byte, more []file, err error)
}

// dataFile returns the file for a document.
func dataFile(stamp, name string, document func(ctx context.Context) (any, error)) file {
	return file{DataPath(name), func(ctx context.Context) ([]byte, []file, error) {
		d, err := document(ctx)
		if err != nil {
			return nil, nil, fmt.Errorf("make %s: %w", name, err)
		}
		text, err := Script(name, d, stamp)
		return text, nil, err
	}}
}

// profileFile returns the file for a profile. Its function also returns the files for the profile's
// flame graphs.
func profileFile(s documents.Source, stamp, id string) file {
	name := "p/" + id
	return file{DataPath(name), func(ctx context.Context) ([]byte, []file, error) {
		p, err := s.Profile(ctx, id)
		if err != nil {
			return nil, nil, fmt.Errorf("make %s: %w", name, err)
		}
		var flames []file
		for _, f := range p.Flames {
			flames = append(flames, file{"flame/" + f.File, func(ctx context.Context) ([]byte, []file, error) {
				page, err := s.Flame(ctx, f.File)
				return page, nil, err
			}})
		}
		text, err := Script(name, p, stamp)
		return text, flames, err
	}}
}

// DataPath returns the path of a document within a site.
func DataPath(name string) string { return "data/" + name + ".js" }

// list returns all data files of a site. The files that take the least time to make come first.
func list(ctx context.Context, s documents.Source) ([]file, error) {
	index, err := s.Index(ctx)
	if err != nil {
		return nil, fmt.Errorf("make index: %w", err)
	}
	runs, err := s.Runs(ctx)
	if err != nil {
		return nil, fmt.Errorf("make runs: %w", err)
	}
	stamp := reports.HashID("s", index.Meta.Head, strconv.FormatInt(index.Meta.Generated, 10))
	files := []file{
		dataFile(stamp, "index", func(context.Context) (any, error) { return index, nil }),
		dataFile(stamp, "runs", func(context.Context) (any, error) { return runs, nil }),
		dataFile(stamp, "commits", func(ctx context.Context) (any, error) { return s.Commits(ctx) }),
		dataFile(stamp, "regressions", func(ctx context.Context) (any, error) { return s.Regressions(ctx) }),
		dataFile(stamp, "machine", func(ctx context.Context) (any, error) { return s.Machine(ctx) }),
		dataFile(stamp, "releases", func(ctx context.Context) (any, error) { return s.Releases(ctx) }),
		dataFile(stamp, "models", func(ctx context.Context) (any, error) { return s.Models(ctx) }),
	}
	files = append(files, file{BadgePath, func(ctx context.Context) ([]byte, []file, error) {
		r, err := s.Regressions(ctx)
		if err != nil {
			return nil, nil, fmt.Errorf("make %s: %w", BadgePath, err)
		}
		return Badge(index, r), nil, nil
	}})
	for _, name := range []string{FeedPath, RegressionsPath} {
		files = append(files, file{name, func(ctx context.Context) ([]byte, []file, error) {
			feeds, err := Feeds(ctx, s)
			return feeds[name], nil, err
		}})
	}
	for _, b := range index.Benchmarks {
		files = append(files, dataFile(stamp, "b/"+b.ID, func(ctx context.Context) (any, error) { return s.Benchmark(ctx, b.ID) }))
	}
	for _, r := range runs.List {
		if r.HasValues {
			files = append(files, dataFile(stamp, "r/"+r.ID, func(ctx context.Context) (any, error) { return s.Run(ctx, r.ID) }))
		}
	}
	for _, c := range runs.Comparisons {
		files = append(files, dataFile(stamp, "c/"+c.Key, func(ctx context.Context) (any, error) { return s.Comparison(ctx, c.Key) }))
	}
	for _, p := range runs.Profiles {
		files = append(files, profileFile(s, stamp, p.ID))
	}
	return files, nil
}
