package reach

import (
	"bytes"
	"context"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"math/rand/v2"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/perftrack/perftrack/runner/gotool"
)

// seeded is the number of changes made to each module.
const seeded = 30

// TestLiveSeeded changes copies of other projects' modules in the folders listed in
// PERFTRACK_MODULES. Each change makes a random function count its calls. In every second change,
// some benchmark runs the function. Every benchmark whose coverage profile includes the function
// must be among the measured ones:
//
//	PERFTRACK_LIVE=full PERFTRACK_MODULES=gjson:bitset go test -run LiveSeeded -v -timeout 2h ./runner/reach
func TestLiveSeeded(t *testing.T) {
	modules := filepath.SplitList(os.Getenv("PERFTRACK_MODULES"))
	if os.Getenv("PERFTRACK_LIVE") != "full" || len(modules) == 0 {
		t.Skip("it changes modules of others: PERFTRACK_LIVE=full PERFTRACK_MODULES=DIR:DIR go test -run LiveSeeded -v -timeout 2h ./runner/reach")
	}
	t.Setenv("GOWORK", "off")
	for _, dir := range modules {
		t.Run(filepath.Base(dir), func(t *testing.T) { seedModule(t, dir) })
	}
}

// A subject is a module that the test changes.
type subject struct {
	dir        string // directory of a copy
	packages   []gotool.Package
	benchmarks []benchmark
	functions  []function
}

type benchmark struct {
	pkg, name string
	runs      map[string]bool // keys of the functions it runs
}

// A function describes the position of a function declaration.
type function struct {
	file       string // path relative to the module
	name       string
	body       int // offset after the opening brace
	start, end int // lines
}

func (f *function) key() string { return f.file + ":" + strconv.Itoa(f.start) }

func seedModule(t *testing.T, from string) {
	s := &subject{dir: copyOf(t, from)}
	s.find(t)
	s.cover(t)
	base := s.load(t, s.dir)
	var ran []function
	for _, f := range s.functions {
		if s.anyRuns(f) {
			ran = append(ran, f)
		}
	}
	random := rand.New(rand.NewPCG(15, 11))
	var left, all, must, missed, touched int
	var loading, comparing time.Duration
	for i := range seeded {
		from := s.functions
		if i%2 == 0 && len(ran) > 0 {
			from = ran
		}
		f := from[random.IntN(len(from))]
		head := copyOf(t, s.dir)
		countCalls(t, head, f)
		began := time.Now()
		h := s.load(t, head)
		loading += time.Since(began)
		began = time.Now()
		measured := s.measured(t, base, h)
		comparing += time.Since(began)
		touches, out := 0, 0
		for k, b := range s.benchmarks {
			if !measured[k] {
				out++
			}
			if b.runs[f.key()] {
				touches++
				if !measured[k] {
					missed++
					t.Errorf("%s of %s runs %s, and is left out", b.name, b.pkg, f.name)
				}
			}
		}
		t.Logf("%s: %d benchmarks run it, %d of %d measured", f.name, touches, len(s.benchmarks)-out, len(s.benchmarks))
		left, all, must = left+out, all+len(s.benchmarks), must+touches
		if touches > 0 {
			touched++
		}
	}
	t.Logf("%d packages, %d benchmarks, %d functions of which benchmarks run %d; %d changes, %d of them of what a benchmark runs",
		len(s.packages), len(s.benchmarks), len(s.functions), len(ran), seeded, touched)
	t.Logf("%d of %d pairs of a change and a benchmark have to be measured, %d of them are not; left out are %d, %.0f %%, of at most %.0f %%",
		must, all, missed, left, 100*float64(left)/float64(all), 100*float64(all-must)/float64(all))
	t.Logf("a change and package took %.3f s to compare, and a change %.2f s to compile and list",
		comparing.Seconds()/float64(seeded*len(s.packages)), loading.Seconds()/seeded)
}

func (s *subject) load(t *testing.T, dir string) *Build {
	t.Helper()
	var paths []string
	for _, p := range s.packages {
		paths = append(paths, p.ImportPath)
	}
	b, err := Load(t.Context(), dir, paths, "")
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// measured reports for each benchmark whether it would be measured.
func (s *subject) measured(t *testing.T, base, head *Build) []bool {
	t.Helper()
	differences := map[string]*Difference{}
	for _, p := range s.packages {
		d, err := Compare(base, head, p.ImportPath)
		if err != nil {
			t.Logf("all of %s: %v", p.ImportPath, err)
		}
		differences[p.ImportPath] = d
	}
	out := make([]bool, len(s.benchmarks))
	for i, b := range s.benchmarks {
		d := differences[b.pkg]
		out[i] = d == nil || d.Reaches(b.name) != ""
	}
	return out
}

func (s *subject) anyRuns(f function) bool {
	return slices.ContainsFunc(s.benchmarks, func(b benchmark) bool { return b.runs[f.key()] })
}

// find finds the module's functions, and its packages with benchmarks.
func (s *subject) find(t *testing.T) {
	t.Helper()
	var err error
	if s.packages, err = gotool.BenchmarkPackages(context.Background(), s.dir, nil, nil); err != nil {
		t.Fatal(err)
	}
	list := goCommand(t, s.dir, "list", "-f", `{{$d := .Dir}}{{range .GoFiles}}{{$d}}/{{.}}{{"\n"}}{{end}}`, "./...")
	for file := range strings.FieldsSeq(list) {
		set := token.NewFileSet()
		parsed, err := parser.ParseFile(set, file, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		below, err := filepath.Rel(s.dir, file)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range parsed.Decls {
			if f, ok := d.(*ast.FuncDecl); ok && f.Body != nil && f.Name.Name != "main" {
				s.functions = append(s.functions, function{filepath.ToSlash(below), parsed.Name.Name + "." + f.Name.Name,
					set.Position(f.Body.Lbrace).Offset + 1, set.Position(f.Pos()).Line, set.Position(f.End()).Line})
			}
		}
	}
}

// cover runs each benchmark once to see which functions it runs.
func (s *subject) cover(t *testing.T) {
	t.Helper()
	module := strings.TrimSpace(goCommand(t, s.dir, "list", "-m"))
	for i, p := range s.packages {
		binary := filepath.Join(t.TempDir(), strconv.Itoa(i)+".test")
		goCommand(t, s.dir, "test", "-c", "-cover", "-coverpkg=./...", "-o", binary, p.ImportPath)
		declared := slices.Compact(slices.Sorted(slices.Values(p.Declared())))
		for _, name := range declared {
			profile := filepath.Join(t.TempDir(), "profile")
			cmd := exec.Command(binary, "-test.run=^$", "-test.bench=^Benchmark"+name+"$", "-test.benchtime=1x", "-test.coverprofile="+profile)
			cmd.Dir = p.Dir
			out, err := cmd.CombinedOutput()
			if err != nil || !bytes.Contains(out, []byte("Benchmark"+name)) {
				t.Logf("Benchmark%s of %s does not run: %v", name, p.ImportPath, err)
				continue
			}
			s.benchmarks = append(s.benchmarks, benchmark{p.ImportPath, name, s.ran(t, module, profile)})
		}
	}
	if len(s.benchmarks) == 0 {
		t.Fatal("no benchmark runs")
	}
}

var profileLine = regexp.MustCompile(`^(.+):(\d+)\.\d+,(\d+)\.\d+ \d+ (\d+)$`)

// ran returns the keys of the functions executed according to a coverage profile.
func (s *subject) ran(t *testing.T, module, profile string) map[string]bool {
	t.Helper()
	text, err := os.ReadFile(profile)
	if err != nil {
		t.Fatal(err)
	}
	lines := map[string][]int{} // by file, the lines in which executed blocks begin
	for line := range strings.Lines(string(text)) {
		if m := profileLine.FindStringSubmatch(strings.TrimSpace(line)); m != nil && m[4] != "0" {
			at, _ := strconv.Atoi(m[2])
			file := strings.TrimPrefix(m[1], module+"/")
			lines[file] = append(lines[file], at)
		}
	}
	ran := map[string]bool{}
	for _, f := range s.functions {
		if slices.ContainsFunc(lines[f.file], func(at int) bool { return at >= f.start && at <= f.end }) {
			ran[f.key()] = true
		}
	}
	return ran
}

// countCalls makes a function count its calls.
func countCalls(t *testing.T, dir string, f function) {
	t.Helper()
	file := filepath.Join(dir, filepath.FromSlash(f.file))
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	edited := string(text[:f.body]) + " perftrackSeeded++; " + string(text[f.body:])
	pkg, _, _ := strings.Cut(f.name, ".")
	writeFiles(t, dir, map[string]string{
		f.file: edited,
		path.Join(path.Dir(f.file), "perftrack_seeded.go"): fmt.Sprintf("package %s\n\nvar perftrackSeeded int\n", pkg),
	})
}

func copyOf(t *testing.T, dir string) string {
	t.Helper()
	to, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	if err := os.CopyFS(to, os.DirFS(dir)); err != nil {
		t.Fatal(err)
	}
	return to
}

func goCommand(t *testing.T, dir string, args ...string) string {
	t.Helper()
	cmd := exec.Command("go", args...)
	cmd.Dir = dir
	var errors strings.Builder
	cmd.Stderr = &errors
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("go %s: %v\n%s", strings.Join(args, " "), err, errors.String())
	}
	return string(out)
}
