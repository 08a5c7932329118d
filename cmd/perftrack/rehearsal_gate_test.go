package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/artifact"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/githubtest"
)

// Pull requests keep, add or remove benchmarks in a repository with several targets.
func TestRehearsalOfCoverage(t *testing.T) {
	live(t)
	newRehearsal(t, playedGoBeside(t)).rehearseCoverage()
}

// playedGoBeside is like playedGo, but its go command passes everything except go build to the real
// one.
func playedGoBeside(t *testing.T) string {
	t.Helper()
	real, err := exec.LookPath("go")
	if err != nil {
		t.Fatal(err)
	}
	played := playedGo(t)
	played, _, _ = strings.Cut(played, string(os.PathListSeparator))
	dir := t.TempDir()
	script := "#!/bin/sh\n[ \"$1\" != build ] || exec '" + filepath.Join(played, "go") + "' \"$@\"\nexec '" + real + "' \"$@\"\n"
	if err := os.WriteFile(filepath.Join(dir, "go"), []byte(script), 0o755); err != nil {
		t.Fatal(err)
	}
	return dir + string(os.PathListSeparator) + os.Getenv("PATH")
}

// goPackage writes a package with a benchmark that reports the given cost.
func (r *rehearsal) goPackage(dir, folder, name string, cost int) {
	r.t.Helper()
	pkg := filepath.Base(folder)
	if err := os.MkdirAll(filepath.Join(dir, folder), 0o755); err != nil {
		r.t.Fatal(err)
	}
	r.write(dir, filepath.Join(folder, "cost.go"), fmt.Sprintf("package %s\n\nfunc cost() float64 { return %d }\n", pkg, cost))
	r.write(dir, filepath.Join(folder, "cost_test.go"), fmt.Sprintf(
		"package %s\n\nimport (\n\t\"testing\"\n\t\"time\"\n)\n\nfunc Benchmark%s(b *testing.B) {\n\tb.ReportMetric(cost()+float64(time.Now().Nanosecond()%%10), \"ns/op\")\n}\n", pkg, name))
}

func (r *rehearsal) rehearseCoverage() {
	config := ""
	for _, target := range []string{"one", "two"} {
		config += fmt.Sprintf("[[target]]\nname = %q\nkind = \"gotest\"\npackages = [\"./%s/...\"]\nlayout = \"accept\"\nbenchtime = \"1x\"\n", target, target)
	}
	m := r.maintainer
	r.write(m, "perftrack.toml", config)
	r.write(m, "go.mod", "module example.com/mono\n\ngo 1.24\n")
	r.goPackage(m, "one", "One", 1000)
	r.goPackage(m, "two", "Two", 1000)
	r.goPackage(m, "two/sub", "Sub", 1000)
	r.commit(m, "Measure Go packages")
	r.git(m, "push", "-q", "origin", "HEAD:main")
	r.git(r.contributor, "pull", "-q", "origin", "main")

	for _, tt := range []struct {
		name    string
		change  func(dir string)
		measure string // exit code
		status  string
		comment string // part of the comment, or ""
	}{
		{"the documentation", func(dir string) { r.write(dir, "README", "To be read.\n") },
			"0", "success: no benchmark's code changed: there was nothing to measure", ""},
		{"one module of two", func(dir string) { r.goPackage(dir, "one", "One", 1300) },
			"1", "failure: 1 benchmark regressed, 2 with unchanged code", "both sides have the same machine code: 1 benchmark of `two example.com/mono/two/sub`"},
		{"nothing any more", func(dir string) { r.goPackage(dir, "one", "One", 1000) },
			"0", "success: no benchmark's code changed: there was nothing to measure", "### ✅ perftrack: no benchmark's code changed"},
		{"a package more", func(dir string) { r.goPackage(dir, "two/more", "More", 1000) },
			"0", "success: 1 benchmark new, 3 with unchanged code", "new in head: `two example.com/mono/two/more More`"},
		{"a package less", func(dir string) { r.git(dir, "rm", "-r", "-q", "two/sub", "two/more") },
			"0", "success: 1 benchmark missing, 2 with unchanged code", "missing in head: `two example.com/mono/two/sub Sub`"},
		{"the last package of a target less", func(dir string) { r.git(dir, "rm", "-r", "-q", "one") },
			"0", "success: 2 benchmarks missing, 1 with unchanged code", "missing in head: `one example.com/mono/one One`"},
		{"a target that does not build", func(dir string) {
			r.goPackage(dir, "one", "One", 1000)
			r.write(dir, "one/cost.go", "package one\n\nfunc cost() float64 { return nothing }\n")
		}, "2", "error: 1 package does not build in head, 1 benchmark missing, 1 with unchanged code", "one/cost.go:3:30: undefined: nothing`"},
	} {
		p := &proposal{r, 21, r.contributor, "contributor/repo", 2, "topic"}
		tt.change(r.contributor)
		p.push("Change " + tt.name)
		measured := p.play("perftrack-measure.yml", "pull_request", p.head(), p.event())
		r.equal(tt.name+": exit code", fmt.Sprint(measured.exit["Run perftrack"]), tt.measure)
		text, ok := p.artifacts[artifact.Name]
		if !ok {
			r.t.Fatalf("%s: no trial was left:\n%v", tt.name, measured.log)
		}
		p.hub.Zip = githubtest.Archive(r.t, artifact.FileName, text)
		c := p.told("completed", map[string]any{"conclusion": measured.conclusion})
		r.equal(tt.name+": commenting", c.conclusion, "success")
		if status := p.status(); !strings.HasPrefix(status, tt.status) {
			r.t.Errorf("%s: status %s, want %s", tt.name, status, tt.status)
		}
		body := ""
		for _, one := range p.hub.Ours() {
			body += one.Body
		}
		if !strings.Contains(body, tt.comment) || (body == "") != (tt.comment == "") {
			r.t.Errorf("%s: no %q in the comment:\n%s", tt.name, tt.comment, body)
		}
	}
}
