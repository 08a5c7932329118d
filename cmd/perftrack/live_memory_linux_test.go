package main

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/perftrack/perftrack/runner/livetest"
)

// An import of as many samples as a run may have stays below 100 MiB.
func TestLiveImportMemory(t *testing.T) {
	livetest.Skip(t)
	dir := t.TempDir()
	perftrack := filepath.Join(dir, "perftrack")
	if out, err := exec.Command("go", "build", "-o", perftrack, ".").CombinedOutput(); err != nil {
		t.Fatalf("build: %v\n%s", err, out)
	}
	for _, tt := range []struct {
		name              string
		rounds            int // of 99 benchmarks
		units             string
		samples, mostMiBs int
	}{
		{"297k", 1000, "\t48 B/op\t3 allocs/op", 297_000, 64},
		{"990k", 10_000, "", 990_000, 100},
	} {
		file := filepath.Join(dir, tt.name+".txt")
		writeResults(t, file, tt.rounds, tt.units)
		cmd := exec.Command(perftrack, "--db", filepath.Join(dir, tt.name+".db"), "import", file)
		var out strings.Builder
		cmd.Stdout, cmd.Stderr = &out, &out
		began := time.Now()
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		ended := make(chan error, 1)
		go func() { ended <- cmd.Wait() }()
		peak := peakMemory(cmd.Process.Pid, ended)
		if err := <-ended; err != nil {
			t.Fatalf("import: %v\n%s", err, out.String())
		}
		t.Logf("%d samples: %d KiB, %v", tt.samples, peak, time.Since(began).Round(10*time.Millisecond))
		if peak == 0 || peak > tt.mostMiBs<<10 {
			t.Errorf("import of %d samples took %d KiB, want at most %d MiB", tt.samples, peak, tt.mostMiBs)
		}
	}
}

func writeResults(t *testing.T, name string, rounds int, units string) {
	t.Helper()
	f, err := os.Create(name)
	if err != nil {
		t.Fatal(err)
	}
	w := bufio.NewWriter(f)
	for i := range 99 {
		for j := range rounds {
			fmt.Fprintf(w, "BenchmarkThing%d-8 \t%d\t%.1f ns/op%s\n", i, 100_000+(i*7919+j*104729)%100_000, float64((1+i)*(10_000+(j*7919)%997))/10, units)
		}
	}
	if err := w.Flush(); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
}

// peakMemory returns the largest resident memory of a process in KiB, once the process has ended.
// Its rusage would not help, because the maximum there begins with the parent's memory.
func peakMemory(pid int, ended chan error) (peak int) {
	for len(ended) == 0 {
		text, _ := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid)) // the process may be gone
		if _, rest, ok := strings.Cut(string(text), "VmHWM:"); ok {
			_, _ = fmt.Sscan(rest, &peak)
		}
		time.Sleep(2 * time.Millisecond)
	}
	return peak
}
