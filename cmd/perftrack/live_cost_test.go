package main

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// costPackage is the source of one package in [TestLiveCost]. The package's number makes it unique.
const costPackage = `// Package p%02[1]d is one of many.
package p%02[1]d

import (
	"encoding/json"
	"fmt"
	"hash/crc32"
	"slices"
	"strings"

	"example.com/many/work"
)

func Sum(text []byte) (sum uint32) {
	work.Do(2%02[1]d, func(int) { sum += crc32.ChecksumIEEE(text) })
	return sum
}

func Sort(numbers []int) string {
	work.Do(4, func(i int) { numbers[i] = -numbers[i]; slices.Sort(numbers) })
	return fmt.Sprint(numbers[0])
}

func Encode(words []string) string {
	var out strings.Builder
	work.Do(4, func(int) { text, _ := json.Marshal(words); out.Write(text) })
	return out.String()
}
`

const costBenchmarks = `package p%02d

import "testing"

func BenchmarkSum(b *testing.B) {
	text := make([]byte, 1<<10)
	for b.Loop() {
		Sum(text)
	}
}

func BenchmarkSort(b *testing.B) {
	numbers := make([]int, 1000)
	for i := range numbers {
		numbers[i] = i * 7919 %% 1000
	}
	for b.Loop() {
		Sort(numbers)
	}
}

func BenchmarkEncode(b *testing.B) {
	words := []string{"one", "two", "three"}
	for b.Loop() {
		Encode(words)
	}
}
`

const costWork = `// Package work is what all the others use.
package work

// Do runs the steps, and a quarter of them again.
func Do(steps int, step func(i int)) {
	for i := range steps + steps*%d/4 {
		step(i)
	}
}
`

// TestLiveCost measures how much of a check's time is not spent measuring. It checks the engine's
// suite, where the last commit links one more function (LiveCost/engine), and twenty packages with
// three benchmarks each, all slower by a quarter (LiveCost/packages). Each is checked with an empty
// build cache and then with the filled one.
func TestLiveCost(t *testing.T) {
	if !full() {
		t.Skip("it wants a quiet machine: PERFTRACK_LIVE=full go test -run LiveCost -v -timeout 1h ./cmd/perftrack")
	}
	fmt.Println("| checked | build cache | benchmarks | took | CPU time | not in benchmark processes |")
	fmt.Println("|---|---|--:|--:|--:|--:|")
	t.Run("engine", func(t *testing.T) {
		v := newVictim(t)
		v.repo = filepath.Join(v.temp, "engine")
		v.gitIn(".", "clone", "-q", "../..", v.repo)
		v.write("engine/kernels/linked.go", "package kernels\n\nfunc linked() int { return linkedToo }\n\nvar linkedToo = 41\n\nfunc init() { keepLinked = linked }\n\nvar keepLinked func() int\n")
		v.commitAll()
		v.cost("the engine's suite", "engine", "--budget", "2m")
	})
	t.Run("packages", func(t *testing.T) {
		v := newVictim(t)
		v.repo = filepath.Join(v.temp, "many")
		v.write("go.mod", "module example.com/many\n\ngo 1.24\n")
		v.write("work/work.go", fmt.Sprintf(costWork, 0))
		for i := range 20 {
			v.write(fmt.Sprintf("p%02d/p.go", i), fmt.Sprintf(costPackage, i))
			v.write(fmt.Sprintf("p%02d/p_test.go", i), fmt.Sprintf(costBenchmarks, i))
		}
		v.git("init", "-q")
		v.commitAll()
		v.write("work/work.go", fmt.Sprintf(costWork, 1))
		v.commitAll()
		v.cost("20 packages", "--budget", "6m")
	})
}

func (v *victim) write(name, text string) {
	v.t.Helper()
	path := filepath.Join(v.repo, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		v.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		v.t.Fatal(err)
	}
}

func (v *victim) commitAll() {
	v.t.Helper()
	v.git("add", "-A")
	v.git("commit", "-q", "-m", "more")
}

// cost checks the last commit with an empty build cache and then with the filled one, and prints a
// row for each check.
func (v *victim) cost(name string, args ...string) {
	v.t.Helper()
	for _, cache := range []string{"cold", "warm"} {
		v.env = append(v.env, "PERFTRACK_DB="+filepath.Join(v.temp, cache+".db")) // a separate trial
		c, stderr := v.tryCheck("HEAD~1", "HEAD", args...)
		if c.share == 0 {
			v.t.Errorf("%s, %s: nothing was measured\n%s", name, cache, stderr)
		}
		fmt.Printf("| %s | %s | %d | %v | %v | %.0f %% |\n", name, cache, len(c.rows), c.took.Round(time.Second), c.cpu.Round(time.Second), 100-c.share)
	}
}
