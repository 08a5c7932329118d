package place

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// repository returns a module in a folder of a git repository, with links out of it.
func repository(t *testing.T) (p Place, outside string) {
	t.Helper()
	base, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	outside = filepath.Join(base, "outside")
	root := filepath.Join(base, "repo")
	for _, dir := range []string{outside, filepath.Join(root, ".git"), filepath.Join(root, "module", "parser"), filepath.Join(root, "other")} {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for link, to := range map[string]string{"up": "..", "out": outside, "beside": "../other", "gone": "../../nothing"} {
		if err := os.Symlink(to, filepath.Join(root, "module", link)); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(root, "module", "a.txt"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if p, err = Locate(filepath.Join(root, "module")); err != nil {
		t.Fatal(err)
	}
	return p, outside
}

func TestRevision(t *testing.T) {
	p, outside := repository(t)
	for value, want := range map[string]string{
		"": "", "HEAD": "", "HEAD~3": "", "main..feature/x": "", "main...feature": "", "v1.2.0": "", "HEAD^{/fix: a bug}": "", "@{yesterday}": "",
		"9a822f600000": "", "a.txt": "", "./a.txt": "", "beside": "", "up": "", // up leads to the root
		outside: "is outside", "/": "is outside", "../../outside": "is outside", "x/../../..": "is outside", `..\x`: "is outside",
		"out": "is outside", "out/x": "is outside", "up/../../outside": "is outside", "gone": "is outside", "gone/x": "is outside",
		"-": "begins with -", "-x": "begins with -", "main..-x": "begins with -", "main...-x": "begins with -",
		"a\x00b": "characters", "a\nb": "characters", "a\xffb": "characters", "\x1b[2J": "characters",
		strings.Repeat("x", longest+1): "more than",
	} {
		err := p.Revision("base", value)
		if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%q: %v, want %q", value, err, want)
		}
	}
}

func TestPackages(t *testing.T) {
	p, outside := repository(t)
	for value, want := range map[string]string{
		"./...": "", "...": "", "./parser": "", "./parser/...": "", "parser": "", "example.com/m/parser": "", "./later/...": "",
		"../...": "is outside", "./../x": "is outside", outside + "/...": "is outside", "./out/...": "is outside", "/...": "is outside",
		"-exec=x": "begins with -",
	} {
		err := p.Packages("target", value)
		if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%q: %v, want %q", value, err, want)
		}
	}
}

// A device or a pipe in the repository is rejected.
func TestNoPlainFile(t *testing.T) {
	p := Place{Dir: "/dev", Root: "/dev"}
	if _, err := os.Stat("/dev/null"); err != nil {
		t.Skip(err)
	}
	if err := p.Revision("base", "null"); err == nil || !strings.Contains(err.Error(), "not a regular file") {
		t.Error(err)
	}
}

func TestLocate(t *testing.T) {
	p, _ := repository(t)
	if filepath.Base(p.Root) != "repo" || filepath.Base(p.Dir) != "module" {
		t.Errorf("%+v", p)
	}
	if _, err := Locate(filepath.Join(p.Dir, "a.txt")); err == nil || !strings.Contains(err.Error(), "not a directory") {
		t.Error(err)
	}
	bare := Place{Dir: p.Root} // without a repository, its files are out of reach
	if err := bare.Revision("base", "module/a.txt"); err == nil {
		t.Error("a file is reached where there is no repository")
	}
	if err := bare.Revision("base", "HEAD"); err != nil {
		t.Error(err)
	}
}
