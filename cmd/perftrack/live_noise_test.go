package main

import (
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/perftrack/perftrack/compare/stat"
)

// disturb loads the machine until the test ends or the returned function is called.
// PERFTRACK_DISTURB replaces the default flags, "-per-cpu 2 -on 300ms".
func (v *victim) disturb() (stop func()) {
	v.t.Helper()
	binary := filepath.Join(filepath.Dir(v.binary), "disturb")
	if _, err := os.Stat(binary); err != nil {
		copyFile(v.t, v.binary, binary)
	}
	c := exec.Command(binary, strings.Fields(os.Getenv("PERFTRACK_DISTURB"))...)
	c.Stderr = os.Stderr
	stdin, err := c.StdinPipe()
	if err != nil {
		v.t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		v.t.Fatal(err)
	}
	stopped := false
	stop = func() {
		if stopped {
			return
		}
		stopped = true
		_ = stdin.Close()
		if err := c.Wait(); err != nil {
			v.t.Errorf("disturb: %v", err)
		}
	}
	v.t.Cleanup(stop)
	return stop
}

// binaryOf builds the benchmarks on a branch and returns the path of the binary. If seed is not 0,
// it also randomizes the layout of the code.
func (m workModule) binaryOf(branch string, seed int) string {
	m.t.Helper()
	dir := m.t.TempDir()
	tree := filepath.Join(dir, "tree")
	m.git("worktree", "add", "-q", "--detach", tree, branch)
	defer m.git("worktree", "remove", "--force", tree)
	binary := filepath.Join(dir, "work.test")
	args := []string{"test", "-c", "-vet=off", "-o", binary}
	if seed != 0 {
		args = append(args, "-ldflags=-randlayout="+strconv.Itoa(seed))
	}
	c := exec.Command("go", args...)
	c.Dir, c.Env = tree, m.env
	if out, err := c.CombinedOutput(); err != nil {
		m.t.Fatalf("go %v: %v\n%s", args, err, out)
	}
	return binary
}

// printedText returns the output of a benchmark in a fresh process.
func printedText(t *testing.T, binary, bench, benchtime string) string {
	t.Helper()
	levels := strings.Split("Benchmark"+bench, "/")
	c := exec.Command(binary, "-test.run=^$", "-test.bench=^"+strings.Join(levels, "$/^")+"$", "-test.benchmem", "-test.benchtime="+benchtime)
	out, err := c.Output()
	if err != nil {
		t.Fatalf("%s: %v\n%s", bench, err, out)
	}
	return string(out)
}

var nsPerOp = regexp.MustCompile(`(?m)^Benchmark.*\s([0-9.e+]+) ns/op`)

// sample returns the ns/op of a benchmark in a fresh process.
func sample(t *testing.T, binary, bench, benchtime string) float64 {
	t.Helper()
	text := printedText(t, binary, bench, benchtime)
	m := nsPerOp.FindStringSubmatch(text)
	if m == nil {
		t.Fatalf("%s has no time:\n%s", bench, text)
	}
	v, err := strconv.ParseFloat(m[1], 64)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// variation returns the coefficient of variation, in percent, of n fresh samples of 100 ms. Several
// benchmarks take turns.
func variation(t *testing.T, binary string, n int, benches ...string) (cv []float64) {
	t.Helper()
	for _, v := range freshSamples(t, binary, n, benches...) {
		mean, sd := moments(v)
		cv = append(cv, 100*sd/mean)
	}
	return cv
}

func freshSamples(t *testing.T, binary string, n int, benches ...string) [][]float64 {
	t.Helper()
	values := make([][]float64, len(benches))
	for range n {
		for i, bench := range benches {
			values[i] = append(values[i], sample(t, binary, bench, "100ms"))
		}
	}
	return values
}

// robustSD estimates the standard deviation of the logarithms of values, in percent, from their
// median absolute deviation.
func robustSD(values []float64) float64 {
	logs := make([]float64, len(values))
	for i, v := range values {
		logs[i] = math.Log(v)
	}
	center := stat.Median(logs)
	for i := range logs {
		logs[i] = math.Abs(logs[i] - center)
	}
	return 100 * stat.NormalMAD * stat.Median(logs)
}

func moments(v []float64) (mean, sd float64) {
	n := float64(len(v))
	for _, x := range v {
		mean += x / n
	}
	for _, x := range v {
		sd += (x - mean) * (x - mean) / (n - 1)
	}
	return mean, math.Sqrt(sd)
}

func percentsOf(values []float64) string {
	var words []string
	for _, v := range values {
		words = append(words, fmt.Sprintf("%.1f %%", v))
	}
	return strings.Join(words, ", ")
}

// longChange returns how much slower head is than base in long samples, in percent: the median of
// alternating pairs.
func longChange(t *testing.T, base, head, bench string, pairs int) float64 {
	t.Helper()
	var changes []float64
	for range pairs {
		b, h := sample(t, base, bench, "1s"), sample(t, head, bench, "1s")
		changes = append(changes, 100*(h/b-1))
	}
	slices.Sort(changes)
	return (changes[(pairs-1)/2] + changes[pairs/2]) / 2
}
