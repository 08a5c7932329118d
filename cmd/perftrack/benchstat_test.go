package main

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// `perftrack export A B | benchstat` prints the medians, intervals, deltas and
// p-values of `perftrack compare --all A B`, to the last digit shown.
func TestExportAgreesWithBenchstat(t *testing.T) {
	benchstat := filepath.Join(t.TempDir(), "benchstat")
	if out, err := exec.Command("go", "build", "-o", benchstat, "golang.org/x/perf/cmd/benchstat").CombinedOutput(); err != nil {
		t.Fatalf("build benchstat: %v\n%s", err, out)
	}
	v := newVictim(t)
	rng := rand.New(rand.NewPCG(1, 2))
	for i, commit := range []string{"aaaaaaaaaaaaaaaa", "bbbbbbbbbbbbbbbb"} {
		var text strings.Builder
		text.WriteString("goos: linux\npkg: example.com/p\n")
		for _, b := range []struct {
			name   string
			change float64
		}{{"Same", 0}, {"Slower", 0.08}, {"Faster", -0.3}, {"Little", 0.01}} {
			for range 10 {
				ns := 1000 * (1 + b.change*float64(i)) * (1 + 0.02*rng.NormFloat64())
				fmt.Fprintf(&text, "Benchmark%s-4 100 %.2f ns/op %.3f MB/s %d B/op %d allocs/op\n", b.name, ns, 1e6/ns, 64+16*i, 1+i)
			}
		}
		file := filepath.Join(v.temp, commit)
		if err := os.WriteFile(file, []byte(text.String()), 0o644); err != nil {
			t.Fatal(err)
		}
		v.must("import", "--commit", commit, file)
	}
	c := exec.Command(benchstat, "-table", "pkg", "-col", "commit", "-")
	c.Stdin = strings.NewReader(v.must("export", "aaaaaaaaaaaaaaaa", "bbbbbbbbbbbbbbbb"))
	var stderr bytes.Buffer
	c.Stderr = &stderr
	theirs, err := c.Output()
	if err != nil {
		t.Fatalf("benchstat: %v\n%s", err, &stderr)
	}
	want := numbers(string(theirs))
	got := numbers(v.must("compare", "--all", "aaaaaaaaaaaaaaaa", "bbbbbbbbbbbbbbbb"))
	slices.Sort(want)
	slices.Sort(got)
	if !slices.Equal(got, want) {
		t.Errorf("perftrack prints\n%s\nbenchstat prints\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	if len(want) != 4*4+4 { // four benchmarks in four units, and a geomean for each unit
		t.Errorf("benchstat printed %d rows:\n%s", len(want), theirs)
	}
}

var number = regexp.MustCompile(`~|[+-]?[0-9.]+(?:e[+-][0-9]+)?[a-zA-Zµ]*%?|p=[0-9.]+|n=[0-9]+`)

// numbers returns each row's name and its numbers. It stops after benchstat's last column, the
// geomean's delta or the p-value with its n.
func numbers(report string) (rows []string) {
	for line := range strings.Lines(report) {
		fields := strings.Fields(line)
		if len(fields) < 2 {
			continue
		}
		name := strings.TrimSuffix(fields[0], "-4") // stored names have no suffix
		if !slices.Contains([]string{"geomean", "Same", "Slower", "Faster", "Little"}, name) {
			continue
		}
		rest := strings.TrimPrefix(line, fields[0])
		if i := strings.Index(rest, ")"); i >= 0 {
			rest = rest[:i]
		}
		row := name
		for _, n := range number.FindAllString(rest, -1) {
			row += " " + n
		}
		rows = append(rows, row)
	}
	return rows
}
