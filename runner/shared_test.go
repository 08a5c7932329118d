package runner

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/perftrack/perftrack/runner/livetest"
	"github.com/perftrack/perftrack/runner/program"
)

// sharedPackages maps the names of packages to base's files and to the files that differ in head.
// Each text is the content of a file, and "-" means that head does not have the file.
var sharedPackages = map[string][2]map[string]string{
	// Both the benchmark and the code differ.
	"loop": {
		{"p.go": "func Work() int { return 1 }", "p_test.go": "func BenchmarkA(b *testing.B) { for i := 0; i < b.N; i++ { Work() } }"},
		{"p.go": "func Work() int { return 2 }", "p_test.go": "func BenchmarkA(b *testing.B) { for b.Loop() { Work() } }"},
	},
	// Only the benchmark differs.
	"only": {
		{"p.go": "func Work() int { return 1 }", "p_test.go": "func BenchmarkA(b *testing.B) { for i := 0; i < b.N; i++ { Work() } }"},
		{"p_test.go": "func BenchmarkA(b *testing.B) { for b.Loop() { Work() } }"},
	},
	// Neither side's tests build with the other side's code.
	"api": {
		{"p.go": "func Work() int { return 1 }", "p_test.go": "func BenchmarkA(b *testing.B) { Work() }\n\nfunc BenchmarkKept(b *testing.B) { Same() }", "q.go": "func Same() int { return 1 }"},
		{"p.go": "func Work(n int) int { return n }", "p_test.go": "func BenchmarkA(b *testing.B) { Work(1) }\n\nfunc BenchmarkKept(b *testing.B) { Same() }", "q.go": "func Same() int { return 2 }"},
	},
	// Head's tests need code that base lacks, but the benchmark does not.
	"needs": {
		{"p.go": "func Work() int { return 1 }", "p_test.go": "func BenchmarkA(b *testing.B) { for i := 0; i < b.N; i++ { Work() } }"},
		{"p.go": "func Work() int { return 2 }\n\nfunc More() {}", "p_test.go": "func BenchmarkA(b *testing.B) { for b.Loop() { Work() } }\n\nfunc TestMore(t *testing.T) { More() }"},
	},
	// One benchmark is new, in a new file, and another one is gone.
	"added": {
		{"p.go": "func Work() int { return 1 }", "p_test.go": "func BenchmarkA(b *testing.B) { Work() }\n\nfunc BenchmarkGone(b *testing.B) { Work() }"},
		{"p.go": "func Work() int { return 2 }", "p_test.go": "func BenchmarkA(b *testing.B) { Work() }", "new_test.go": "func BenchmarkNew(b *testing.B) { Work() }"},
	},
	// The first benchmark in an old package, and the first one in a new package.
	"first": {{"p.go": "func Work() int { return 1 }"}, {"p.go": "func Work() int { return 2 }", "p_test.go": "func BenchmarkNew(b *testing.B) { Work() }"}},
	"born":  {{}, {"p.go": "func Work() int { return 2 }", "p_test.go": "func BenchmarkNew(b *testing.B) { Work() }"}},
	// An edited helper in a renamed file, a file read by the benchmark, and an embedded file.
	"helper": {
		{"p.go": "func work() int { return 1 }", "p_test.go": "func BenchmarkA(b *testing.B) { help() }", "help_test.go": "func help() { work() }"},
		{"p.go": "func work() int { return 2 }", "help_test.go": "-", "other_test.go": "func help() { work(); work() }"},
	},
	"data": {
		{"p.go": "func Work() int { return 1 }", "p_test.go": "func BenchmarkA(b *testing.B) { Work() }\n\nfunc init() { _ = Work }", "testdata/in.txt": "1"},
		{"p_test.go": "func BenchmarkA(b *testing.B) { Work() }\n\nfunc init() { if _, err := os.Stat(\"testdata/more.txt\"); err != nil { panic(err) } }", "testdata/more.txt": "2"},
	},
	"embeds": {
		{"p.go": "func Work() int { return 1 }", "p_test.go": "func BenchmarkA(b *testing.B) { Work() }"},
		{"p_test.go": "//go:embed in.txt\nvar in string\n\nfunc BenchmarkA(b *testing.B) { Work(); _ = in }", "in.txt": "1"},
	},
	// Base has a file in an embedded folder that is gone in head.
	"folder": {
		{"p.go": "func Work() int { return 1 }", "p_test.go": "func BenchmarkA(b *testing.B) { Work() }", "testdata/old.txt": "1"},
		{
			"p_test.go":        "//go:embed testdata\nvar in embed.FS\n\nfunc BenchmarkA(b *testing.B) { Work() }\n\nfunc init() { if files, _ := in.ReadDir(\"testdata\"); len(files) != 1 { panic(files) } }",
			"testdata/old.txt": "-", "testdata/new.txt": "2",
		},
	},
	"external": {
		{"p.go": "func Work() int { return 1 }", "export_test.go": "var Exported = Work", "x_test.go": "package p_test\nfunc BenchmarkA(b *testing.B) { p.Exported() }"},
		{"p.go": "func Work() int { return 2 }", "export_test.go": "var Exposed = Work", "x_test.go": "package p_test\nfunc BenchmarkA(b *testing.B) { p.Exposed() }"},
	},
	// A test was edited, but no benchmark.
	"test": {
		{"p.go": "func Work() int { return 1 }", "p_test.go": "func BenchmarkA(b *testing.B) { Work() }\n\nfunc TestA(t *testing.T) {}"},
		{"p.go": "func Work() int { return 2 }", "p_test.go": "func BenchmarkA(b *testing.B) { Work() }\n\nfunc TestA(t *testing.T) { t.Log() }"},
	},
}

// Edited benchmarks are measured with the same test files on both sides if these build. Nothing
// changes for the other benchmarks.
func TestSharedTests(t *testing.T) {
	livetest.Skip(t)
	var dirs []string
	for side := range 2 {
		dir := filepath.Join(t.TempDir(), "m")
		dirs = append(dirs, dir)
		for pkg, sides := range sharedPackages {
			files := map[string]string{}
			for _, of := range sides[:side+1] {
				for name, text := range of {
					files[name] = text
				}
			}
			for name, text := range files {
				writeShared(t, filepath.Join(dir, pkg, name), pkg, text)
			}
		}
		write(t, dir, "go.mod", "module example.com/m\n\ngo 1.26\n")
	}
	p := gotestPlan(dirs...)
	p.Sides[0].Throwaway = true
	out, open, err := Reach(t.Context(), p, nil)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	say := func(what string, slots ...program.Slot) {
		for _, s := range slots {
			got = append(got, strings.TrimPrefix(s.String(), "example.com/m/")+" "+what)
		}
	}
	for _, s := range out.Shared {
		say(fmt.Sprintf("by tests of %s, new %v", p.Sides[s.Tests].Name, s.New), s.Slot)
	}
	say("rewritten", out.Rewritten...)
	say("same", out.Same...)
	say("base lacks it", out.Lacking[0]...)
	say("head lacks it", out.Lacking[1]...)
	say("measured", open...)
	slices.Sort(got)
	want := []string{
		"added.A measured",
		"added.Gone head lacks it",
		"added.New by tests of head, new true", "added.New measured",
		"api.A measured", "api.A rewritten",
		"api.Kept measured",
		"born.New base lacks it",
		"data.A by tests of head, new false", "data.A measured",
		"embeds.A by tests of head, new false", "embeds.A measured",
		"external.A by tests of head, new false", "external.A measured",
		"first.New by tests of head, new true", "first.New measured",
		"folder.A by tests of head, new false", "folder.A measured",
		"helper.A by tests of head, new false", "helper.A measured",
		"loop.A by tests of head, new false", "loop.A measured",
		"needs.A by tests of base, new false", "needs.A measured",
		"only.A by tests of head, new false", "only.A measured",
		"test.A measured",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	for i, dir := range dirs { // base's checkout has head's testdata, but no other files from head
		for name, there := range map[string]bool{"data/testdata/more.txt": true, "added/new_test.go": i == 1, "helper/help_test.go": i == 0} {
			if _, err := os.Stat(filepath.Join(dir, filepath.FromSlash(name))); (err == nil) != there {
				t.Errorf("side %d: %s: %v", i, name, err)
			}
		}
	}
}

func writeShared(t *testing.T, file, pkg, text string) {
	t.Helper()
	if text == "-" {
		return
	}
	if strings.HasSuffix(file, ".go") {
		for _, f := range []string{"func Work(", "func work(", "func Same("} { // otherwise they would be inlined completely
			text = strings.ReplaceAll(text, f, "//go:noinline\n"+f)
		}
		var imports string
		for of, path := range map[string]string{"testing.": "testing", "os.": "os", "embed.": "embed", "p.": "example.com/m/" + pkg} {
			if strings.Contains(text, of) {
				imports += fmt.Sprintf("import %q\n", path)
			}
		}
		if strings.Contains(text, "go:embed") {
			imports += "import _ \"embed\"\n"
		}
		clause, rest, ok := strings.Cut(text, "\n")
		if !ok || !strings.HasPrefix(clause, "package ") {
			clause, rest = "package p", text
		}
		text = clause + "\n\n" + imports + "\n" + rest + "\n"
	}
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Dir(file), filepath.Base(file), text)
}
