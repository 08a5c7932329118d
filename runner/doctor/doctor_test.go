package doctor

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/rogpeppe/go-internal/txtar"
)

var update = flag.Bool("update", false, "rewrite the golden parts of testdata")

// Each archive contains a machine's /proc and /sys, its CPUs, and the expected diagnosis.
func TestConditions(t *testing.T) {
	paths, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(paths) < 5 {
		t.Fatalf("%d machines: %v", len(paths), err)
	}
	for _, path := range paths {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".txtar"), func(t *testing.T) {
			a, err := txtar.ParseFile(path)
			if err != nil {
				t.Fatal(err)
			}
			root, want := t.TempDir(), ""
			var cpus cpuFacts
			a.Files = slices.DeleteFunc(a.Files, func(f txtar.File) bool {
				if f.Name == "want" {
					want = string(f.Data)
				}
				return f.Name == "want"
			})
			for _, f := range a.Files {
				if f.Name == "cpus" {
					if _, err := fmt.Sscan(string(f.Data), &cpus.count, &cpus.procs); err != nil {
						t.Fatal(err)
					}
					continue
				}
				writeFiles(t, root, map[string]string{f.Name: string(f.Data)})
			}
			got := conditionText(hostFiles{root}.conditions(cpus))
			if *update {
				a.Files = append(a.Files, txtar.File{Name: "want", Data: []byte(got)})
				if err := os.WriteFile(path, txtar.Format(a), 0o644); err != nil {
					t.Fatal(err)
				}
				return
			}
			if got != want {
				t.Errorf("got\n%s\nwant\n%s", got, want)
			}
		})
	}
}

func conditionText(conditions []Condition) string {
	var b strings.Builder
	for _, c := range conditions {
		fmt.Fprintln(&b, strings.TrimSpace(fmt.Sprintf("%s %s: %s", c.State, c.Name, c.Found)))
		if c.Remedy != "" {
			fmt.Fprintf(&b, "    %s\n", c.Remedy)
		}
	}
	return b.String()
}

func TestDuring(t *testing.T) {
	before := activity{total: 1000, steal: 1, processes: map[int]processTicks{1: {"init", 50}, 2: {"browser", 100}, 3: {"gone", 5}}}
	for _, tt := range []struct {
		name  string
		after activity
		want  string
	}{
		{"quiet", activity{total: 1600, steal: 1, processes: map[int]processTicks{1: {"init", 51}, 2: {"browser", 100}}},
			"quiet steal: 0.00 % of the time now, 0.06 % since boot\nquiet other programs: each below 2 % of the CPUs\n"},
		{"busy", activity{total: 1600, steal: 61, processes: map[int]processTicks{
			1: {"init", 50}, 2: {"browser", 190}, 4: {"make", 30}, 5: {"make", 30}, 6: {"a", 12}, 7: {"b", 12}, os.Getpid(): {"we", 600}}},
			"noisy steal: 10.00 % of the time now, 3.81 % since boot\n" +
				"    the host runs more virtual machines than it has CPUs: use an instance with dedicated CPUs, or try another time of day\n" +
				"noisy other programs: browser 15 %, make 10 %, a 2 % of the CPUs\n" +
				"    close them, or wait until they have finished\n"},
		{"no /proc", activity{}, "unknown steal:\nunknown other programs:\n"},
	} {
		if got := conditionText(during(before, tt.after)); got != tt.want {
			t.Errorf("%s: got\n%s\nwant\n%s", tt.name, got, tt.want)
		}
	}
}

func TestActivity(t *testing.T) {
	root := t.TempDir()
	writeFiles(t, root, map[string]string{
		"proc/stat":    "cpu  10 20 30 40 50 60 70 80 90 100\ncpu0 1 1 1 1 1 1 1 1 1 1\n",
		"proc/7/stat":  "7 (a b) c) S 1 7 7 0 -1 4194560 1 2 3 4 21 22 0 0 20 0 1 0 5 6 7\n",
		"proc/8/stat":  "8 (cut) S 1 8\n",
		"proc/9/stat":  "",
		"proc/10/stat": "10 (bad) S 1 7 7 0 -1 4194560 1 2 3 4 x 22 0 0 20 0 1 0 5 6 7\n",
	})
	got := hostFiles{root}.activity()
	if got.total != 360 || got.steal != 80 {
		t.Errorf("total %d, steal %d, want 360, 80", got.total, got.steal)
	}
	if len(got.processes) != 1 || got.processes[7] != (processTicks{"a b) c", 43}) {
		t.Errorf("processes %v", got.processes)
	}
}

func TestNoiseFigure(t *testing.T) {
	times := make([]float64, 100)
	for i := range times {
		times[i] = 0.002
	}
	if n := noiseFigure("x", slices.Clone(times)); n.CV > 1e-12 || n.Worst != 1 || n.Slow != 0 || !n.Quiet() || n.Median != 2*time.Millisecond {
		t.Errorf("equal slices: %+v", n)
	}
	times[3], times[50] = 0.004, 0.003
	n := noiseFigure("x", times)
	if n.Worst != 2 || n.Slow != 0.02 || n.Quiet() || n.CV < 0.1 || n.CV > 0.12 {
		t.Errorf("two slow slices: %+v", n)
	}
	if n := noiseFigure("x", nil); n.Slices != 0 || n.CV != 0 {
		t.Errorf("no slices: %+v", n)
	}
}

func TestDiagnoseHere(t *testing.T) {
	calls := 0
	// At least one slice is measured, even if the given time is too short.
	d, err := Diagnose(t.Context(), Options{Spin: time.Nanosecond, Progress: func(float64) { calls++ }})
	if err != nil {
		t.Fatal(err)
	}
	if calls == 0 || len(d.Noise) != 2 || d.Noise[0].Slices < 1 || d.Noise[1].Median <= 0 {
		t.Errorf("%d calls of progress, noise %+v", calls, d.Noise)
	}
	var names []string
	for _, c := range d.Conditions {
		names = append(names, c.Name)
		if (c.State == Noisy) != (c.Remedy != "") {
			t.Errorf("%+v: a remedy belongs to what is noisy", c)
		}
	}
	if len(names) != 14 {
		t.Errorf("%d conditions: %s", len(names), strings.Join(names, ", "))
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Diagnose(ctx, Options{Spin: time.Hour}); err == nil {
		t.Error("a cancelled diagnosis goes on")
	}
}

func writeFiles(t *testing.T, dir string, files map[string]string) {
	t.Helper()
	tree := fstest.MapFS{}
	for name, text := range files {
		tree[name] = &fstest.MapFile{Data: []byte(text)}
	}
	if err := os.CopyFS(dir, tree); err != nil {
		t.Fatal(err)
	}
}
