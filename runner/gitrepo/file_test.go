package gitrepo

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/perftrack/perftrack/runner/gitrepo/internal/gittest"
)

func TestFile(t *testing.T) {
	dir := gittest.New(t, 1)
	gittest.WriteFile(t, dir, "plain.txt", "one\n")
	gittest.WriteFile(t, dir, "a folder/in it.txt", "two\n")
	for name, to := range map[string]string{"link.txt": "a folder/in it.txt", "nowhere.txt": "no such file", "outside.txt": "/etc/passwd"} {
		if err := os.Symlink(to, filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	gittest.Run(t, dir, "add", ".")
	gittest.Run(t, dir, "commit", "--quiet", "-m", "files")
	gittest.WriteFile(t, dir, "plain.txt", "changed\n")
	repo := open(t, dir)
	c := resolve(t, repo, "HEAD")
	for _, tt := range []struct {
		path, text string
		ok         bool
	}{
		{"plain.txt", "one\n", true}, {"a folder/in it.txt", "two\n", true}, {"link.txt", "two\n", true},
		{"no such file.txt", "", false}, {"a folder", "", false}, {"nowhere.txt", "", false}, {"outside.txt", "", false},
	} {
		text, ok, err := repo.File(t.Context(), c, tt.path, 100)
		if string(text) != tt.text || ok != tt.ok || err != nil {
			t.Errorf("File(%s) = %q, %v, %v, want %q, %v", tt.path, text, ok, err, tt.text, tt.ok)
		}
	}
	if text, _, err := repo.File(t.Context(), c, "plain.txt", 2); string(text) != "one" || err != nil {
		t.Errorf("File with a limit of 2 = %q, %v, want one byte more", text, err)
	}
}
