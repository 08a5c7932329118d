package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/perftrack/perftrack/internal/livetest"
)

// mixedBenches are those of testdata/mixed.
var mixedBenches = []string{"Chase", "Count", "JSON", "Join", "Locked", "Match", "PingPong", "Sort"}

// newMixedModule is a repository of the module in testdata/mixed: base, plus-5 with 5 % more of everything, and
// same with other code that does the same. Its binaries are linked once: what is measured is the check.
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

// Eight mixed benchmarks, 5 % slower or the same work, within a budget: how many rows are found, and how many
// called wrong.
//
//	PERFTRACK_LIVE=full go test -run 'LiveMixed/plus-5/quiet' -v -timeout 2h ./cmd/perftrack
//
// prints one row of the table in docs/evaluation.md. PERFTRACK_LIVE_CHECKS is the number of checks, 5 if it is
// not set, PERFTRACK_LIVE_ARGS what they are told instead of --budget 2m.
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
	m := newMixedModule(t)
	right := map[string]string{"plus-5": "regressed", "same": "unchanged"}[branch]
	args, checks := []string{"--budget", "2m"}, checksOr(t, 5)
	if own := os.Getenv("PERFTRACK_LIVE_ARGS"); own != "" {
		args = strings.Fields(own)
	}
	if !full() {
		args, checks = []string{"--budget", "30s", "--bench", "Sort|Join"}, 1
	}
	if machine == "disturbed" {
		m.disturb()
	}
	found, all, wrong, took := map[string]int{}, 0, 0, []time.Duration(nil)
	env := m.env
	for i := range checks {
		m.env = append(slices.Clip(env), fmt.Sprintf("PERFTRACK_DB=%s/%s-%s-%d.db", m.temp, branch, machine, i))
		c, _ := m.tryCheck("live", branch, args...)
		var rows []string
		for _, r := range c.rows {
			all++
			switch r.Verdict {
			case right:
				found[r.Name]++
			case "regressed", "improved", "unchanged":
				wrong++
			}
			text := fmt.Sprintf("%s %s after %d", r.Name, r.Verdict, r.Base.N)
			if r.Shift != nil {
				text += fmt.Sprintf(" %+.1f [%+.1f, %+.1f]", 100*r.Shift.Center, 100*r.Shift.Lo, 100*r.Shift.Hi)
			}
			rows = append(rows, text)
		}
		took = append(took, c.took)
		fmt.Printf("%2d: %.0f s, exit %d: %s\n", i+1, c.took.Seconds(), c.code, strings.Join(rows, "; "))
	}
	n := 0
	for _, k := range found {
		n += k
	}
	slices.Sort(took)
	fmt.Printf("| %s, %s | %d of %d %s | %d wrong | %.0f s |\n", branch, machine, n, all, right, wrong, took[len(took)/2].Seconds())
	if all == 0 || full() && all != checks*len(mixedBenches) {
		t.Errorf("%d rows of %d checks", all, checks)
	}
	if wrong > 0 {
		t.Errorf("%d rows of %d are called wrong", wrong, all)
	}
}
