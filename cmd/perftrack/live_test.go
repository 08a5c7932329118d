package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

// The live tests check the results of the simulations with real measurements. They measure a module
// with benchmarks doing a known amount of extra work against the module without it, and against
// itself. A short form, for machines with any amount of noise, runs with PERFTRACK_LIVE=short.
// PERFTRACK_LIVE=full makes the tables in docs/evaluation.md, each with its own command: see
// TestLivePairs, TestLiveStarts, TestLiveSpread, TestLiveCost and TestLiveFullEngine.

// A checkResult is the result of one check.
type checkResult struct {
	code    int
	rows    []checkedTime
	verdict map[string]string // verdict on the time, by benchmark
	rounds  map[string]int
	took    time.Duration
	cpu     time.Duration // CPU time of all processes of the check
	share   float64       // percent of the time in benchmark processes
}

// A checkedTime is the row for one benchmark's time.
type checkedTime struct {
	Name, Verdict string
	Base          struct{ N int }
	Shift         *struct{ Center, Lo, Hi float64 }
}

// check runs a check and fails the test if the check fails.
func (v *victim) check(base, head string, args ...string) checkResult {
	v.t.Helper()
	c, stderr := v.tryCheck(base, head, args...)
	if c.code > 1 {
		v.t.Fatalf("check exits %d: %s", c.code, stderr)
	}
	return c
}

// tryCheck runs a check and returns its result and its output on stderr. It accepts checks that
// leave benchmarks unchecked.
func (v *victim) tryCheck(base, head string, args ...string) (checkResult, string) {
	v.t.Helper()
	cmd := exec.Command(v.binary, append([]string{"check", "--base", base, "--head", head, "--format", "json"}, args...)...)
	cmd.Dir, cmd.Env = v.repo, v.env
	var stderr strings.Builder
	cmd.Stderr = &stderr
	start := time.Now()
	out, err := cmd.Output()
	c := checkResult{took: time.Since(start), verdict: map[string]string{}, rounds: map[string]int{}}
	if s := cmd.ProcessState; s != nil {
		c.cpu = s.UserTime() + s.SystemTime()
	}
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		c.code = exit.ExitCode()
	}
	var doc struct {
		Tables []struct {
			Unit string
			Rows []checkedTime
		}
	}
	if err := json.Unmarshal(out, &doc); err != nil {
		v.t.Fatalf("check exits %d: %v\n%s\n%s", c.code, err, out, &stderr)
	}
	if m := inProcesses.FindStringSubmatch(stderr.String()); m != nil {
		c.share, _ = strconv.ParseFloat(m[1], 64)
	}
	for _, table := range doc.Tables {
		if table.Unit != "sec/op" {
			continue
		}
		c.rows = append(c.rows, table.Rows...)
		for _, r := range table.Rows {
			c.verdict[r.Name], c.rounds[r.Name] = r.Verdict, r.Base.N
		}
	}
	return c, stderr.String()
}

var inProcesses = regexp.MustCompile(`took .*, of which (\d+) % in benchmark processes`)

func full() bool { return os.Getenv("PERFTRACK_LIVE") == "full" }

// The same work is never called slower, and 50 % more work is never called unchanged or improved.
func TestLive(t *testing.T) {
	live(t)
	if full() {
		t.Skip("the full form is running: go test -run LivePairs ./cmd/perftrack")
	}
	v := newWorkModule(t)
	bench := []string{"--bench", "Spin", "--benchtime", "5ms"}
	if c := v.check("live", "same", bench...); c.code != 0 || c.verdict["Spin"] == "regressed" {
		t.Errorf("the same work: exit %d, %v", c.code, c.verdict)
	}
	if c := v.check("live", "plus-50", bench...); c.verdict["Spin"] == "unchanged" || c.verdict["Spin"] == "improved" {
		t.Errorf("50 %% more work: exit %d, %v", c.code, c.verdict)
	}
}

// slowKernels lists the edits that make the matrix product and GELU use the portable code.
var slowKernels = map[string]struct{ old, new string }{
	"engine/kernels/matmul.go": {"	if path != simd.Generic {\n", "	if path < simd.Generic {\n"},
	"engine/kernels/gelu.go":   {"	if path != simd.Generic {\n", "	if path < simd.Generic {\n"},
}

// This repository is checked with two kernels on the portable code. Within two minutes, the check
// reports only the benchmarks of these kernels and those that use them; with the edits reverted, it
// reports none. Under bursts of load it gets four minutes.
func TestLiveFullEngine(t *testing.T) {
	if !full() {
		t.Skip("it wants a quiet machine: PERFTRACK_LIVE=full go test -run LiveFullEngine -v -timeout 1h ./cmd/perftrack")
	}
	for machine, budget := range map[string]string{"quiet": "2m", "disturbed": "4m"} {
		t.Run(machine, func(t *testing.T) {
			v := newEngineModule(t)
			if machine == "disturbed" {
				v.disturb()
			}
			v.checkEngine(budget)
		})
	}
}

// newEngineModule returns a clone of this repository with slower kernels on branch slow, and the
// original kernels on branch again.
func newEngineModule(t *testing.T) *victim {
	t.Helper()
	v := newVictim(t)
	v.repo = filepath.Join(v.temp, "engine")
	v.gitIn(".", "clone", "-q", "../..", v.repo)
	v.git("checkout", "-q", "-b", "fast")
	v.git("checkout", "-q", "-b", "slow")
	v.edit(func(e struct{ old, new string }) (string, string) { return e.old, e.new })
	v.git("commit", "-q", "-a", "-m", "slow kernels")
	v.git("checkout", "-q", "-b", "again")
	v.edit(func(e struct{ old, new string }) (string, string) { return e.new, e.old })
	v.git("commit", "-q", "-a", "-m", "fast kernels again", "--allow-empty")
	return v
}

var (
	slowed      = regexp.MustCompile(`^(MatMul_.*[^T]|GELU_.*)$`) // with two threads, another kernel runs
	mayBeSlower = regexp.MustCompile(`^(MatMul_|GELU_|Model_(Small|Medium)_(Inference|GenerateToken|Forward))`)
)

func (v *victim) checkEngine(budget string) {
	v.t.Helper()
	slow := v.check("fast", "slow", "engine", "--budget", budget)
	fmt.Printf("%d benchmarks, %v, %.0f %% of it in benchmark processes\n", len(slow.verdict), slow.took.Round(time.Second), slow.share)
	for _, name := range slices.Sorted(maps.Keys(slow.verdict)) {
		verdict := slow.verdict[name]
		fmt.Printf("| %s | %s | %d |\n", name, verdict, slow.rounds[name])
		if verdict == "regressed" && !mayBeSlower.MatchString(name) {
			v.t.Errorf("%s is called regressed: it runs neither kernel", name)
		}
		if verdict != "regressed" && slowed.MatchString(name) {
			v.t.Errorf("%s is %s", name, verdict)
		}
	}
	if again := v.check("slow~1", "again", "engine"); again.code != 0 || len(again.verdict) > 0 {
		v.t.Errorf("with both taken back: exit %d, %v", again.code, again.verdict)
	}
}

func (v *victim) edit(change func(e struct{ old, new string }) (from, to string)) {
	v.t.Helper()
	for name, e := range slowKernels {
		path := filepath.Join(v.repo, name)
		text, err := os.ReadFile(path)
		if err != nil {
			v.t.Fatal(err)
		}
		from, to := change(e)
		if !strings.Contains(string(text), from) {
			v.t.Fatalf("%s has no %q", name, from)
		}
		if err := os.WriteFile(path, []byte(strings.Replace(string(text), from, to, 1)), 0o644); err != nil {
			v.t.Fatal(err)
		}
	}
}

// gitIn runs git in the directory dir instead of the victim's repository.
func (v *victim) gitIn(dir string, args ...string) {
	v.t.Helper()
	cmd := exec.Command("git", args...)
	cmd.Dir, cmd.Env = dir, v.env
	if out, err := cmd.CombinedOutput(); err != nil {
		v.t.Fatalf("git %v: %v\n%s", args, err, out)
	}
}
