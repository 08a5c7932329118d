package main

import (
	"encoding/json"
	"errors"
	"fmt"
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

// The live tests check for real what the simulation promises: a module whose
// benchmarks do a known amount of extra work, against itself and with more. A
// short form, which no machine is too noisy for, runs with PERFTRACK_LIVE=short;
//
//	PERFTRACK_LIVE=full go test -run Live -v -timeout 4h ./cmd/perftrack
//
// checks the module 50 times against itself, with short samples, and 3 times
// against each change, with longer ones, puts this repository's MatMul and GELU back
// to slow forms, and prints the tables of docs/evaluation.md. It wants a machine that
// does nothing else.
const liveModule = `package work

// Extra is how many percent more there is to do.
const Extra = %d

// Do runs the steps, and Extra percent of them again.
func Do(steps int, step func(i int)) {
	for i := range steps + steps*Extra/100 {
		step(i)
	}
}
`

const liveBenchmarks = `package work

import (
	"hash/crc32"
	"slices"
	"testing"
)

var sink uint32

func BenchmarkMultiply(b *testing.B) {
	for b.Loop() {
		x := uint32(1)
		Do(20_000, func(i int) { x = x*1664525 + uint32(i) })
		sink = x
	}
}

func BenchmarkChecksum(b *testing.B) {
	text := make([]byte, 1<<10)
	for b.Loop() {
		Do(200, func(int) { sink += crc32.ChecksumIEEE(text) })
	}
}

func BenchmarkSort(b *testing.B) {
	numbers, scratch := make([]uint32, 64), make([]uint32, 64)
	x := uint32(1)
	for i := range numbers {
		x = x*1664525 + 1013904223
		numbers[i] = x
	}
	for b.Loop() {
		Do(100, func(int) {
			copy(scratch, numbers)
			slices.Sort(scratch)
		})
		sink += scratch[0]
	}
}
`

// newLiveModule makes a repository whose branch extra-P does P percent more than
// main, and whose branch same differs in a comment of the code that runs.
func newLiveModule(t *testing.T, extras ...int) *victim {
	v := newVictim(t)
	write := func(name, text string) {
		if err := os.WriteFile(filepath.Join(v.repo, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write("go.mod", "module example.com/work\n\ngo 1.24\n")
	write("work.go", fmt.Sprintf(liveModule, 0))
	write("work_test.go", liveBenchmarks)
	if err := os.Remove(filepath.Join(v.repo, "bench.sh")); err != nil {
		t.Fatal(err)
	}
	layout := "accept" // linking is most of the time of the short form
	if full() {
		layout = "rotate"
	}
	write("perftrack.toml", fmt.Sprintf("[[target]]\nname = \"work\"\nkind = \"gotest\"\npackages = [\".\"]\nlayout = %q\n", layout))
	v.git("checkout", "-q", "-b", "live")
	v.git("add", "-A")
	v.git("commit", "-q", "-m", "live")
	for _, p := range extras {
		v.git("checkout", "-q", "-b", fmt.Sprintf("extra-%d", p), "live")
		write("work.go", fmt.Sprintf(liveModule, p))
		v.git("commit", "-q", "-a", "-m", "more")
	}
	// Other code that does the same: else there would be nothing to measure.
	v.git("checkout", "-q", "-b", "same", "live")
	write("other.go", "package work\n\n// Other is linked in and never runs.\nfunc Other() { sinkhole = Extra + 41 }\n\nvar sinkhole int\n\nfunc init() { keep = Other }\n\nvar keep func()\n")
	v.git("add", ".")
	v.git("commit", "-q", "-m", "same")
	return v
}

// A checkResult is what one check found.
type checkResult struct {
	code    int
	verdict map[string]string // of the time of each benchmark
	rounds  map[string]int
	took    time.Duration
	share   float64 // percent of the time that was spent in benchmark processes
}

func (v *victim) check(base, head string, args ...string) checkResult {
	v.t.Helper()
	cmd := exec.Command(v.binary, append([]string{"check", "--base", base, "--head", head, "--format", "json"}, args...)...)
	cmd.Dir, cmd.Env = v.repo, v.env
	var stderr strings.Builder
	cmd.Stderr = &stderr
	start := time.Now()
	out, err := cmd.Output()
	c := checkResult{took: time.Since(start), verdict: map[string]string{}, rounds: map[string]int{}}
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		c.code = exit.ExitCode()
	}
	var doc struct {
		Tables []struct {
			Unit string
			Rows []struct {
				Name, Verdict string
				Base          struct{ N int }
			}
		}
	}
	if err := json.Unmarshal(out, &doc); err != nil || c.code > 1 {
		v.t.Fatalf("check exits %d: %v\n%s\n%s", c.code, err, out, &stderr)
	}
	if m := inProcesses.FindStringSubmatch(stderr.String()); m != nil {
		c.share, _ = strconv.ParseFloat(m[1], 64)
	}
	for _, table := range doc.Tables {
		for _, r := range table.Rows {
			if table.Unit == "sec/op" {
				c.verdict[r.Name], c.rounds[r.Name] = r.Verdict, r.Base.N
			}
		}
	}
	return c
}

var inProcesses = regexp.MustCompile(`took .*, (\d+) % of it in benchmark processes`)

func full() bool { return os.Getenv("PERFTRACK_LIVE") == "full" }

// The same work is never called slower, and half as much again always is.
func TestLive(t *testing.T) {
	live(t)
	if full() {
		t.Skip("the full form is running: go test -run LiveFull ./cmd/perftrack")
	}
	v := newLiveModule(t, 50)
	bench := []string{"--bench", "Multiply", "--benchtime", "5ms"}
	if c := v.check("live", "same", bench...); c.code != 0 || c.verdict["Multiply"] == "regressed" {
		t.Errorf("the same work: exit %d, %v", c.code, c.verdict)
	}
	if c := v.check("live", "extra-50", bench...); c.verdict["Multiply"] == "unchanged" || c.verdict["Multiply"] == "improved" {
		t.Errorf("50 %% more work: exit %d, %v", c.code, c.verdict)
	}
}

// The same work, fifty times: nothing is called slower.
func TestLiveFullSame(t *testing.T) {
	if !full() {
		t.Skip("it takes hours: PERFTRACK_LIVE=full go test -run LiveFull -v -timeout 4h ./cmd/perftrack")
	}
	v := newLiveModule(t)
	v.calibrate("--benchtime", "20ms")
	if n := v.campaign("none", "same", 50, "--benchtime", "20ms"); n > 0 {
		t.Errorf("%d of 50 checks of the same work have a regression", n)
	}
}

// More work, as much as is known: what is found of it depends on the machine.
func TestLiveFullChanges(t *testing.T) {
	if !full() {
		t.Skip("it takes hours: PERFTRACK_LIVE=full go test -run LiveFull -v -timeout 4h ./cmd/perftrack")
	}
	extras := []int{2, 5, 10}
	v := newLiveModule(t, extras...)
	for _, samples := range []string{"100ms", "400ms"} {
		v.calibrate("--benchtime", samples)
		for _, p := range extras {
			v.campaign(fmt.Sprintf("+%d %%", p), fmt.Sprintf("extra-%d", p), 3, "--benchtime", samples)
		}
	}
}

// calibrate prints how noisy the machine is, and the head of the table.
func (v *victim) calibrate(args ...string) {
	v.t.Helper()
	c := exec.Command(v.binary, append([]string{"calibrate", "--rev", "live", "--rounds", "20"}, args...)...)
	c.Dir, c.Env = v.repo, v.env
	out, err := c.Output()
	if err != nil {
		v.t.Fatal(err)
	}
	fmt.Printf("%s\n", out)
	fmt.Println("| change | checks | regressed | improved | unchanged | inconclusive | checks with any regressed | mean rounds | mean time | in benchmarks |")
	fmt.Println("|---|---|---|---|---|---|---|---|---|---|")
}

// campaign checks the branch n times, prints a row and returns in how many checks
// anything regressed. Each check is a trial of its own.
func (v *victim) campaign(name, branch string, n int, args ...string) (flagged int) {
	counts, rounds, took, share := map[string]int{}, 0, time.Duration(0), 0.0
	rows := 0
	for i := range n {
		v.env = append(v.env, fmt.Sprintf("PERFTRACK_DB=%s", filepath.Join(v.temp, fmt.Sprintf("%s-%s-%d.db", branch, args[1], i))))
		c := v.check("live", branch, args...)
		for _, verdict := range c.verdict {
			counts[verdict]++
			rows++
		}
		for _, r := range c.rounds {
			rounds += r
		}
		took, share = took+c.took, share+c.share/float64(n)
		if c.code == 1 {
			flagged++
		}
	}
	fmt.Printf("| %s | %d | %d | %d | %d | %d | %d | %.1f | %v | %.0f %% |\n", name, n, counts["regressed"], counts["improved"], counts["unchanged"],
		counts["inconclusive"], flagged, float64(rounds)/float64(max(rows, 1)), (took / time.Duration(n)).Round(time.Second), share)
	return flagged
}

// slowKernels put the matrix product back to the order of its definition and
// GELU to the tanh of the standard library.
var slowKernels = map[string]struct{ old, new string }{
	"engine/kernels/matmul.go": {
		"	clear(dst)\n	if m == 0 || k == 0 || n == 0 {\n		return\n	}\n",
		"	clear(dst)\n	for i := range m {\n		for j := range n {\n			sum := float32(0)\n			for p := range k {\n				sum += a[i*k+p] * b[p*n+j]\n			}\n			dst[i*n+j] = sum\n		}\n	}\n	if m >= 0 {\n		return\n	}\n",
	},
	"engine/kernels/gelu.go": {
		"dst[i] = float32(x / (1 + exp(x*(c1+c3*x*x))))",
		"dst[i] = float32(0.5 * x * (1 + math.Tanh(-0.5*x*(c1+c3*x*x))))",
	},
}

// This repository with its old kernels: the check names them, and what is made of
// them, and nothing else; with both taken back, nothing.
func TestLiveFullEngine(t *testing.T) {
	if !full() {
		t.Skip("it takes hours: PERFTRACK_LIVE=full go test -run LiveFull -v -timeout 4h ./cmd/perftrack")
	}
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
	slow := v.check("fast", "slow", "engine", "--budget", "30m")
	fmt.Printf("%d benchmarks, %v, %.0f %% of it in benchmark processes\n", len(slow.verdict), slow.took.Round(time.Second), slow.share)
	expected := regexp.MustCompile(`^(MatMul_|GELU_|Model_(Small|Medium)_(Inference|GenerateToken|Forward))`)
	var names []string
	for name := range slow.verdict {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		fmt.Printf("| %s | %s | %d |\n", name, slow.verdict[name], slow.rounds[name])
		if slow.verdict[name] == "regressed" && !expected.MatchString(name) {
			t.Errorf("%s is called regressed: it runs neither kernel", name)
		}
		if verdict := slow.verdict[name]; verdict != "regressed" && (strings.HasPrefix(name, "MatMul_") || strings.HasPrefix(name, "GELU_")) {
			t.Errorf("%s is %s", name, verdict)
		}
	}
	if again := v.check("slow~1", "again", "engine"); again.code != 0 || len(again.verdict) > 0 {
		t.Errorf("with both taken back: exit %d, %v", again.code, again.verdict)
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

// gitIn runs git in a directory other than the victim's.
func (v *victim) gitIn(dir string, args ...string) {
	v.t.Helper()
	cmd := exec.Command("git", args...)
	cmd.Dir, cmd.Env = dir, v.env
	if out, err := cmd.CombinedOutput(); err != nil {
		v.t.Fatalf("git %v: %v\n%s", args, err, out)
	}
}
