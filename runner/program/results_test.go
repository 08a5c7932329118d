package program

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/perftrack/perftrack/runner/config"
)

// In a box only the results are writable. They exist before the process, and remain the same files and
// folders, because a box that is in use shows these.
func TestResultsInBox(t *testing.T) {
	dir := t.TempDir()
	c := &commandProgram{dir: dir, plan: &Spec{Isolate: true, Target: config.Target{Name: "c", Run: "x", Results: []string{"target/criterion", "./out/bench.json"}}}}
	folder, file := filepath.Join(dir, "target", "criterion"), filepath.Join(dir, "out", "bench.json")
	var before [2]fs.FileInfo
	for range 2 {
		if writes, err := c.ClearResults(); !writes || err != nil {
			t.Fatal(writes, err)
		}
		if got, want := c.Command(Slot{}).Box.Write, []string{folder, file}; !slices.Equal(got, want) {
			t.Errorf("writable are %q, want %q", got, want)
		}
		for i, path := range []string{folder, file} {
			info, err := os.Stat(path)
			if err != nil || before[i] != nil && !os.SameFile(before[i], info) {
				t.Errorf("%s is another one: %v", path, err)
			}
			before[i] = info
		}
		none := func(fs.FS, string) error { t.Error("a result is there already"); return nil }
		if err := c.ReadResults(none, none); err == nil || !strings.Contains(err.Error(), "the run line wrote no target/criterion (x)") {
			t.Error(err)
		}
		write := func(path string) error { return os.WriteFile(path, []byte("1"), 0o644) }
		if err := write(filepath.Join(folder, "sample.json")); err != nil {
			t.Fatal(err)
		}
		if err := write(file); err != nil {
			t.Fatal(err)
		}
		var read []string
		note := func(_ fs.FS, name string) error { read = append(read, name); return nil }
		if err := c.ReadResults(note, note); err != nil || !slices.Equal(read, []string{"target/criterion", "out/bench.json"}) {
			t.Errorf("read %q, %v", read, err)
		}
	}
}

// A link never makes anything outside the target's folder writable.
func TestResultsInBoxStayInside(t *testing.T) {
	dir, outside := t.TempDir(), t.TempDir()
	if err := os.Symlink(outside, filepath.Join(dir, "out")); err != nil {
		t.Fatal(err)
	}
	c := &commandProgram{dir: dir, plan: &Spec{Isolate: true, Target: config.Target{Name: "c", Results: []string{"out/x"}}}}
	if _, err := c.ClearResults(); err == nil {
		t.Error("cleared through a link")
	}
	if err := os.Mkdir(filepath.Join(outside, "x"), 0o755); err != nil {
		t.Fatal(err)
	}
	if got := c.writable(); len(got) > 0 {
		t.Errorf("writable are %q", got)
	}
}
