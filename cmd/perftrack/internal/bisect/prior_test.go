package bisect

import (
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/measure"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/workspace"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/workspacetest"
)

func TestMain(m *testing.M) { workspacetest.Main(m) }

// A commit with changes to a package of the benchmark's build, or to the requirements of the
// module, gets a higher prior than other commits.
func TestPriors(t *testing.T) {
	goCache, err := exec.Command("go", "env", "GOCACHE").Output()
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv("GOCACHE", strings.TrimSpace(string(goCache)))
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	t.Setenv("GOFLAGS", "")
	t.Setenv("GIT_CONFIG_GLOBAL", os.DevNull)
	repo := t.TempDir()
	git := func(args ...string) {
		t.Helper()
		c := exec.Command("git", append([]string{"-C", repo, "-c", "user.name=T", "-c", "user.email=t@example.com"}, args...)...)
		if out, err := c.CombinedOutput(); err != nil {
			t.Fatalf("git %v: %v\n%s", args, err, out)
		}
	}
	commit := func(file, text string) {
		t.Helper()
		path := filepath.Join(repo, file)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		git("add", ".")
		git("commit", "-q", "-m", file)
	}
	git("init", "-q")
	commit("mod/go.mod", "module example.com/m\n\ngo 1.26\n")
	commit("mod/leaf/leaf.go", "package leaf\n\nfunc F() {}\n")
	commit("mod/fixture/fixture.go", "package fixture\n\nfunc F() {}\n")
	commit("mod/other/other.go", "package other\n")
	commit("mod/codec/codec.go", "package codec\n\nimport \"example.com/m/leaf\"\n\nfunc F() { leaf.F() }\n")
	commit("mod/codec/codec_test.go", "package codec\n\nimport (\n\t\"testing\"\n\n\t\"example.com/m/fixture\"\n)\n\nfunc BenchmarkF(b *testing.B) {\n\tfor b.Loop() {\n\t\tfixture.F()\n\t\tF()\n\t}\n}\n")
	git("tag", "good")
	const no, yes = 1.0, float64(dependencyWeight)
	line := []struct {
		file, text string
		want       float64
	}{
		{"mod/codec/codec.go", "package codec\n\nimport \"example.com/m/leaf\"\n\n// F calls.\nfunc F() { leaf.F() }\n", yes},
		{"mod/other/other.go", "package other\n\nconst N = 1\n", no},
		{"mod/leaf/leaf.go", "package leaf\n\n// F does nothing.\nfunc F() {}\n", yes},   // imported by a package of the benchmark
		{"mod/fixture/fixture.go", "package fixture\n\n// F.\nfunc F() {}\n", yes},       // imported only by the test
		{"mod/leaf/testdata/in.txt", "1\n", no},                                          // not a file of the package
		{"mod/leaf/deeper/deeper.go", "package deeper\n", no},                            // a package below it
		{"leaf/leaf.go", "package leaf\n", no},                                           // a folder with the same name outside the module
		{"mod/go.mod", "module example.com/m\n\ngo 1.26\n\n// nothing is needed\n", yes}, // other requirements of the module
		{"mod/codec/codec_test.go", "package codec\n\nimport (\n\t\"testing\"\n\n\t\"example.com/m/fixture\"\n)\n\nfunc BenchmarkF(b *testing.B) {\n\tfor b.Loop() {\n\t\tF()\n\t\tfixture.F()\n\t}\n}\n", yes},
		{"README.md", "m\n", no},
	}
	var want []float64
	for _, c := range line {
		commit(c.file, c.text)
		want = append(want, c.want)
	}
	a := &workspace.Session{Dir: filepath.Join(repo, "mod"), Now: time.Now, Rand: rand.New(rand.NewPCG(1, 1)), Notice: func(text string) { t.Errorf("notice: %s", text) }}
	b, closeAll, err := openBisection(t.Context(), a, Options{Flags: measure.Flags{Bench: "F"}})
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := closeAll(); err != nil {
			t.Error(err)
		}
	}()
	s := &Search{bisection: b}
	if err := s.open(t.Context(), "good..HEAD"); err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(s.weights, want) {
		t.Errorf("weights %v, want %v", s.weights, want)
	}
}
