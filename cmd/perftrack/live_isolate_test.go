package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/perftrack/perftrack/runner/proc"
)

// In a box a trial is measured in slices as ever, and what it measures sees no token, not even the shell's
// that started perftrack, no network, no file of the user, no database, and changes no checkout.
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
	v.write("perftrack.toml", "[[target]]\nname = \"spy\"\nkind = \"gotest\"\nlayout = \"accept\"\n")
	v.git("add", ".")
	v.git("commit", "-q", "-m", "base")
	v.write("work.go", "package spy\n\nfunc Work(n int) (s int) {\n\tfor i := range n {\n\t\ts += i*i + i&1\n\t}\n\treturn s\n}\n")
	v.write("spy_test.go", strings.Replace(string(spy), "sink = Work(500)", "sink = Work(501)", 1)) // measured by head's tests on both sides
	v.git("commit", "-q", "-a", "-m", "head")
	for _, isolated := range []bool{true, false} {
		args := []string{"-c", `"$0" "$@"; exit $?`, v.binary, "run", "--against", "HEAD~1", "--rounds", "2", "--isolate"}
		if !isolated {
			args = args[:len(args)-1]
		}
		c, out := v.command()
		c.Path, c.Args = "/bin/sh", append([]string{"sh"}, args...)
		c.Env = append(c.Env, canaries()...)
		err := c.Run()
		if failed := strings.Contains(out.String(), "Spy: exit status 1"); failed == isolated || (err == nil) != isolated {
			t.Errorf("isolated %v: %v\n%s", isolated, err, out)
		}
	}
	for _, fact := range []string{`"how":"slices"`, `"of":"head","edited":["Other"]`} {
		if text := v.must("export", "HEAD"); !strings.Contains(text, fact) {
			t.Errorf("no run has %s:\n%s", fact, text)
		}
	}
}
