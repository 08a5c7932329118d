package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/perftrack/perftrack/runner/proc"
)

// An isolated trial is measured in slices as usual, and its benchmarks see no token (not even the
// shell's), no network, none of the user's files and no database, and cannot change a checkout.
func TestLiveIsolate(t *testing.T) {
	live(t)
	if err := proc.Boxable(t.Context()); err != nil {
		t.Skip(err)
	}
	v := newVictim(t)
	v.env = append(v.env, "GOCACHE="+goEnv("GOCACHE"), "GOMODCACHE="+goEnv("GOMODCACHE"), "GOTOOLCHAIN=local", "GOFLAGS=")
	spy, err := os.ReadFile(filepath.Join("testdata", "isolate", "bench.go.txt"))
	if err != nil {
		t.Fatal(err)
	}
	writeFile(t, filepath.Join(filepath.Dir(v.repo), ".secret"), "of the user", 0o600)
	v.git("rm", "-q", "bench.sh")
	v.write("go.mod", "module example.com/spy\n\ngo 1.24\n")
	v.write("work.go", "package spy\n\nfunc Work(n int) (s int) {\n\tfor i := range n {\n\t\ts += i * i\n\t}\n\treturn s\n}\n")
	v.write("spy_test.go", string(spy))
	const target = "[[target]]\nname = \"spy\"\nkind = \"gotest\"\nlayout = \"accept\"\n"
	v.write("perftrack.toml", "[defaults]\nisolate = true\n"+target)
	v.git("add", ".")
	v.git("commit", "-q", "-m", "base")
	v.write("work.go", "package spy\n\nfunc Work(n int) (s int) {\n\tfor i := range n {\n\t\ts += i*i + i&1\n\t}\n\treturn s\n}\n")
	v.write("spy_test.go", strings.Replace(string(spy), "sink = Work(500)", "sink = Work(501)", 1)) // measured by head's tests on both sides
	v.write("perftrack.toml", target)                                                               // check and explain ignore this file
	v.git("commit", "-q", "-a", "-m", "head")
	for i, tt := range []struct {
		line     string
		isolated bool
	}{
		{"run --against HEAD~1 --rounds 2 --isolate", true},
		{"run --against HEAD~1 --rounds 2", false},
		{"check --base HEAD~1 --head HEAD --bench Spy --benchtime 1ms", true},
		{"explain HEAD~1 HEAD --bench Spy --processes 1 --benchtime 10ms", true},
		{"profile --rev HEAD~1 --bench Spy --rounds 1 --benchtime 10ms", false},
		{"profile --rev HEAD --bench Spy --rounds 1 --benchtime 10ms --isolate", true},
	} {
		args := append([]string{"-c", `"$0" "$@"; exit $?`, v.binary}, strings.Fields(tt.line)...)
		c, out := v.command()
		c.Path, c.Args = "/bin/sh", append([]string{"sh"}, args...)
		c.Env = append(c.Env, canaries()...)
		err := c.Run()
		// A check on a busy machine may give any verdict.
		failed := strings.Contains(out.String(), "canary") || err != nil && !strings.Contains(out.String(), "regressed")
		if failed == tt.isolated || !tt.isolated && err == nil {
			t.Errorf("%s: isolated %v: %v\n%s", tt.line, tt.isolated, err, out)
		}
		if i > 0 {
			continue
		}
		for _, fact := range []string{`"how":"slices"`, `"of":"head","edited":["Other"]`} {
			if text := v.must("export", "HEAD"); !strings.Contains(text, fact) {
				t.Errorf("no run has %s:\n%s", fact, text)
			}
		}
	}
}
