package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
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

var diagnostic = regexp.MustCompile(`(?m)([a-z]+_test\.go):(\d+):\d+: (.*)$`)

// go vet reports the likely and certain findings of perftrack vet.
func TestGoVet(t *testing.T) {
	dir := filepath.Join("..", "testdata", "seeded")
	tool := filepath.Join(t.TempDir(), "perftrack-vet")
	if out, err := exec.Command("go", "build", "-o", tool, ".").CombinedOutput(); err != nil {
		t.Fatalf("go build: %v\n%s", err, out)
	}
	packages, err := load.Packages(t.Context(), dir, []string{"./..."})
	if err != nil {
		t.Fatal(err)
	}
	var want []string
	for _, p := range packages {
		for _, f := range p.Findings() {
			if f.Sure >= vet.Likely {
				want = append(want, fmt.Sprintf("%s:%d: %s (instead: %s)", filepath.Base(f.File), f.Line, f.Found, f.Remedy))
			}
		}
	}
	c := exec.Command("go", "vet", "-vettool="+tool, "./...")
	c.Dir = dir
	out, err := c.CombinedOutput()
	if err == nil {
		t.Error("go vet exited 0")
	}
	var got []string
	for _, m := range diagnostic.FindAllStringSubmatch(string(out), -1) {
		got = append(got, fmt.Sprintf("%s:%s: %s", m[1], m[2], m[3]))
	}
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) || len(want) < 30 {
		t.Errorf("go vet printed\n%s\nwant\n%q", out, want)
	}
}
