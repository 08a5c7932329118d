package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/console"
)

// The data.js of a project that used github-action-benchmark for half a year becomes a history, in
// which the two commits that changed the speed are found, and the page has them.
//
// PERFTRACK_TRACKER_PAGE names a folder for data.js and the page, to look at them beside the page of
// github-action-benchmark.
func TestTrackerHistory(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("XDG_CACHE_HOME", filepath.Join(dir, ".cache"))
	t.Setenv("PERFTRACK_DB", filepath.Join(dir, "perf.db"))
	commits := commitMonths(t, dir, 120)
	t.Chdir(dir)
	const slower, faster = 45, 90 // indexes of the commits
	data := dataJS(commits, slower, faster)
	if err := os.WriteFile("data.js", data, 0o644); err != nil {
		t.Fatal(err)
	}

	out := perftrack(t, 0, "import", "--target", "lib", "data.js")
	want := fmt.Sprintf("120 added, 0 already present; 120 commits from %.12s of 2026-01-01 to %.12s of 2026-06-28, 6 benchmarks\n", commits[0].sha, commits[119].sha)
	if !strings.Contains(out, want) {
		t.Errorf("import printed %.300s..., want %s", out, want)
	}
	if out := perftrack(t, 0, "import", "--target", "lib", "data.js"); !strings.Contains(out, "0 added, 120 already present") {
		t.Errorf("imported again: %.300s", out)
	}

	text := perftrack(t, 0, "history", "parse_json")
	for _, step := range []string{
		fmt.Sprintf(`(?m)^regressed +sec/op +\+1[0-9]\.[0-9]+ %% .* %.12s  %.12s `, commits[slower-1].sha, commits[slower].sha),
		fmt.Sprintf(`(?m)^improved +sec/op +-2[0-9]\.[0-9]+ %% .* %.12s  %.12s `, commits[faster-1].sha, commits[faster].sha),
	} {
		if !regexp.MustCompile(step).MatchString(text) {
			t.Errorf("no %s in\n%s", step, text)
		}
	}
	steady := perftrack(t, 0, "history", "print_json")
	if regexp.MustCompile(`(?m)^(regressed|improved|changed)`).MatchString(steady) {
		t.Errorf("a step of a benchmark without one:\n%s", steady)
	}

	page := "page"
	if at := os.Getenv("PERFTRACK_TRACKER_PAGE"); at != "" {
		page = filepath.Join(at, "perftrack")
		if err := os.WriteFile(filepath.Join(at, "data.js"), data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	perftrack(t, 0, "report", "--format", "html", "-o", page, "--title", "lib")
	all := ""
	err := filepath.WalkDir(filepath.Join(page, "data"), func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
		all += string(text)
		return err
	})
	if err != nil || !strings.Contains(all, commits[slower].sha) || !strings.Contains(all, `"parse_json"`) {
		t.Errorf("the page of %d bytes lacks the step, %v", len(all), err)
	}
}

// perftrack runs a command in this process and returns its output.
func perftrack(t *testing.T, code int, args ...string) string {
	t.Helper()
	var stdout, stderr bytes.Buffer
	term := &console.Console{Stdin: strings.NewReader(""), Stdout: &stdout, Stderr: &stderr}
	root := newRootCommand(term)
	root.SetArgs(args)
	if got := term.Exit(t.Context(), root.ExecuteContext(t.Context())); got != code {
		t.Fatalf("perftrack %s: exit status %d\n%s", strings.Join(args, " "), got, stderr.String())
	}
	return stdout.String()
}

type monthsCommit struct {
	sha, message string
	time         time.Time
}

// commitMonths makes a repository with n commits, one every 36 hours.
func commitMonths(t *testing.T, dir string, n int) []monthsCommit {
	t.Helper()
	git := func(stdin string, args ...string) string {
		c := exec.CommandContext(t.Context(), "git", args...)
		c.Dir, c.Stdin = dir, strings.NewReader(stdin)
		out, err := c.Output()
		if err != nil {
			t.Fatalf("git %v: %v", args, err)
		}
		return string(out)
	}
	var commits []monthsCommit
	var stream strings.Builder
	for i := range n {
		c := monthsCommit{message: fmt.Sprintf("Change %d", i+1), time: time.Date(2026, 1, 1, 8, 0, 0, 0, time.UTC).Add(time.Duration(i) * 36 * time.Hour)}
		fmt.Fprintf(&stream, "commit refs/heads/main\ncommitter T <t@example.com> %d +0000\ndata %d\n%s\n", c.time.Unix(), len(c.message), c.message)
		commits = append(commits, c)
	}
	git("", "init", "-q", "--initial-branch=main")
	git(stream.String(), "fast-import", "--quiet")
	for i, sha := range strings.Fields(git("", "rev-list", "--reverse", "main")) {
		commits[i].sha = sha
	}
	return commits
}

// dataJS is what github-action-benchmark would have written. At commit slower, parse json became
// 15 % slower, and at commit faster, 25 % faster.
func dataJS(commits []monthsCommit, slower, faster int) []byte {
	type object = map[string]any
	noise := rand.New(rand.NewPCG(30, 1))
	around := func(center, spread float64) float64 {
		return math.Round(center*math.Exp(spread*noise.NormFloat64())*100) / 100
	}
	entry := func(c monthsCommit, tool string, benches ...object) object {
		person := object{"email": "t@example.com", "name": "T", "username": "t"}
		return object{
			"commit": object{
				"author": person, "committer": person, "distinct": true, "id": c.sha, "message": c.message,
				"timestamp": c.time.Format(time.RFC3339), "tree_id": c.sha, "url": "https://example.com/lib/commit/" + c.sha,
			},
			"date": c.time.Add(10 * time.Minute).UnixMilli(), "tool": tool, "benches": benches,
		}
	}
	var rust, python []object
	for i, c := range commits {
		level := 1.0
		if i >= slower {
			level = 1.15
		}
		if i >= faster {
			level *= 0.75
		}
		rust = append(rust, entry(c, "cargo",
			object{"name": "parse json", "value": around(184_000*level, 0.012), "range": fmt.Sprintf("± %.0f", around(2500, 0.3)), "unit": "ns/iter"},
			object{"name": "print json", "value": around(92_400, 0.015), "range": fmt.Sprintf("± %.0f", around(1800, 0.3)), "unit": "ns/iter"},
			object{"name": "tokenize a large file with many unicode escapes", "value": around(1_310_000, 0.02), "range": fmt.Sprintf("± %.0f", around(40_000, 0.3)), "unit": "ns/iter"}))
		python = append(python, entry(c, "customBiggerIsBetter",
			object{"name": "Requests per second", "value": around(8200/level, 0.02), "unit": "req/s"},
			object{"name": "Cache hits", "value": around(93, 0.005), "unit": "Percent", "extra": "of 1000 lookups"},
			object{"name": "Score", "value": around(410, 0.01), "unit": ""}))
	}
	doc := object{"lastUpdate": commits[len(commits)-1].time.UnixMilli(), "repoUrl": "https://example.com/lib", "entries": object{"Rust Benchmark": rust, "Server": python}}
	text, err := json.MarshalIndent(doc, "", "  ")
	if err != nil {
		panic(err)
	}
	return append([]byte("window.BENCHMARK_DATA = "), text...)
}
