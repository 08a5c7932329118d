package harness

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/perftrack/perftrack/runner/config"
)

var update = flag.Bool("update", false, "rewrite the last file of testdata/*.txtar")

// Each archive holds a repository, and last what perftrack init finds in it: a line for each
// harness, and its target.
func TestFind(t *testing.T) {
	cases, err := filepath.Glob(filepath.Join("testdata", "*.txtar"))
	if err != nil || len(cases) < 5 {
		t.Fatalf("%d cases, %v", len(cases), err)
	}
	for _, file := range cases {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			ar, err := txtar.ParseFile(file)
			if err != nil {
				t.Fatal(err)
			}
			fsys := fstest.MapFS{}
			last := len(ar.Files) - 1
			for _, f := range ar.Files[:last] {
				fsys[f.Name] = &fstest.MapFile{Data: f.Data}
			}
			var got strings.Builder
			for _, f := range Find(fsys, "taken") {
				fmt.Fprintf(&got, "# %s: %d with %s; needs %s\n\n%s\n", f.Path, f.Benchmarks, f.Framework, f.Needs, f.Text())
				checkTarget(t, f)
			}
			if *update {
				ar.Files[last] = txtar.File{Name: "want.toml", Data: []byte(got.String())}
				if err := os.WriteFile(file, txtar.Format(ar), 0o644); err != nil {
					t.Fatal(err)
				}
				return
			}
			if want := string(ar.Files[last].Data); got.String() != want {
				t.Errorf("found\n%s\nwant\n%s", got.String(), want)
			}
		})
	}
}

// The examples of the guide have the options that are written.
func TestGuide(t *testing.T) {
	guide, err := os.ReadFile("../../../../docs/languages.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, options := range []string{googleRun, criterionRun, pytestRun} {
		if !strings.Contains(string(guide), options+`"`) {
			t.Errorf("docs/languages.md has no run line with %s", options)
		}
	}
}

// checkTarget requires that perftrack can read a target, also one that was to be finished.
func checkTarget(t *testing.T, f Found) {
	t.Helper()
	text := f.Text()
	if f.Unfinished != "" {
		_, target, _ := strings.Cut(text, "# [[target]]\n")
		text = "[[target]]\n" + strings.ReplaceAll("\n"+target, "\n# ", "\n")
	}
	c, err := config.Parse([]byte(text), "f")
	if err != nil {
		t.Errorf("%v in\n%s", err, text)
		return
	}
	got := c.Targets[0]
	if got.Name != f.Name || strings.TrimSpace(got.Build) != f.Build || got.Run != f.Run || got.Format != f.Format || got.Layout != f.Layout ||
		!slices.Equal(got.Results, f.Results) || !slices.Equal(got.Paths, f.Paths) {
		t.Errorf("the text of %+v is read as %+v", f, got)
	}
}

// Files that are too large, or too many, are not read.
func TestBounds(t *testing.T) {
	test := []byte("def test_a(benchmark):\n")
	large := append(bytes.Repeat([]byte("#"+strings.Repeat("x", 1022)+"\n"), maxText/1024), test...)
	fsys := fstest.MapFS{"test_large.py": {Data: large}}
	if got := Find(fsys); len(got) != 0 {
		t.Errorf("found %+v in a file of %d bytes", got, len(large))
	}
	for i := range maxTexts/maxText + 1 {
		fsys[fmt.Sprintf("test_%03d.py", i)] = &fstest.MapFile{Data: large[:maxText]}
	}
	fsys["test_zzz.py"] = &fstest.MapFile{Data: test}
	if got := Find(fsys); len(got) != 0 {
		t.Errorf("found %+v after %d bytes", got, maxTexts)
	}
	many := fstest.MapFS{}
	for i := range 3 * maxFound {
		many[fmt.Sprintf("s%d.sh", i)] = &fstest.MapFile{Data: []byte("hyperfine --export-json out.json ls\n")}
	}
	if got := Find(many); len(got) != maxFound {
		t.Errorf("found %d", len(got))
	}
}

// A name that needs quotes somewhere never reaches a shell line.
func TestUnusualNames(t *testing.T) {
	fsys := fstest.MapFS{}
	for _, dir := range []string{"a b", "a'b", `a"b`, "a;b", "$(b)", "-b", "a\nb", "ä"} {
		fsys[dir+"/test_x.py"] = &fstest.MapFile{Data: []byte("def test_a(benchmark):\n")}
		fsys[dir+"/run.sh"] = &fstest.MapFile{Data: []byte("hyperfine --export-json out.json ls\n")}
	}
	fsys["CMakeLists.txt"] = &fstest.MapFile{Data: []byte("project(p)\nadd_executable(a;touch$IFS/b x.cc)\ntarget_link_libraries(a;touch$IFS/b benchmark::benchmark)\n")}
	for _, f := range Find(fsys) {
		if f.Unfinished == "" {
			t.Errorf("found %+v", f)
		}
	}
}
