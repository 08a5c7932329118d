package handover

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// Find returns the first executable next to perftrack or in PATH, outside the repository. It
// refuses links in or into the repository.
func TestFind(t *testing.T) {
	base, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	at := func(name string) string { return filepath.Join(base, filepath.FromSlash(name)) }
	file := func(name string, mode os.FileMode) {
		if err := os.MkdirAll(filepath.Dir(at(name)), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(at(name), nil, mode); err != nil {
			t.Fatal(err)
		}
	}
	file("beside/tool", 0o755)
	file("path/tool", 0o755)
	file("plain/tool", 0o644)
	file("empty/x", 0o644)
	file("folder/tool/x", 0o644)
	file("repo/.git/x", 0o644)
	file("repo/bin/tool", 0o755)
	file("repo/sub/go.mod", 0o644)
	file("module/go.mod", 0o644)
	file("module/tool", 0o755)
	for link, to := range map[string]string{"links/tool": "repo/bin/tool", "repo/out/tool": "path/tool", "alias": "repo/bin", "installed": "beside/perftrack"} {
		if err := os.MkdirAll(filepath.Dir(at(link)), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(at(to), at(link)); err != nil {
			t.Fatal(err)
		}
	}
	file("beside/perftrack", 0o755)
	for _, tt := range []struct {
		self, dir string
		path      []string
		want      string
		refused   []string
	}{
		{"beside/perftrack", "repo", []string{"path"}, "beside/tool", nil},
		{"installed", "repo", []string{"path"}, "beside/tool", nil},
		{"empty/perftrack", "repo", []string{"plain", "folder", "empty", "path", "beside"}, "path/tool", nil},
		{"empty/perftrack", "repo", []string{"empty"}, "", nil},
		{"repo/bin/perftrack", "repo/sub", []string{"path"}, "path/tool", []string{"repo/bin/tool"}},
		{"empty/perftrack", "repo", []string{"repo/bin", "links", "repo/out", "alias"}, "", []string{"repo/bin/tool", "links/tool", "repo/out/tool", "alias/tool"}},
		{"empty/perftrack", "module", []string{"module"}, "", []string{"module/tool"}},
		{"empty/perftrack", "plain", []string{"repo/bin"}, "repo/bin/tool", nil}, // a different repository in PATH is allowed
	} {
		var list string
		for _, dir := range tt.path {
			list += string(filepath.ListSeparator) + at(dir)
		}
		got, refused := Find("tool", Locations{Self: at(tt.self), Path: ".:bin" + list, Dir: at(tt.dir)})
		want, wantRefused := "", []string(nil)
		if tt.want != "" {
			want = at(tt.want)
		}
		for _, name := range tt.refused {
			wantRefused = append(wantRefused, at(name))
		}
		if got != want || !slices.Equal(refused, wantRefused) {
			t.Errorf("%+v: %q, refused %q", tt, got, refused)
		}
	}
}

func TestVersion(t *testing.T) {
	for version, want := range map[string]string{
		"v1.2.3": "v1.2.3", "v0.0.0-20261123071500-0123456789ab": "latest", "v1.2.3+dirty": "latest", "v1.2.3-rc.1": "latest",
		"devel": "latest", "devel-0123456": "latest", "": "latest", "v01.2.3": "latest", "v1.2": "latest",
	} {
		if got := Version(version); got != want {
			t.Errorf("%q: %q, want %q", version, got, want)
		}
	}
}
