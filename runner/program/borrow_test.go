package program

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/perftrack/perftrack/runner/gotool"
)

// The overlay takes the test files from the other side, deletes this side's additional test files,
// and does not touch files that are part of the code.
func TestOverlay(t *testing.T) {
	base, head := t.TempDir(), t.TempDir()
	for _, name := range []string{"p.go", "both_test.go", "old_test.go", "off_test.go", "in.txt"} {
		write(t, base, name, "base")
	}
	for _, name := range []string{"p.go", "both_test.go", "new_test.go", "x_test.go", "in.txt", "want.txt"} {
		write(t, head, name, "head")
	}
	g := &Gotest{overlay: filepath.Join(t.TempDir(), "overlay.json"), pkgs: []gotool.Package{{
		Dir: base, TestDir: head, TestGoFiles: []string{"both_test.go", "new_test.go"}, XTestGoFiles: []string{"x_test.go"},
		EmbedFiles: []string{"in.txt"}, TestEmbedFiles: []string{"in.txt"}, XTestEmbedFiles: []string{"want.txt"},
	}}}
	if err := g.writeOverlay(); err != nil {
		t.Fatal(err)
	}
	got := strings.NewReplacer(base, "BASE", head, "HEAD").Replace(string(readFile(t, g.overlay)))
	const want = `{"Replace":{"BASE/both_test.go":"HEAD/both_test.go","BASE/new_test.go":"HEAD/new_test.go","BASE/off_test.go":"",` +
		`"BASE/old_test.go":"","BASE/want.txt":"HEAD/want.txt","BASE/x_test.go":"HEAD/x_test.go"}}`
	if got != want {
		t.Errorf("overlay %s\nwant %s", got, want)
	}
}

// Testdata is replaced only in a throw-away checkout, completely, and restored if the replacement
// is unused.
func TestReplaceTestdata(t *testing.T) {
	base, head := t.TempDir(), t.TempDir()
	for _, dir := range []string{base, head} {
		if err := os.MkdirAll(filepath.Join(dir, "testdata", "sub"), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	write(t, base, "testdata/old.txt", "old")
	write(t, head, "testdata/sub/new.txt", "new")
	if err := os.Symlink("sub/new.txt", filepath.Join(head, "testdata", "link")); err != nil {
		t.Fatal(err)
	}
	d := testdata{at: filepath.Join(base, "testdata"), kept: filepath.Join(base, "kept")}
	from := filepath.Join(head, "testdata")
	if same, err := d.replace(from, false); same || err != nil {
		t.Errorf("in a work tree: %v, %v", same, err)
	}
	if same, err := d.replace(from, true); !same || err != nil {
		t.Errorf("in a checkout: %v, %v", same, err)
	}
	if text := readFile(t, filepath.Join(base, "testdata", "link")); string(text) != "new" {
		t.Errorf("the link leads to %q", text)
	}
	if _, err := os.Stat(filepath.Join(base, "testdata", "old.txt")); err == nil {
		t.Error("a file of base is left")
	}
	again := testdata{at: d.at, kept: d.kept + "2"}
	if same, err := again.replace(from, false); !same || err != nil {
		t.Errorf("the same: %v, %v", same, err)
	}
	if err := d.restore(); err != nil {
		t.Fatal(err)
	}
	if text := readFile(t, filepath.Join(base, "testdata", "old.txt")); string(text) != "old" {
		t.Errorf("restored %q", text)
	}
}
