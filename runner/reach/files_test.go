package reach

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// Some benchmarks read files whose names do not occur in the program. Other benchmarks in the same
// package are left out if the benchmarks that read files are known.
func TestFiles(t *testing.T) {
	files := archive(t, "files.txtar")
	base := repository(t, files)
	for _, c := range []struct{ file, pkg, reached string }{
		{"mod/source/source.go", "source", "Reads"},
		{"mod/source/source.go", "walk", "Reads FS"},
		{"mod/apart/one.bin", "walk", "Reads FS"},
		{"mod/apart/one.bin", "source", ""},
		{"mod/large.json", "above", "Reads"},
		{"mod/text/one.md", "text", "Reads"},
		{"mod/text/one.md", "above", ""},
		{"mod/hidden/.corpus/one.bin", "hidden", "Reads"},
		{"mod/hidden/.corpus/one.bin", "source", ""},
		{"mod/shared/one.bin", "linked", "Reads"},
		{"mod/shared/one.bin", "outside", ""},
		{"common/one.bin", "outside", "Reads"},
		{"common/one.bin", "linked", ""},
		{"mod/lib/x.a", "native", "Reads"},
	} {
		t.Run(c.pkg+" "+strings.ReplaceAll(c.file, "/", "-"), func(t *testing.T) {
			edited := maps.Clone(files)
			edited[c.file] = strings.NewReplacer("return 1", "return 2", "1\n", "2\n").Replace(edited[c.file])
			importPath := "example.com/mod/" + c.pkg
			d, err := Compare(loadOf(t, base, importPath), loadOf(t, repository(t, edited), importPath), importPath)
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, b := range []string{"Reads", "FS", "Other"} {
				if !strings.Contains(files["mod/"+c.pkg+"/"+c.pkg+"_test.go"], "func Benchmark"+b) {
					continue
				}
				if why := d.Reaches(b); why != "" {
					got = append(got, b)
					t.Logf("%s reaches %q", b, why)
				}
			}
			if want := strings.Fields(c.reached); !slices.Equal(got, want) {
				t.Errorf("reached are %q, want %q", got, want)
			}
		})
	}
}

// repository writes files and a symbolic link into a new folder and returns the path of the module.
func repository(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	writeFiles(t, dir, files)
	if err := os.Symlink("../shared", filepath.Join(dir, "mod", "linked", "data")); err != nil {
		t.Skip(err) // not every system allows symbolic links
	}
	return filepath.Join(dir, "mod")
}
