package identity

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestTreeHash(t *testing.T) {
	files := map[string]string{"a.txt": "1", "sub/b.txt": "2"}
	base := filepath.Join(t.TempDir(), "testdata")
	writeTree(t, base, files)
	link(t, "sub/b.txt", filepath.Join(base, "link"))
	want := treeHash(t, base)
	for _, tt := range []struct {
		what   string
		change func(dir string) error
		same   bool
	}{
		{"nothing", func(string) error { return nil }, true},
		{"an empty directory", func(dir string) error { return os.Mkdir(filepath.Join(dir, "void"), 0o755) }, true},
		{"a content", func(dir string) error { return os.WriteFile(filepath.Join(dir, "a.txt"), []byte("3"), 0o644) }, false},
		{"a name", func(dir string) error { return os.Rename(filepath.Join(dir, "a.txt"), filepath.Join(dir, "c.txt")) }, false},
		{"an executable bit", func(dir string) error { return os.Chmod(filepath.Join(dir, "a.txt"), 0o755) }, false},
		{"a link", func(dir string) error {
			return errors.Join(os.Remove(filepath.Join(dir, "link")), os.Symlink("a.txt", filepath.Join(dir, "link")))
		}, false},
		{"a link to nowhere", func(dir string) error { return os.Symlink("nowhere", filepath.Join(dir, "more")) }, false},
	} {
		dir := filepath.Join(t.TempDir(), "elsewhere")
		writeTree(t, dir, files)
		link(t, "sub/b.txt", filepath.Join(dir, "link"))
		if err := tt.change(dir); err != nil {
			t.Fatal(err)
		}
		if got := treeHash(t, dir); (got == want) != tt.same {
			t.Errorf("%s changed: same hash %v, want %v", tt.what, got == want, tt.same)
		}
	}
	empty := t.TempDir()
	if treeHash(t, empty) != treeHash(t, filepath.Join(empty, "none")) {
		t.Error("a missing directory is not as an empty one")
	}
}

func TestTreeHashRefuses(t *testing.T) {
	dir := t.TempDir()
	writeTree(t, dir, map[string]string{"a": "123", "b": "45"})
	for _, tt := range []struct {
		files, bytes int64
		want         string
	}{{3, 5, ""}, {2, 5, "more than 2 files"}, {3, 4, "more than 4 bytes"}} { // the directory counts as a file, too
		bounded := tree{root: dir, maxFiles: tt.files, maxBytes: tt.bytes}
		if _, err := bounded.hash(); (err == nil) != (tt.want == "") || err != nil && !strings.Contains(err.Error(), tt.want) {
			t.Errorf("bounds %d, %d: %v, want %q", tt.files, tt.bytes, err, tt.want)
		}
	}
	out := t.TempDir()
	writeTree(t, out, map[string]string{"shared": "1", "d/e/f": "1"})
	link(t, "../shared", filepath.Join(out, "d", "link"))
	link(t, "d", filepath.Join(out, "root"))
	link(t, "../..", filepath.Join(out, "d", "e", "up"))
	for _, tt := range []struct{ dir, want string }{
		{filepath.Join(out, "d"), "leads outside"},
		{filepath.Join(out, "d", "e"), "up leads outside"},
		{filepath.Join(out, "root"), "leads outside"},
	} {
		if sum, err := TreeHash(tt.dir); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("TreeHash(%s) = %q, %v, want an error with %q", tt.dir, sum, err, tt.want)
		}
	}
}

func treeHash(t *testing.T, dir string) string {
	t.Helper()
	sum, err := TreeHash(dir)
	if err != nil {
		t.Fatal(err)
	}
	return sum
}

func link(t *testing.T, target, path string) {
	t.Helper()
	if err := os.Symlink(target, path); err != nil {
		t.Fatal(err)
	}
}
