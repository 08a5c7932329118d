package server_test

import (
	"bytes"
	"errors"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/perftrack/perftrack/reports/site/server"
)

const origin = "the same database"

// kept returns a server that keeps its overview in the file at path.
func kept(t *testing.T, s *shelf, path string) http.Handler {
	t.Helper()
	return handler(t, server.Options{Live: s, Keep: path})
}

// overview requests the index from a server and returns it. The test fails if the server does not
// send an index.
func overview(t *testing.T, h http.Handler) string {
	t.Helper()
	r := ask(h, "GET", "/data/index.js")
	if r.status != 200 || !strings.Contains(r.body, `perftrack.data("index",`) {
		t.Fatalf("%d %s", r.status, r.body)
	}
	return r.body
}

// A server uses the overview that another server made, but only if it belongs to the same version
// of the same database.
func TestKept(t *testing.T) {
	s, path := newShelf(), filepath.Join(t.TempDir(), "new", "x.overview")
	s.origin = origin
	first := overview(t, kept(t, s, path))
	if again := overview(t, kept(t, s, path)); again != first || s.made.Load() != 1 {
		t.Errorf("made %d times: %s", s.made.Load(), again)
	}
	s.put("run")
	if overview(t, kept(t, s, path)) == first || s.made.Load() != 2 {
		t.Errorf("another version is what was kept, made %d times", s.made.Load())
	}
	s.origin = "another database"
	overview(t, kept(t, s, path))
	if s.made.Load() != 3 {
		t.Error("the overview of another database was shown")
	}
	s.origin = ""
	overview(t, kept(t, s, path))
	overview(t, kept(t, s, path))
	if s.made.Load() != 5 {
		t.Error("the overview of nothing in particular was shown")
	}
}

// An overview that does not include all stored runs is not kept.
func TestKeptOfAPart(t *testing.T) {
	s, path := newShelf(), filepath.Join(t.TempDir(), "x.overview")
	s.origin, s.part = origin, true
	overview(t, kept(t, s, path))
	if _, err := os.Stat(path); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("it was kept: %v", err)
	}
}

// A damaged file is treated as missing and is replaced.
func TestKeptDamaged(t *testing.T) {
	s, path := newShelf(), filepath.Join(t.TempDir(), "x.overview")
	s.origin = origin
	want := overview(t, kept(t, s, path))
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	flipped := func(at int) []byte {
		text := bytes.Clone(whole)
		text[at] ^= 1
		return text
	}
	head, body, _ := bytes.Cut(whole, []byte("\n"))
	for name, text := range map[string][]byte{
		"empty":             {},
		"cut off":           whole[:len(whole)-1],
		"longer":            append(bytes.Clone(whole), ' '),
		"first byte":        flipped(0),
		"in the hash":       flipped(len("perftrack overview 1 ") + 3),
		"in the text":       flipped(len(whole) / 2),
		"last byte":         flipped(len(whole) - 1),
		"an earlier form":   bytes.Replace(whole, []byte("overview 1 "), []byte("overview 0 "), 1),
		"of something else": []byte("SQLite format 3\x00"),
		"no hash":           append([]byte("perftrack overview 1\n"), body...),
		"only the hash":     head,
		"nothing in it":     []byte("perftrack overview 1 44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a\n{}"),
	} {
		if err := os.WriteFile(path, text, 0o600); err != nil {
			t.Fatal(err)
		}
		before := s.made.Load()
		if got := overview(t, kept(t, s, path)); got != want || s.made.Load() != before+1 {
			t.Errorf("%s: made %d times more: %s", name, s.made.Load()-before, got)
		}
		if now, err := os.ReadFile(path); err != nil || len(now) < len(whole)/2 {
			t.Errorf("%s: it is not mended: %v", name, err)
		}
	}
	if err := os.WriteFile(path, whole, 0o600); err != nil {
		t.Fatal(err)
	}
	before := s.made.Load()
	if overview(t, kept(t, s, path)); s.made.Load() != before {
		t.Error("the whole file is not read: this test shows nothing")
	}
}

// If the file cannot be written, nothing is kept. The server still answers all requests.
func TestKeptNowhere(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "file"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	locked := filepath.Join(dir, "locked")
	if err := os.Mkdir(locked, 0o500); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{"", filepath.Join(dir, "file", "x.overview"), filepath.Join(locked, "x.overview"), dir} {
		s := newShelf()
		s.origin = origin
		overview(t, kept(t, s, path))
		overview(t, kept(t, s, path))
	}
}

// A server never reads a file partly written by another server running at the same time.
func TestKeptTogether(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.overview")
	var all sync.WaitGroup
	for n := range 8 {
		all.Go(func() {
			s := newShelf()
			s.origin, s.version = origin, n%3
			for range 5 {
				h, err := server.Handler(server.Options{Live: s, Keep: path, Moment: time.Minute})
				if err != nil {
					t.Error(err)
					return
				}
				want := s.stamp()
				if r := ask(h, "GET", "/data/index.js"); !strings.HasSuffix(r.body, `,"`+want+"\");\n") {
					t.Errorf("asked for %s: %d %.100s", want, r.status, r.body[max(0, len(r.body)-100):])
				}
			}
		})
	}
	all.Wait()
}

// Kept overviews are removed if they have not been used for a long time. Other files stay.
func TestKeptCleaned(t *testing.T) {
	dir := t.TempDir()
	s := newShelf()
	s.origin, s.time = origin, time.Now()
	for name, age := range map[string]time.Duration{"old.overview": 61 * 24 * time.Hour, "young.overview": 59 * 24 * time.Hour, "old.txt": 61 * 24 * time.Hour} {
		file := filepath.Join(dir, name)
		if err := os.WriteFile(file, nil, 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(file, s.time.Add(-age), s.time.Add(-age)); err != nil {
			t.Fatal(err)
		}
	}
	overview(t, kept(t, s, filepath.Join(dir, "x.overview")))
	var left []string
	files, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		left = append(left, f.Name())
	}
	if got := strings.Join(left, " "); got != "old.txt x.overview young.overview" {
		t.Errorf("left are %s", got)
	}
}
