package vet_test

import (
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/perftrack/perftrack/runner/vet"
	"github.com/perftrack/perftrack/runner/vet/load"
)

// Instrumented inserts a println call for each error ignored by a benchmark.
func TestInstrumented(t *testing.T) {
	dir, err := filepath.Abs(filepath.Join("testdata", "seeded"))
	if err != nil {
		t.Fatal(err)
	}
	packages, err := load.Packages(t.Context(), dir, []string{"."})
	if err != nil || len(packages) != 1 {
		t.Fatalf("%d packages, %v", len(packages), err)
	}
	p := packages[0]
	p.Findings()
	p.Findings() // the second call replaces the edits of the first
	files, err := p.Instrumented()
	if err != nil {
		t.Fatal(err)
	}
	text := string(files[filepath.Join(dir, "edge_test.go")])
	_, text, _ = strings.Cut(text, "func BenchmarkIgnores")
	text, _, _ = strings.Cut(text, "\nfunc ")
	text = regexp.MustCompile(`perftrackIgnored\d+`).ReplaceAllString(text, "e")
	text = regexp.MustCompile(`edge_test.go:\d+:`).ReplaceAllString(text, "L:")
	show := `; if e != nil && e.Error() != "EOF" { println("perftrack-ignored-error L:", e.Error()) }`
	for _, want := range []string{
		`n, e := strconv.Atoi("x")` + show,
		`var e error; e = json.Unmarshal([]byte("}"), &v)` + show,
		`var e error; _, e = strconv.Atoi("7")` + show,
		`e := json.Unmarshal([]byte("{}"), &v)` + show,
		`_, e := strconv.ParseBool("maybe")` + show,
		`var e error; e = errors.New("x")` + show,
	} {
		if n := strings.Count(text, want); n != 1 {
			t.Errorf("%d times %s", n, want)
		}
	}
	if strings.Count(text, show) != 6 {
		t.Errorf("more than that:\n%s", text)
	}
	if _, there := files[filepath.Join(dir, "work.go")]; there {
		t.Error("a file that is not changed is there, too")
	}
}

func TestShown(t *testing.T) {
	f := vet.Finding{Rule: vet.IgnoredError, File: "/m/x_test.go", Line: 7}
	for _, c := range []struct{ output, want string }{
		{"", ""},
		{"perftrack-ignored-error x_test.go:7: no such file \nmore", "no such file"},
		{"perftrack-ignored-error x_test.go:71: no\nperftrack-ignored-error y_test.go:7: no", ""},
	} {
		if got := vet.Shown(c.output, f); got != c.want {
			t.Errorf("Shown(%q) = %q, want %q", c.output, got, c.want)
		}
	}
	idle := func(times int, name string) string {
		return strings.Repeat("perftrack-nothing-done x_test.go:7: "+name+"\n", times)
	}
	f.Rule = vet.Idle
	for _, c := range []struct{ output, want string }{
		{idle(2, "BenchmarkX"), ""}, // a container that is empty at first, or in every other operation
		{idle(2, "BenchmarkX/a") + idle(3, "BenchmarkX/b"), "X/b"},
		{idle(5, "BenchmarkX/4"), "X/4"},
		{idle(5, "BenchmarkX/0"), ""}, // empty on purpose
		{idle(5, "BenchmarkX/n=0-8"), ""},
		{idle(5, "BenchmarkX/n=10-8"), "X/n=10-8"},
		{idle(5, "BenchmarkEmptyMap"), ""},
	} {
		if got := vet.Shown(c.output, f); got != c.want {
			t.Errorf("Shown(%q) = %q, want %q", c.output, got, c.want)
		}
	}
}

// For these rules, the confidence in a finding depends on the code around it.
func TestConfidence(t *testing.T) {
	packages, err := load.Packages(t.Context(), filepath.Join("testdata", "seeded"), []string{"."})
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]vet.Confidence{}
	for _, p := range packages {
		for _, f := range p.Findings() {
			got[f.Benchmark+" "+string(f.Rule)] = f.Sure
		}
	}
	for _, c := range []struct {
		key  string
		want vet.Confidence
	}{
		{"BenchmarkPrints prints", vet.Certain},
		{"BenchmarkPrintsSometimes prints", vet.Possible},
		{"BenchmarkReturns left-early", vet.Certain},
		{"BenchmarkBreaks left-early", vet.Likely},
		{"BenchmarkGivesUp timer-stopped", vet.Possible},
		{"input timer-stopped", vet.Likely},
		{"BenchmarkMatch setup-in-loop", vet.Likely},
		{"BenchmarkSum setup-in-loop", vet.Possible},
		{"BenchmarkRandom random-input", vet.Possible},
		{"BenchmarkClockSeed random-input", vet.Likely},
	} {
		if sure, found := got[c.key]; !found || sure != c.want {
			t.Errorf("%s: %v (found: %t), want %v", c.key, sure, found, c.want)
		}
	}
}
