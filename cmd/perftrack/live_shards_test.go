package main

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// The size of the suite in [TestLiveShards]: ten packages with twenty benchmarks each.
const (
	shardedPackages   = 10
	shardedBenchmarks = 20
)

// shardedModule returns a repository with the suite. Its second commit changes code reached by all
// benchmarks.
func shardedModule(t *testing.T) *victim {
	t.Helper()
	v := newVictim(t)
	v.repo = filepath.Join(v.temp, "suite")
	v.write("go.mod", "module example.com/suite\n\ngo 1.24\n")
	v.write("work/work.go", fmt.Sprintf(costWork, 0))
	for i := range shardedPackages {
		var b strings.Builder
		fmt.Fprintf(&b, "package p%02d\n\nimport (\n\t\"testing\"\n\n\t\"example.com/suite/work\"\n)\n\nvar sum int\n", i)
		for k := range shardedBenchmarks {
			fmt.Fprintf(&b, "\nfunc BenchmarkB%02d(b *testing.B) {\n\tfor b.Loop() {\n\t\twork.Do(%d, func(i int) { sum += i * %d })\n\t}\n}\n", k, 400+100*k, i+1)
		}
		v.write(fmt.Sprintf("p%02d/p_test.go", i), b.String())
	}
	v.git("init", "-q")
	v.commitAll()
	v.write("work/work.go", fmt.Sprintf(costWork, 1))
	v.commitAll()
	return v
}

// TestLiveShards measures the time of a suite of 200 benchmarks on one machine and in four parts.
// The parts run one after the other, so four machines would take as long as the longest part. All
// benchmarks are slower by a quarter, and each is in one part.
func TestLiveShards(t *testing.T) {
	if !full() {
		t.Skip("it wants a quiet machine: PERFTRACK_LIVE=full go test -run LiveShards -v -timeout 2h ./cmd/perftrack")
	}
	v := shardedModule(t)
	fmt.Println("| part | benchmarks | took | not in benchmark processes |")
	fmt.Println("|---|--:|--:|--:|")
	measure := func(name string, args ...string) checkResult {
		c, stderr := v.tryCheck("HEAD~1", "HEAD", append(args, "--budget", "0", "--pairs", "fresh", "--benchtime", "5ms")...)
		if c.share == 0 {
			t.Fatalf("%s: nothing was measured\n%s", name, stderr)
		}
		fmt.Printf("| %s | %d | %v | %.0f %% |\n", name, len(c.rows), c.took.Round(time.Second), 100-c.share)
		return c
	}
	v.env = append(v.env, "PERFTRACK_DB="+filepath.Join(v.temp, "one.db"))
	measure("warm the build cache", "--shard", "1/64")
	whole := measure("all")
	v.env = append(v.env, "PERFTRACK_DB="+filepath.Join(v.temp, "parts.db"))
	var longest time.Duration
	measured, regressed := 0, 0
	for n := 1; n <= 4; n++ {
		part := measure(fmt.Sprintf("%d/4", n), "--shard", fmt.Sprintf("%d/4", n))
		longest = max(longest, part.took)
		measured += len(part.rows)
		for _, verdict := range part.verdict {
			if verdict == "regressed" {
				regressed++
			}
		}
	}
	fmt.Printf("longest part %v, %.0f %% of %v\n", longest.Round(time.Second), 100*longest.Seconds()/whole.took.Seconds(), whole.took.Round(time.Second))
	if want := shardedPackages * shardedBenchmarks; measured != want || len(whole.rows) != want {
		t.Errorf("%d benchmarks in all parts, %d in one: want %d", measured, len(whole.rows), want)
	}
	if regressed == 0 {
		t.Error("a quarter more work is found in no part")
	}
}
