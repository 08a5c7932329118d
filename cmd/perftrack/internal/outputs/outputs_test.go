package outputs

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Parse recognizes two names for the same file, whether or not the file exists, and with or without
// a link.
func TestParseSameFile(t *testing.T) {
	dir := t.TempDir()
	there := filepath.Join(dir, "there")
	write(t, there, "x")
	link(t, "there", filepath.Join(dir, "link"))
	link(t, dir, filepath.Join(dir, "up"))
	if err := os.Link(there, filepath.Join(dir, "hard")); err != nil {
		t.Fatal(err)
	}
	for _, names := range [][2]string{{"there", "there"}, {"there", "link"}, {"there", "hard"}, {"there", "up/there"}, {"new", "./new"}, {"new", "up/new"}} {
		values := []string{"text=" + filepath.Join(dir, names[0]), "json=" + dir + "/" + names[1]}
		if _, err := Parse(values, Formats, nil); err == nil || !strings.Contains(err.Error(), "the text output goes to the same file") {
			t.Errorf("%q: %v", names, err)
		}
	}
	if _, err := Parse([]string{"text=" + filepath.Join(dir, "a"), "json=" + filepath.Join(dir, "b")}, Formats, nil); err != nil {
		t.Error(err)
	}
	link(t, "nowhere", filepath.Join(dir, "dangling"))
	if _, err := Parse([]string{"text=" + filepath.Join(dir, "dangling")}, Formats, nil); err == nil {
		t.Error("a link that leads nowhere")
	}
}

// If one file cannot be written, no file is deleted.
func TestPrepare(t *testing.T) {
	dir := t.TempDir()
	old := filepath.Join(dir, "old")
	write(t, old, "x")
	gone := filepath.Join(dir, "gone")
	if err := os.Mkdir(gone, 0o777); err != nil {
		t.Fatal(err)
	}
	files, err := Parse([]string{"text=" + old, "json=" + filepath.Join(gone, "new")}, Formats, nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(gone); err != nil {
		t.Fatal(err)
	}
	if err := Prepare(files); err == nil || !strings.Contains(err.Error(), "--output json="+filepath.Join(gone, "new")+": ") {
		t.Error(err)
	}
	if text, err := os.ReadFile(old); err != nil || string(text) != "x" {
		t.Errorf("%q, %v", text, err)
	}
	if err := Prepare(files[:1]); err != nil {
		t.Fatal(err)
	}
	empty(t, dir)
	if err := files[0].Write([]byte("new")); err != nil {
		t.Fatal(err)
	}
	if text, err := os.ReadFile(old); err != nil || string(text) != "new" {
		t.Errorf("%q, %v", text, err)
	}
	info, err := os.Stat(old)
	if err != nil || info.Mode().Perm()&0o600 != 0o600 {
		t.Errorf("%v, %v", info.Mode(), err)
	}
	if err := files[1].Write(nil); err == nil {
		t.Error("written into a folder that is gone")
	}
}

// A failed write leaves no temporary file behind and keeps the old file.
func TestWriteWhole(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "name")
	files, err := Parse([]string{"text=" + name}, Formats, nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(name, 0o777); err != nil { // as if it were created while the command was running
		t.Fatal(err)
	}
	if err := files[0].Write([]byte("new")); err == nil {
		t.Error("written over a folder")
	}
	if err := os.Remove(name); err != nil {
		t.Fatal(err)
	}
	empty(t, dir)
}

func empty(t *testing.T, dir string) {
	t.Helper()
	if found, err := os.ReadDir(dir); err != nil || len(found) > 0 {
		t.Errorf("%v in the folder, %v", found, err)
	}
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}

func link(t *testing.T, to, path string) {
	t.Helper()
	if err := os.Symlink(to, path); err != nil {
		t.Fatal(err)
	}
}
