package identity

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestFunctionHash(t *testing.T) {
	const source = `package p

import "testing"

func BenchmarkA(b *testing.B) {
	b.Run("x", func(b *testing.B) {
		for b.Loop() {
			work(1, "a b")
		}
	})
}

func BenchmarkAB(b *testing.B) { work(2) }

type T struct{}

func (T) BenchmarkM(b *testing.B) {}
`
	hash := func(text, name string) string {
		t.Helper()
		dir := t.TempDir()
		writeTree(t, dir, map[string]string{"p_test.go": text, "other_test.go": "package p\n\nfunc BenchmarkOther(b *testing.B) {}\n"})
		sum, err := FunctionHash(dir, []string{"other_test.go", "p_test.go"}, name)
		if err != nil {
			t.Fatal(err)
		}
		return sum
	}
	want := hash(source, "A")
	for _, tt := range []struct {
		what, old, new string
		same           bool
	}{
		{"nothing", "", "", true},
		{"a comment", "for b.Loop", "// A comment.\n\n\t\tfor b.Loop", true},
		{"a comment inside", "work(1,", "work( /* one */ 1,", true},
		{"layout", "work(1, \"a b\")", "work(\n1,\n\"a b\",\n)", true},
		{"another function", "work(2)", "work(3)", true},
		{"lines above", "package p\n", "package p\n\n// More.\n\n\n", true},
		{"a constant", "work(1,", "work(7,", false},
		{"a string's blanks", "a b", "a  b", false},
		{"the sub-benchmark's name", `"x"`, `"y"`, false},
		{"a statement", "work(1,", "b.StopTimer(); work(1,", false},
	} {
		got := hash(strings.ReplaceAll(source, tt.old, tt.new), "A")
		if tt.old == "" {
			got = hash(source, "BenchmarkA/x")
		}
		if (got == want) != tt.same {
			t.Errorf("%s changed: same hash %v, want %v", tt.what, got == want, tt.same)
		}
	}
	if hash(source, "AB") == want {
		t.Error("BenchmarkA and BenchmarkAB have the same hash")
	}
}

func TestFunctionHashRefuses(t *testing.T) {
	dir := t.TempDir()
	writeTree(t, dir, map[string]string{
		"a_test.go": "package p\n\ntype T struct{}\n\nfunc (T) BenchmarkM(b *testing.B) {}\n// BenchmarkGone\n",
		"b_test.go": "package p\n\nfunc BenchmarkBroken(b *testing.B) {\n",
	})
	for _, tt := range []struct{ file, name, want string }{
		{"a_test.go", "Gone", "no test file of the package declares"},
		{"a_test.go", "M", "no test file of the package declares"},
		{"b_test.go", "Broken", "b_test.go:"},
		{"none_test.go", "X", "none_test.go"},
	} {
		if sum, err := FunctionHash(dir, []string{tt.file}, tt.name); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("FunctionHash(%s, %s) = %q, %v, want an error with %q", tt.file, tt.name, sum, err, tt.want)
		}
	}
}

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
	}{{3, 5, ""}, {2, 5, "more than 2 files"}, {3, 4, "more than 4 bytes"}} { // the directory counts, too
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
		{filepath.Join(out, "d"), "leads out of it"},
		{filepath.Join(out, "d", "e"), "up leads out of it"},
		{filepath.Join(out, "root"), "leads out of it"},
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
