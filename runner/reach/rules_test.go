package reach

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/perftrack/perftrack/runner/proc"
)

func TestMain(m *testing.M) {
	proc.Supervise()
	os.Exit(m.Run())
}

const (
	fixture = "fix.d/direct.go"
	tests   = "fix.d/direct_test.go"
	pkg     = "example.com/fix.v1/fix.d"
	all     = "all"
)

// A change replaces a piece of text in the fixture. reached lists the benchmarks that must then be
// measured; all others must be left out.
type change struct {
	name, file, old, new string
	reached              string
}

var changes = []change{
	{"nothing", "", "", "", ""},
	{"a comment", fixture, "package fix\n", "package fix\n\n// More.\n\n\n", ""},
	{"a call of a call", fixture, "n * 7", "n * 70", "Direct"},
	{"inlined", fixture, "n * 11", "n*11 + 1", "Inlined"},
	{"what only a test calls", fixture, "n * 13", "n * 130", ""},
	{"a helper of tests", tests, "return 73", "return 74", ""},
	{"a test", tests, "== 0 ||", "== 1 ||", ""},
	{"one more test", tests, "func TestUnused", "func TestMore(t *testing.T) {}\n\nfunc TestUnused", ""},
	{"a benchmark", tests, "direct(1)", "direct(2)", "Direct"},
	{"one more benchmark", tests, "func BenchmarkTable", "func BenchmarkMore(b *testing.B) {}\nfunc BenchmarkTable", ""},
	// A new file that comes first changes the order, too.
	{"imports in another order", fixture, "\"reflect\"\n\t_ \"unsafe\"\n\n\t\"example.com/fix.v1/dep\"", "\"example.com/fix.v1/dep\"\n\t\"reflect\"\n\t_ \"unsafe\"", ""},
	{"a function value", fixture, "n * 17", "n * 170", "Table"},
	{"a method value", fixture, "n * 19", "n * 190", "Method"},
	{"a closure", fixture, "n*23 + k", "n*230 + k", "Closure"},
	{"a method that an interface has", fixture, "s.side * 29", "s.side * 290", "Shape"},
	// No interface in the fixture has this method, but a type assertion at run time may need it.
	{"another method of the type", fixture, "s.side * 31", "s.side * 310", "Shape"},
	{"a promoted method", fixture, "i.n * 37", "i.n * 370", "Outer"},
	{"a type argument's method", fixture, "t.a * 41", "t.a * 410", "Generic"},
	{"generic code", fixture, "n += x.area()", "n -= x.area()", "Generic"},
	{"a method by its number", fixture, "t.n * 43", "t.n * 430", "Reflect New"},
	{"a method of a pointer that reflection made", fixture, "t.n * 47", "t.n * 470", "Reflect New"},
	{"a table", fixture, "{1, 2, 3, 4}", "{1, 2, 3, 5}", "Data"},
	{"the size of zeros", fixture, "var zero [8]int", "var zero [9]int", "Zero"},
	{"a string", fixture, `"two"`, `"too"`, "Const"},
	{"a literal in front of others", fixture, "func (s square) edge() int {", "func (s square) edge() int { x := []point{{1, 1}, {7, 8}}; s.side += x[s.side%2].y;", "Shape"},
	{"a list in front of others", fixture, "var table", "var ahead = []int{1, 2}\n\nvar table", ""},
	{"a large map's initialisation", fixture, `"l": 12`, `"l": 13`, all},
	{"a literal", fixture, "{4, 5}}", "{4, 6}}", "Literal"},
	{"a type's layout", fixture, "x, y int", "x int; y int8", "Literal"},
	{"a deferred call", fixture, "*n += 53", "*n += 530", "Defer"},
	{"a goroutine", fixture, "c <- 59", "c <- 590", "Go"},
	{"a linked name", "dep/dep.go", "n*3 + 1", "n*30 + 1", "Linked"},
	{"another package", "dep/dep.go", "n*5 + 1", "n*50 + 1", "Dep"},
	{"what an external test calls", "dep/dep.go", "Repeat(s, 2)", "Repeat(s, 3)", "Outside"},
	{"a package of the library without initialisation", "dep/dep.go", "{ return strings.Repeat(s, 2) }",
		"{ return strings.Repeat(s, 3) + string(rune(ring.New(1).Len())) }", "Outside"},
	{"a package of the library with initialisation", "dep/dep.go", `import "strings"`, "import (\n_ \"image/png\"\n\"strings\"\n)", all},
	{"a variable's initialisation", fixture, "return 61", "return 62", all},
	{"what init hands over", fixture, "c.r * 67", "c.r * 670", all},
	{"a map's initialisation", fixture, "n * 71", "n * 710", all},
	{"one more init", fixture, "type circle", "func init() { begun++ }\n\ntype circle", all},
	{"TestMain", tests, `"FIX", "1"`, `"FIX", "2"`, all},
	{"a setting of the runtime in a test", tests, "package fix\n", "//go:debug asynctimerchan=1\n\npackage fix\n", all},
	{"the module", "go.mod", "go 1.24", "go 1.25", all},
	{"assembly", "fix.d/asm_amd64.s", "$79", "$80", "Assembly"},
	{"what assembly calls", "fix.d/asm_amd64.go", "return 83", "return 84", "Calling"},
	{"documentation", "README.md", "The", "Our", ""},
	{"a file of something else", "web/app.ts", "1", "2", ""},
	{"a file in a folder that a benchmark names", "corpus/one.bin", "1", "2", all},
	{"a file for tests", "fix.d/testdata/own.txt", "1", "2", all},
	{"a file for the tests of all", "testdata/shared.txt", "1", "2", all},
	{"an embedded file", "fix.d/embedded.txt", "text", "more", all},
}

// Each rule is tested with a change. The affected benchmarks must be measured, and all other
// benchmarks must be left out.
func TestRules(t *testing.T) {
	files := archive(t, "module.txtar")
	base := t.TempDir()
	writeFiles(t, base, files)
	before := load(t, base)
	benchmarks := benchmarkNames(files)
	for _, c := range changes {
		t.Run(c.name, func(t *testing.T) {
			if runtime.GOARCH != "amd64" && strings.Contains(c.file, "amd64") {
				t.Skip("the assembly is amd64's")
			}
			dir := filepath.Join(t.TempDir(), "elsewhere")
			writeFiles(t, dir, changed(t, files, c))
			d, err := Compare(before, load(t, dir), pkg)
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, b := range benchmarks {
				if why := d.Reaches(b + "/sub"); why != "" {
					got = append(got, b)
					t.Logf("%s reaches %q, by %q", b, why, d.Path(b+"/sub"))
				}
			}
			for _, b := range benchmarks {
				path := d.Path(b + "/sub")
				if (path != nil) != slices.Contains(got, b) {
					t.Errorf("%s gets to a change by %q", b, path)
				}
			}
			want := strings.Fields(c.reached)
			if c.reached == all {
				want = benchmarks
			}
			if !slices.Equal(got, want) {
				t.Errorf("reached are %q, want %q", got, want)
			}
		})
	}
}

func archive(t *testing.T, name string) map[string]string {
	t.Helper()
	a, err := txtar.ParseFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	files := map[string]string{}
	for _, f := range a.Files {
		files[f.Name] = string(f.Data)
	}
	return files
}

func benchmarkNames(files map[string]string) (names []string) {
	list := []string{tests, "fix.d/outside_test.go"}
	if runtime.GOARCH == "amd64" {
		list = append(list, "fix.d/asm_amd64_test.go")
	}
	for _, file := range list {
		for _, m := range regexp.MustCompile(`func Benchmark(\w+)`).FindAllStringSubmatch(files[file], -1) {
			names = append(names, m[1])
		}
	}
	return names
}

// changed returns the files with a change applied, including any import it needs.
func changed(t *testing.T, files map[string]string, c change) map[string]string {
	t.Helper()
	out := map[string]string{}
	for name, text := range files {
		if name == c.file {
			if !strings.Contains(text, c.old) {
				t.Fatalf("%s has no %q", name, c.old)
			}
			text = strings.Replace(text, c.old, c.new, 1)
			if strings.Contains(c.new, "ring.") {
				text = strings.Replace(text, `import "strings"`, "import (\n\"container/ring\"\n\"strings\"\n)", 1)
			}
		}
		out[name] = text
	}
	return out
}

func writeFiles(t *testing.T, dir string, files map[string]string) {
	t.Helper()
	for name, text := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

func load(t *testing.T, dir string) *Build {
	t.Helper()
	return loadOf(t, dir, pkg)
}

func loadOf(t *testing.T, dir, pkg string) *Build {
	t.Helper()
	t.Setenv("GOFLAGS", "")
	t.Setenv("GOWORK", "off")
	b, err := Load(t.Context(), dir, []string{pkg}, "")
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// The functions that C code calls are unknown, so any change in a package with cgo, or in code that
// it calls, affects all benchmarks.
func TestCgo(t *testing.T) {
	if _, err := exec.LookPath("cc"); err != nil {
		t.Skip("no C compiler here")
	}
	t.Setenv("CGO_ENABLED", "1")
	files := archive(t, "cgo.txtar")
	base := t.TempDir()
	writeFiles(t, base, files)
	before := load(t, base)
	for _, c := range []change{
		{"nothing", "", "", "", ""},
		{"what no Go code calls", "fix.d/c.go", "return 1", "return 2", all},
		{"the C code", "fix.d/c.go", "return 3", "return 4", all},
		{"what the package calls", "fix.d/pure/pure.go", "return 5", "return 6", all},
		{"what it does not", "fix.d/pure/pure.go", "return 7", "return 8", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			writeFiles(t, dir, changed(t, files, c))
			d, err := Compare(before, load(t, dir), pkg)
			if err != nil {
				t.Fatal(err)
			}
			if got := d.Reaches("Nothing"); (got != "") != (c.reached == all) {
				t.Errorf("BenchmarkNothing reaches %q, want %q", got, c.reached)
			}
		})
	}
}
