package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/perftrack/perftrack/runner/livetest"
)

// mixedBenches lists the benchmarks in testdata/mixed.
var mixedBenches = []string{"Chase", "Count", "JSON", "Join", "Locked", "Match", "PingPong", "Sort"}

// newMixedModule returns a repository of the module in testdata/mixed, with three branches: live;
// plus-5, which does 5 % more work; and same, with other code for the same work. Its binaries are
// linked once, because the check itself is under test.
func newMixedModule(t *testing.T) *victim {
	t.Helper()
	m := newVictim(t)
	m.env = append(m.env, "GOCACHE="+goEnv("GOCACHE"), "GOMODCACHE="+goEnv("GOMODCACHE"), "GOTOOLCHAIN=local", "GOFLAGS=")
	m.git("rm", "-q", "bench.sh")
	m.write("go.mod", "module example.com/mixed\n\ngo 1.24\n")
	m.write("perftrack.toml", "[[target]]\nname = \"mixed\"\nkind = \"gotest\"\npackages = [\".\"]\n")
	work := ""
	for _, name := range []string{"mixed_test.go", "mixed.go"} {
		text, err := os.ReadFile(filepath.Join("testdata", "mixed", name+".txt"))
		if err != nil {
			t.Fatal(err)
		}
		work = string(text)
		m.write(name, work)
	}
	for _, b := range []struct{ branch, file, text string }{
		{"live", "mixed.go", work},
		{"plus-5", "mixed.go", strings.Replace(work, "parts = 20", "parts = 21", 1)},
		{"same", "other.go", strings.NewReplacer("package work", "package mixed", "steps + 41", "parts + 41").Replace(otherCode)},
	} {
		if b.branch == "live" {
			m.git("checkout", "-q", "-b", b.branch)
		} else {
			m.git("checkout", "-q", "-b", b.branch, "live")
		}
		m.write(b.file, b.text)
		m.git("add", "-A")
		m.git("commit", "-q", "-m", b.branch)
	}
	m.git("checkout", "-q", "live")
	return m
}

// TestLiveMixed checks eight mixed benchmarks, 5 % slower or equal, within a budget, and counts the
// rows with the right verdict and those with a wrong one.
//
//	PERFTRACK_LIVE=full go test -run 'LiveMixed/plus-5/quiet' -v -timeout 2h ./cmd/perftrack
//
// prints one row of the table in docs/evaluation.md. PERFTRACK_LIVE_CHECKS sets another number of
// checks, and PERFTRACK_LIVE_ARGS replaces --budget 2m.
func TestLiveMixed(t *testing.T) {
	livetest.Skip(t)
	for _, branch := range []string{"plus-5", "same"} {
		t.Run(branch, func(t *testing.T) {
			for _, machine := range []string{"quiet", "disturbed"} {
				t.Run(machine, func(t *testing.T) {
					if !full() && (branch != "same" || machine != "quiet") {
						t.Skip("PERFTRACK_LIVE=full measures it")
					}
					mixedChecks(t, branch, machine)
				})
			}
		})
	}
}

func mixedChecks(t *testing.T, branch, machine string) {
	g := goal{what: branch, base: "live", head: branch, right: map[string]string{"plus-5": "regressed", "same": "unchanged"}[branch], rows: len(mixedBenches), checks: 5, args: []string{"--budget", "2m"}}
	if !full() {
		g.args, g.rows, g.checks = []string{"--budget", "30s", "--bench", "Sort|Join"}, 2, 1
	}
	g.check(t, newMixedModule(t), machine)
}

// A goal is the expected result of checks of a known change.
type goal struct {
	what, base, head string
	right            string // the expected verdict
	only             string // expect right only for this benchmark, and unchanged for others; "" means all
	rows             int    // rows with times in each check
	checks           int    // unless PERFTRACK_LIVE_CHECKS is set
	args             []string
}

// check prints a line for each check and a row of the table, and fails the test for a wrong
// verdict.
func (g goal) check(t *testing.T, m *victim, machine string) {
	if own := os.Getenv("PERFTRACK_LIVE_ARGS"); own != "" {
		g.args = strings.Fields(own)
	}
	if full() {
		g.checks = checksOr(t, g.checks)
	}
	if machine == "disturbed" {
		m.disturb()
	}
	found, all, wrong, took := 0, 0, 0, []time.Duration(nil)
	env := m.env
	for i := range g.checks {
		m.env = append(slices.Clip(env), fmt.Sprintf("PERFTRACK_DB=%s/%s-%s-%d.db", m.temp, g.what, machine, i))
		c, _ := m.tryCheck(g.base, g.head, g.args...)
		var open []string
		for _, r := range c.rows {
			right := g.right
			if g.only != "" && g.only != r.Name {
				right = "unchanged"
			}
			all++
			switch r.Verdict {
			case right:
				found++
				if g.rows > len(mixedBenches) && r.Name != g.only {
					continue
				}
			case "regressed", "improved", "unchanged":
				wrong++
			}
			text := fmt.Sprintf("%s %s after %d", r.Name, r.Verdict, r.Base.N)
			if r.Shift != nil {
				text += fmt.Sprintf(" %+.1f [%+.1f, %+.1f]", 100*r.Shift.Center, 100*r.Shift.Lo, 100*r.Shift.Hi)
			}
			open = append(open, text)
		}
		took = append(took, c.took)
		fmt.Printf("%2d: %.0f s, exit %d: %s\n", i+1, c.took.Seconds(), c.code, strings.Join(open, "; "))
	}
	slices.Sort(took)
	fmt.Printf("| %s, %s | %d of %d right | %d wrong | %.0f s, at most %.0f s |\n", g.what, machine, found, all, wrong, took[len(took)/2].Seconds(), took[len(took)-1].Seconds())
	if all == 0 || full() && all != g.checks*g.rows {
		t.Errorf("%d rows of %d checks", all, g.checks)
	}
	if wrong > 0 {
		t.Errorf("%d rows of %d are called wrong", wrong, all)
	}
}
