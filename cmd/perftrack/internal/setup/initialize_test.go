package setup

import (
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/workspacetest"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/modules"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/workspace"
	"github.com/perftrack/perftrack/runner/config"
)

func TestMain(m *testing.M) { workspacetest.Main(m) }

// This repository uses the workflows written by perftrack init, but its own code as the action in
// jobs that check it out.
func TestOwnWorkflows(t *testing.T) {
	root := filepath.Join("..", "..", "..", "..", ".github", "workflows")
	files, err := initFiles(Result{Branch: "main", On: config.OnPush, Tree: modules.Tree{GoModule: true}, CI: GitHub, Pages: true}, "ACTION")
	if err != nil {
		t.Fatal(err)
	}
	uses := regexp.MustCompile(`uses: (\./|perftrack/perftrack@` + pinnedCommit + `)\n`)
	for _, f := range files[1:] {
		text, err := os.ReadFile(filepath.Join(root, filepath.Base(f.path)))
		if err != nil {
			t.Fatal(err)
		}
		if got := uses.ReplaceAllString(string(text), "uses: perftrack/perftrack@ACTION\n"); got != f.text {
			t.Errorf("%s is not what perftrack init writes:\n%s\nwant\n%s", f.path, got, f.text)
		}
	}
}

// The pinned commit supports the inputs and commands used in the workflows. If it were older, the
// workflows would fail in every repository set up by perftrack init.
func TestPinnedCommitKnowsTheWorkflows(t *testing.T) {
	show := func(file string) string {
		out, err := exec.Command("git", "-C", filepath.Join("..", "..", "..", ".."), "show", pinnedCommit+":"+file).Output()
		if err != nil {
			t.Skipf("the history is not here: %v", err)
		}
		return string(out)
	}
	action, script := show("action.yml"), show(".github/action.sh")
	files, err := workflows.ReadDir("workflows")
	if err != nil {
		t.Fatal(err)
	}
	step := regexp.MustCompile(`(?m)uses: perftrack-action\n +with:\n((?: +[a-z-]+: .*\n)+)`)
	given := regexp.MustCompile(`(?m)^ +([a-z-]+): (.*)$`)
	steps := 0
	for _, f := range files {
		text, err := workflows.ReadFile("workflows/" + f.Name())
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range step.FindAllStringSubmatch(string(text), -1) {
			steps++
			for _, in := range given.FindAllStringSubmatch(m[1], -1) {
				if !regexp.MustCompile(`(?m)^  ` + in[1] + `:`).MatchString(action) {
					t.Errorf("%s gives the input %s, which the action of %s does not have", f.Name(), in[1], pinnedCommit)
				}
				if in[1] == "command" && !regexp.MustCompile(`(?m)^\t`+in[2]+`\)`).MatchString(script) {
					t.Errorf("%s asks for %s, which the action of %s does not know", f.Name(), in[2], pinnedCommit)
				}
			}
		}
	}
	if steps < 6 {
		t.Errorf("the workflows use the action in %d steps", steps)
	}
}

func TestFindModules(t *testing.T) {
	file := func(text string) *fstest.MapFile { return &fstest.MapFile{Data: []byte(text)} }
	const bench = "package x\n\nfunc BenchmarkA(b *testing.B) {}\n\nfunc Benchmark_b(tb *testing.B) {\n}\n"
	fsys := fstest.MapFS{
		"go.mod": file("module m"), "a_test.go": file(bench), "p/b_test.go": file("func BenchmarkC(b *testing.B) {"),
		"p/not_test.go": file("// func BenchmarkC(b *testing.B)\nfunc Benchmarks(b *testing.B) {}\nfunc BenchmarkD(x int) {}"),
		"p/real.go":     file(bench), "testdata/x_test.go": file(bench), "vendor/v/v_test.go": file(bench), ".hidden/h_test.go": file(bench),
		"sub/go.mod": file("module s"), "sub/deep/s_test.go": file(bench), "none/go.mod": file("module n"),
	}
	want := []modules.Module{{Dir: ".", Benchmarks: 3, Packages: 2}, {Dir: "sub", Benchmarks: 2, Packages: 1}}
	if got, err := modules.Find(fsys); err != nil || got.Workspace || !reflect.DeepEqual(got.Modules, want) {
		t.Errorf("%+v, %v, want %+v", got, err, want)
	}
	fsys["go.work"] = file("")
	if got, err := modules.Find(fsys); err != nil || !got.Workspace || !reflect.DeepEqual(got.Modules, want) {
		t.Errorf("in a workspace: %+v, %v, want %+v", got, err, want)
	}
}

// A module is covered if the go command in the root accepts its packages.
func TestCover(t *testing.T) {
	for work, want := range map[string][]bool{
		"":                            {true, false, false},
		"go 1.26\nuse ./a/b\n":        {false, true, false},
		"go 1.26\nuse (\n.\n./c\n)\n": {true, false, true},
		"go 1.26\n":                   {false, false, false},
	} {
		found := modules.Tree{Root: t.TempDir(), Workspace: work != "", Modules: []modules.Module{{Dir: "."}, {Dir: "a/b"}, {Dir: "c"}}}
		if err := os.WriteFile(filepath.Join(found.Root, "go.work"), []byte(work), 0o644); err != nil {
			t.Fatal(err)
		}
		if err := found.Cover(t.Context()); err != nil {
			t.Fatal(err)
		}
		for i, m := range found.Modules {
			if m.Covered != want[i] {
				t.Errorf("%q: %+v, want %v", work, m, want[i])
			}
		}
	}
}

// The command lists all uncovered modules on one line, whatever their names.
func TestWorkCommand(t *testing.T) {
	list := []modules.Module{{Dir: "a", Covered: true}, {Dir: "b/c"}, {Dir: "d\ne f"}}
	for want, found := range map[string]modules.Tree{
		`go work init ./b/c "./d\ne f"`:   {Modules: list},
		`go work init . ./b/c "./d\ne f"`: {Modules: list, GoModule: true},
		`go work use ./b/c "./d\ne f"`:    {Modules: list, GoModule: true, Workspace: true},
		`go work use .`:                   {Modules: []modules.Module{{Dir: "."}}, GoModule: true, Workspace: true},
		"":                                {Modules: list[:1]},
	} {
		if got := found.WorkCommand(); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
}

// perftrack can read the configuration written by perftrack init.
func TestInitialConfig(t *testing.T) {
	for _, list := range [][]modules.Module{nil, {{Dir: "out\n[[target]]", Benchmarks: 1, Packages: 1}}, {{Dir: ".", Benchmarks: 1, Packages: 1, Covered: true}, {Dir: "a b/x", Benchmarks: 1, Packages: 1, Covered: true}, {Dir: "c/x", Benchmarks: 1, Packages: 1, Covered: true}, {Dir: "out", Benchmarks: 1, Packages: 1}}} {
		text := configText(Result{Tree: modules.Tree{Root: t.TempDir(), Modules: list}, On: config.OnPush})
		c, err := config.Parse([]byte(text), "f")
		if err != nil {
			t.Fatalf("%v in\n%s", err, text)
		}
		if n := max(0, len(list)-1); len(c.Targets) != n || !reflect.DeepEqual(c.Defaults, config.Default().Defaults) {
			t.Errorf("%+v, want %d targets", c, n)
		}
	}
}

// The value of --on is also in the configuration.
func TestInitialOn(t *testing.T) {
	for _, on := range When {
		c, err := config.Parse([]byte(configText(Result{Tree: modules.Tree{Root: t.TempDir()}, On: on})), "f")
		if err != nil || c.Defaults.On != on {
			t.Errorf("%s: %+v, %v", on, c, err)
		}
		files, err := initFiles(Result{Branch: "main", On: on, CI: GitHub}, "ACTION")
		if err != nil {
			t.Error(err)
		}
		if want := map[string]int{config.OnComment: 5}[on]; len(files) != max(4, want) {
			t.Errorf("%s: %d files", on, len(files))
		}
		for _, f := range files {
			if strings.Contains(f.text, "setup-go") || strings.Contains(f.text, "cache:") {
				t.Errorf("%s: Go is set up where there is no go.mod:\n%s", on, f.text)
			}
			// A skipped run must not cancel another run, because this would leave a pending status.
			if own := "&& format('-{0}', github.run_id) || '' }}\n"; strings.HasSuffix(f.path, "perftrack-measure.yml") && !strings.Contains(f.text, own) {
				t.Errorf("%s: runs that measure nothing share a concurrency group:\n%s", on, f.text)
			}
			if strings.HasSuffix(f.path, "perftrack-comment.yml") && strings.Contains(f.text, "'skipped'") != (on == config.OnPush) {
				t.Errorf("%s: want a comment for skipped runs unless every push is measured:\n%s", on, f.text)
			}
		}
	}
	if _, err := Initialize(t.Context(), &workspace.Session{Dir: t.TempDir()}, Options{On: "demand"}); err == nil || !strings.Contains(err.Error(), "use push, label or comment") {
		t.Error(err)
	}
	dir := t.TempDir()
	if out, err := exec.Command("git", "init", "-q", dir).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	if _, err := Initialize(t.Context(), &workspace.Session{Dir: dir}, Options{CI: GitLab, On: config.OnLabel}); err == nil || !strings.Contains(err.Error(), "--on label works only on GitHub") {
		t.Error(err)
	}
}

// With several machines, each job has its own part, name and concurrency group. The other
// workflows, such as the judging one, stay the same.
func TestInitialShards(t *testing.T) {
	for _, on := range When {
		one, err := initFiles(Result{Branch: "main", On: on, CI: GitHub, Shards: 1}, "ACTION")
		if err != nil {
			t.Fatal(err)
		}
		four, err := initFiles(Result{Branch: "main", On: on, CI: GitHub, Shards: 4}, "ACTION")
		if err != nil {
			t.Fatal(err)
		}
		for i, f := range four {
			measures := strings.HasSuffix(f.path, "perftrack-measure.yml") || strings.HasSuffix(f.path, "perftrack-demand.yml")
			if (f.text != one[i].text) != measures {
				t.Errorf("%s, %s: differs from that of one machine: %v", on, f.path, !measures)
			}
			if !measures {
				continue
			}
			for _, want := range []string{"      fail-fast: false\n      matrix:\n        shard: [1, 2, 3, 4]\n", "          shard: ${{ matrix.shard }}\n          shards: 4\n"} {
				if strings.Count(f.text, want) != 1 {
					t.Errorf("%s, %s has no %q:\n%s", on, f.path, want, f.text)
				}
			}
			if strings.Contains(f.text, "group: perftrack-demand-") && !strings.Contains(f.text, "outputs.pull }}-${{ matrix.shard }}\n") {
				t.Errorf("%s: the parts cancel each other:\n%s", f.path, f.text)
			}
		}
	}
	for _, n := range []int{-1, 0, 65} {
		if err := CheckShards(n); err == nil || !strings.Contains(err.Error(), "use 1 (a single machine) to 64") {
			t.Errorf("%d: %v", n, err)
		}
	}
	dir := t.TempDir()
	if out, err := exec.Command("git", "init", "-q", dir).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	for _, ci := range []CI{GitLab, Forgejo, Generic} {
		if _, err := Initialize(t.Context(), &workspace.Session{Dir: dir}, Options{CI: ci, Shards: 4}); err == nil || !strings.Contains(err.Error(), "--shards works only on GitHub") {
			t.Errorf("%s: %v", ci, err)
		}
	}
}

// perftrack init never writes outside the repository, even through symbolic links.
func TestInitializeStaysInside(t *testing.T) {
	dir, outside := t.TempDir(), t.TempDir()
	if out, err := exec.Command("git", "init", "-q", dir).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	if err := os.Symlink(outside, filepath.Join(dir, ".github")); err != nil {
		t.Fatal(err)
	}
	a := &workspace.Session{Dir: dir}
	_, err := Initialize(t.Context(), a, Options{CI: GitHub, Action: strings.Repeat("a", 40)})
	if err == nil {
		t.Error("wrote through a link")
	}
	if entries, _ := os.ReadDir(outside); len(entries) > 0 {
		t.Errorf("wrote %v", entries)
	}
}

// With --pages, there is a workflow for the page. perftrack.toml contains the address of the page.
func TestInitialPages(t *testing.T) {
	for _, pages := range []bool{false, true} {
		files, err := initFiles(Result{Branch: "trunk", CI: GitHub, Pages: pages, Site: "https://o.github.io/r"}, "ACTION")
		if err != nil {
			t.Fatal(err)
		}
		var text string
		for _, f := range files {
			if strings.HasSuffix(f.path, pagesWorkflow) {
				text = f.text
			}
		}
		if (text != "") != pages {
			t.Errorf("--pages=%v: %q", pages, text)
		}
		if pages && !strings.Contains(text, `    branches: ["trunk"]`+"\n") {
			t.Errorf("the branch is another one:\n%s", text)
		}
		c, err := config.Parse([]byte(files[0].text), "f")
		if err != nil || c.Defaults.Site != "https://o.github.io/r" {
			t.Errorf("%v, %+v", err, c)
		}
	}
	for web, want := range map[string]string{
		"https://github.com/Owner/name":            "https://owner.github.io/name",
		"https://github.com/owner/Owner.github.io": "https://owner.github.io",
		"https://github.com/owner/a/b":             "",
		"https://github.com/owner":                 "",
		"https://github.com.evil.test/owner/name":  "",
		"https://gitlab.com/owner/name":            "",
		"":                                         "",
	} {
		if got := pagesOf(web); got != want {
			t.Errorf("%s: %q, want %q", web, got, want)
		}
	}
}
