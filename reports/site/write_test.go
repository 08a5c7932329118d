package site

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/perftrack/perftrack/reports/environments"
	"github.com/perftrack/perftrack/reports/site/documents"
)

// A source provides mostly empty documents.
type source struct {
	benchmarks []string
	fail       string // id of an unreadable benchmark
	read       func()
}

func (d source) Index(context.Context) (*documents.Index, error) {
	index := &documents.Index{Environments: []environments.Environment{}}
	for _, id := range d.benchmarks {
		index.Benchmarks = append(index.Benchmarks, documents.BenchmarkRow{ID: id})
	}
	return index, nil
}

func (d source) Benchmark(ctx context.Context, id string) (*documents.Benchmark, error) {
	if d.read != nil {
		d.read()
	}
	if id == d.fail {
		return nil, errors.New("damaged")
	}
	return &documents.Benchmark{ID: id}, ctx.Err()
}

func (source) Runs(context.Context) (*documents.Runs, error) {
	return &documents.Runs{
		List:        []documents.RunRow{{ID: "aaaa", HasValues: true}, {ID: "bbbb"}},
		Comparisons: []documents.ComparisonRow{{Key: "cccc"}}, Profiles: []documents.ProfileRow{{ID: "dddd"}},
	}, nil
}
func (source) Commits(context.Context) (*documents.Commits, error) {
	return &documents.Commits{}, nil
}
func (source) Run(context.Context, string) (*documents.Run, error) { return &documents.Run{}, nil }
func (source) Comparison(context.Context, string) (*documents.Comparison, error) {
	return &documents.Comparison{}, nil
}
func (source) Regressions(context.Context) (*documents.Regressions, error) {
	return &documents.Regressions{}, nil
}
func (source) Machine(context.Context) (*documents.Machine, error) {
	return &documents.Machine{}, nil
}
func (source) Releases(context.Context) (*documents.Releases, error) {
	return &documents.Releases{}, nil
}
func (source) Models(context.Context) (*documents.Models, error) { return &documents.Models{}, nil }

func (source) Profile(context.Context, string) (*documents.Profile, error) {
	return &documents.Profile{Flames: []documents.FlameGraph{{File: "dddd-time.html"}}}, nil
}

func (source) Flame(_ context.Context, file string) ([]byte, error) {
	return []byte("flames of " + file), nil
}

// tree returns the texts of the files in a folder by path, without the static files.
func tree(t *testing.T, dir string) map[string]string {
	t.Helper()
	files := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, e os.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
		name, _ := filepath.Rel(dir, path)
		if name = filepath.ToSlash(name); !strings.HasPrefix(name, "static/") {
			files[name] = string(text)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

func TestWrite(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "new", "site")
	var last [2]int
	progress := func(done, of int) { last = [2]int{done, of} }
	if err := Write(t.Context(), dir, source{benchmarks: []string{"b1", "b2"}}, nil, progress); err != nil {
		t.Fatal(err)
	}
	want := strings.Fields(`badge.svg data/b/b1.js data/b/b2.js data/c/cccc.js data/commits.js data/index.js data/machine.js data/models.js
		data/p/dddd.js data/r/aaaa.js data/regressions.js data/releases.js data/runs.js feed.atom flame/dddd-time.html index.html perftrack-site.json
		regressions.json`)
	got := tree(t, dir)
	if names := slices.Sorted(maps.Keys(got)); !slices.Equal(names, want) {
		t.Errorf("files %q\nwant %q", names, want)
	}
	if text := got["data/b/b1.js"]; !strings.HasPrefix(text, `perftrack.data("b/b1",{"id":"b1",`) {
		t.Errorf("document %s", text)
	}
	if last[0] != last[1] || last[0] < len(want) {
		t.Errorf("progress ended with %v", last)
	}

	// Writing a site again gives the same files. It deletes files that the new site lacks, and
	// keeps files that others put there.
	if err := os.WriteFile(filepath.Join(dir, "CNAME"), []byte("mine"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(filepath.Join(dir, stagingPrefix+"1"), 0o755); err != nil { // left by a killed Write
		t.Fatal(err)
	}
	if err := Write(t.Context(), dir, source{benchmarks: []string{"b2"}}, nil, nil); err != nil {
		t.Fatal(err)
	}
	delete(got, "data/b/b1.js")
	got["CNAME"] = "mine"
	again := tree(t, dir)
	for _, differ := range []string{"data/index.js", manifestName} {
		delete(got, differ)
		delete(again, differ)
	}
	if !maps.Equal(got, again) {
		t.Errorf("files %q\nwant %q", slices.Sorted(maps.Keys(again)), slices.Sorted(maps.Keys(got)))
	}
	if entries, _ := filepath.Glob(filepath.Join(dir, ".*")); entries != nil {
		t.Errorf("left over: %q", entries)
	}
}

// After a failure or a cancellation, the folder is as before: missing, or with the whole earlier
// site.
func TestWriteFails(t *testing.T) {
	many := source{}
	for i := range 50 {
		many.benchmarks = append(many.benchmarks, fmt.Sprintf("b%04d", i))
	}
	ctx, cancel := context.WithCancel(t.Context())
	damaged, interrupted := many, many
	damaged.fail, interrupted.read = "b0030", cancel
	for name, tt := range map[string]struct {
		ctx    context.Context
		source documents.Source
		want   string
	}{
		"damaged":     {t.Context(), damaged, "make b/b0030: damaged"},
		"interrupted": {ctx, interrupted, context.Canceled.Error()},
	} {
		dir := filepath.Join(t.TempDir(), "site")
		err := Write(tt.ctx, dir, tt.source, nil, nil)
		if err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: %v", name, err)
		}
		if _, err := os.Stat(dir); !errors.Is(err, os.ErrNotExist) {
			t.Errorf("%s: %s is there: %v", name, dir, err)
		}
		if err := Write(t.Context(), dir, source{benchmarks: []string{"b1"}}, nil, nil); err != nil {
			t.Fatal(err)
		}
		before := tree(t, dir)
		if err := Write(tt.ctx, dir, tt.source, nil, nil); err == nil {
			t.Errorf("%s: no error", name)
		}
		if after := tree(t, dir); !maps.Equal(before, after) {
			t.Errorf("%s: the site that was there has changed: %q", name, slices.Sorted(maps.Keys(after)))
		}
	}
}

// An interruption at the last file also prevents the site from being written.
func TestWriteInterruptedLast(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	dir := filepath.Join(t.TempDir(), "site")
	err := Write(ctx, dir, source{}, nil, func(done, of int) {
		if done == of {
			cancel()
		}
	})
	if _, statErr := os.Stat(dir); !errors.Is(err, context.Canceled) || !errors.Is(statErr, os.ErrNotExist) {
		t.Errorf("%v; the folder: %v", err, statErr)
	}
}

// Write returns an error for a folder with other files, and leaves the folder unchanged.
func TestWriteRefuses(t *testing.T) {
	outside := t.TempDir()
	for name, tt := range map[string]struct {
		files map[string]string
		want  string
	}{
		"foreign":          {map[string]string{"index.html": "mine"}, "the folder contains other files: name an empty folder"},
		"other manifest":   {map[string]string{manifestName: `{"site":"other"}`}, "was not written by perftrack"},
		"broken manifest":  {map[string]string{manifestName: `{`}, "read " + manifestName},
		"hostile manifest": {map[string]string{manifestName: `{"site":"perftrack","files":["../x"]}`}, `lists "../x"`},
		"in the way":       {map[string]string{manifestName: `{"site":"perftrack","files":[]}`, "index.html": "mine"}, "index.html already exists"},
	} {
		dir := t.TempDir()
		for file, text := range tt.files {
			if err := os.WriteFile(filepath.Join(dir, file), []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		err := Write(t.Context(), dir, source{}, nil, nil)
		if err == nil || !strings.Contains(err.Error(), tt.want) || !strings.Contains(err.Error(), dir) {
			t.Errorf("%s: %v, want %q", name, err, tt.want)
		}
		if got := tree(t, dir); !maps.Equal(got, tt.files) {
			t.Errorf("%s: files %q", name, got)
		}
	}

	// A symbolic link in the folder must not make Write change files elsewhere.
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, manifestName), []byte(`{"site":"perftrack","files":["data/old.js"]}`), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(outside, filepath.Join(dir, "data")); err != nil {
		t.Skipf("skipped: no symbolic links here: %v", err)
	}
	if err := os.WriteFile(filepath.Join(outside, "old.js"), []byte("mine"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := Write(t.Context(), dir, source{}, nil, nil); err == nil {
		t.Error("it was written through a link")
	}
	if got := tree(t, outside); !maps.Equal(got, map[string]string{"old.js": "mine"}) {
		t.Errorf("outside: %q", got)
	}
	if err := Write(t.Context(), "", source{}, nil, nil); err == nil {
		t.Error("no name is a folder")
	}
	if err := Write(t.Context(), filepath.Join(outside, "old.js"), source{}, nil, nil); err == nil {
		t.Error("a file is a folder")
	}
}
