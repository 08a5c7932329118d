package vet_test

import (
	"bufio"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/perftrack/perftrack/runner/proc"
	"github.com/perftrack/perftrack/runner/vet"
	"github.com/perftrack/perftrack/runner/vet/load"
)

func TestMain(m *testing.M) {
	proc.Supervise()
	code := m.Run()
	proc.Dismiss()
	os.Exit(code)
}

var mark = regexp.MustCompile(`\b(want|suspect) ([a-z-]+)`)

// The module in testdata has faults, each marked with the rule that finds it. Nothing else may be
// found or suspected there.
func TestFindings(t *testing.T) {
	dir := filepath.Join("testdata", "seeded")
	packages, err := load.Packages(t.Context(), dir, []string{"./..."})
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]bool{}
	rules := map[vet.Rule]bool{}
	for _, p := range packages {
		if p.Incomplete != nil {
			t.Errorf("%s: %v", p.ImportPath, p.Incomplete)
		}
		for _, f := range p.Findings() {
			kind := "want"
			if f.Sure == vet.Suspected {
				kind = "suspect"
			}
			got[fmt.Sprintf("%s:%d %s %s", filepath.Base(f.File), f.Line, kind, f.Rule)] = true
			rules[f.Rule] = true
			if f.Found == "" || f.Remedy == "" || f.Benchmark == "" {
				t.Errorf("a finding without words: %+v", f)
			}
		}
	}
	want := map[string]bool{}
	files, err := filepath.Glob(filepath.Join(dir, "*_test.go"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		found := marks(t, file)
		for key := range found {
			if strings.HasPrefix(key, "sound") && strings.Contains(key, " want ") {
				t.Errorf("%s: in a file without faults", key)
			}
		}
		maps.Copy(want, found)
	}
	for _, key := range slices.Sorted(maps.Keys(want)) {
		if !got[key] {
			t.Errorf("not found: %s", key)
		}
	}
	for _, key := range slices.Sorted(maps.Keys(got)) {
		if !want[key] {
			t.Errorf("found, though it is none: %s", key)
		}
	}
	if len(rules) != len(vet.Analyzers()) {
		t.Errorf("%d rules found something, want all %d", len(rules), len(vet.Analyzers()))
	}
}

func marks(t *testing.T, path string) map[string]bool {
	file, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	found := map[string]bool{}
	lines := bufio.NewScanner(file)
	for n := 1; lines.Scan(); n++ {
		_, comment, _ := strings.Cut(lines.Text(), "// ")
		for _, m := range mark.FindAllStringSubmatch(comment, -1) {
			found[fmt.Sprintf("%s:%d %s %s", filepath.Base(path), n, m[1], m[2])] = true
		}
	}
	return found
}
