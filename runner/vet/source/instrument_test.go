package source

import (
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestInstrumented looks at what becomes of a benchmark that ignores errors.
func TestInstrumented(t *testing.T) {
	dir, err := filepath.Abs(filepath.Join("testdata", "seeded"))
	if err != nil {
		t.Fatal(err)
	}
	packages, err := Load(t.Context(), dir, []string{"."})
	if err != nil || len(packages) != 1 {
		t.Fatalf("%d packages, %v", len(packages), err)
	}
	p := packages[0]
	p.Findings()
	p.Findings() // the second time replaces what the first left
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
	f := Finding{Rule: IgnoredError, File: "/m/x_test.go", Line: 7}
	for _, c := range []struct{ output, want string }{
		{"", ""},
		{"perftrack-ignored-error x_test.go:7: no such file \nmore", "no such file"},
		{"perftrack-ignored-error x_test.go:71: no\nperftrack-ignored-error y_test.go:7: no", ""},
	} {
		if got := Shown(c.output, f); got != c.want {
			t.Errorf("Shown(%q) = %q, want %q", c.output, got, c.want)
		}
	}
	idle := func(times int, name string) string {
		return strings.Repeat("perftrack-nothing-done x_test.go:7: "+name+"\n", times)
	}
	f.Rule = Idle
	for _, c := range []struct{ output, want string }{
		{idle(2, "BenchmarkX"), ""}, // one that begins at nothing, or alternates
		{idle(2, "BenchmarkX/a") + idle(3, "BenchmarkX/b"), "X/b"},
		{idle(5, "BenchmarkX/4"), "X/4"},
		{idle(5, "BenchmarkX/0"), ""}, // meant
		{idle(5, "BenchmarkX/n=0-8"), ""},
		{idle(5, "BenchmarkX/n=10-8"), "X/n=10-8"},
		{idle(5, "BenchmarkEmptyMap"), ""},
	} {
		if got := Shown(c.output, f); got != c.want {
			t.Errorf("Shown(%q) = %q, want %q", c.output, got, c.want)
		}
	}
}

// TestConfidence has rules of which it depends on the place how sure they are.
func TestConfidence(t *testing.T) {
	packages, err := Load(t.Context(), filepath.Join("testdata", "seeded"), []string{"."})
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]Confidence{}
	for _, p := range packages {
		for _, f := range p.Findings() {
			got[f.Benchmark+" "+string(f.Rule)+" "+strings.SplitN(f.Found, " ", 3)[1]] = f.Sure
		}
	}
	for _, c := range []struct {
		key  string
		want Confidence
	}{
		{"BenchmarkPrints prints is", Certain},
		{"BenchmarkPrintsSometimes prints is", Possible},
		{"BenchmarkReturns left-early loop", Certain},
		{"BenchmarkBreaks left-early loop", Likely},
		{"BenchmarkGivesUp timer-stopped timer", Possible},
		{"input timer-stopped timer", Likely},
		{"BenchmarkMatch setup-in-loop prepares", Likely},
		{"BenchmarkSum setup-in-loop prepares", Possible},
		{"BenchmarkRandom random-input process", Possible},
		{"BenchmarkClockSeed random-input clock", Likely},
	} {
		if sure, found := got[c.key]; !found || sure != c.want {
			t.Errorf("%s: %v (found: %t), want %v", c.key, sure, found, c.want)
		}
	}
}
