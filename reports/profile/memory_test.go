package profile

import (
	"strings"
	"testing"

	"github.com/perftrack/perftrack/reports/reporttest"
	"github.com/perftrack/perftrack/runner/record/runtest"
)

// memoryText is a profile with pairs of scopes that do the same work, one of which saves memory,
// and with garbage collections and peak memory as printed by the program.
const memoryText = `profile: scopes
suite: memory
Tensors_Fresh 20 50000 ns/op 43000 min-ns/op 82000 B/op 6 allocs/op 0.25 gc/op
Tensors_Pooled 20 41000 ns/op 38000 min-ns/op 4100 B/op 0.5 allocs/op 0 gc/op
Add_Allocating_64 10 9000 ns/op 8000 min-ns/op 1024 B/op 2 allocs/op
Add_InPlace_64 10 4000 ns/op 3000 min-ns/op 0 B/op 0 allocs/op
Load 1 900000 ns/op 512 B/op 4 allocs/op 3 gc/op 2097152 peak-B
Alone_Pooled 1 100 ns/op 0 B/op 0 allocs/op
`

func TestSavings(t *testing.T) {
	r := Report(runtest.Read(t, memoryText))
	for heading, want := range map[string]string{
		"Pooled against fresh":                          "Tensors_Fresh | Tensors_Pooled | 80.08 KiB | 4.004 KiB | 95.0 % | 6.00 | 0.50 | 43.00 µs | 38.00 µs",
		"In place against allocating":                   "Add_Allocating_64 | Add_InPlace_64 | 1.000 KiB | 0 B | 100.0 % | 2.00 | 0.00 | 8.000 µs | 3.000 µs",
		"Garbage collections and peak memory, by scope": "Load | 3 | 2.000 MiB\nTensors_Fresh | 0.250 | \nTensors_Pooled | 0 | ",
	} {
		if got := reporttest.Cells(reporttest.Heading(t, r, heading)); got != want {
			t.Errorf("%s:\n%s\nwant\n%s", heading, got, want)
		}
	}
}

// The number of examples per second follows from the number of examples in a call, which the
// program prints.
func TestTraining(t *testing.T) {
	r := Report(runtest.Read(t, "profile: scopes\nsuite: training\nexamples-per-call: train_epoch=8\ntrain_epoch 2 40000000 ns/op\ntrain_epoch/train_step 4 20000000 ns/op\n"))
	if got, want := reporttest.Cells(reporttest.Heading(t, r, "Training")), "train_epoch | 200.0 | 8 | 40.00 ms"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

// Nothing is shown for values that were not counted.
func TestNothingOfMemory(t *testing.T) {
	for what, tt := range map[string]struct{ text, without string }{
		"no allocations counted":   {"profile: scopes\nT_Fresh 2 50 ns/op\nT_Pooled 2 40 ns/op\n", "Pooled against fresh"},
		"of one nothing counted":   {"profile: scopes\nT_Fresh 2 50 ns/op 9 B/op\nT_Pooled 2 40 ns/op\n", "Pooled against fresh"},
		"no pair":                  {"profile: scopes\nT_Fresh 2 50 ns/op 9 B/op\nU_Pooled 2 40 ns/op 0 B/op\n", "Pooled against fresh"},
		"pairs of different suite": {"profile: scopes\nsuite: a\nT_Fresh 2 50 ns/op 9 B/op\nsuite: b\nT_Pooled 2 40 ns/op 0 B/op\n", "Pooled against fresh"},
		"no collections":           {"profile: scopes\nT_Fresh 2 50 ns/op 9 B/op\nT_Pooled 2 40 ns/op 0 B/op\n", "memory, by scope"},
		"of a benchmark":           {"T_Fresh 2 50 ns/op 9 B/op 1 gc/op\nprofile: scopes\nA 2 50 ns/op\n", "memory, by scope"},
	} {
		r := Report(runtest.Read(t, tt.text))
		if text := reporttest.Write(t, r, "txt"); strings.Contains(text, tt.without) {
			t.Errorf("%s: %q in\n%s", what, tt.without, text)
		}
	}
	if text := reporttest.Write(t, Report(runtest.Read(t, kernelText)), "json"); strings.Contains(text, "savings") || strings.Contains(text, "collections") {
		t.Errorf("fields of nothing in\n%s", text)
	}
}

// The bytes saved are shown even if objects and fastest calls are unknown. If neither method
// allocates anything, nothing is saved. If the second method allocates more, the saving is
// negative.
func TestSavingsOfLittle(t *testing.T) {
	for text, want := range map[string]string{
		"T_Fresh 2 50 ns/op 200 B/op\nT_Pooled 2 40 ns/op 50 B/op\n":  "T_Fresh | T_Pooled | 200 B | 50 B | 75.0 %",
		"T_Fresh 2 50 ns/op 0 B/op\nT_Pooled 2 40 ns/op 0 B/op\n":     "T_Fresh | T_Pooled | 0 B | 0 B",
		"T_Fresh 2 50 ns/op 100 B/op\nT_Pooled 2 40 ns/op 150 B/op\n": "T_Fresh | T_Pooled | 100 B | 150 B | -50.0 %",
	} {
		r := Report(runtest.Read(t, "profile: scopes\n"+text))
		if got := reporttest.Cells(reporttest.Heading(t, r, "Pooled against fresh")); got != want {
			t.Errorf("%q of\n%s\nwant %q", got, text, want)
		}
	}
}

// The garbage collections shown are from the same round as all other figures.
func TestCollectionsOfTheShownRound(t *testing.T) {
	r := Report(runtest.Read(t, "profile: scopes\nA 1 100 ns/op 1 gc/op\nA 1 300 ns/op 3 gc/op\nA 1 200 ns/op 2 gc/op\n"))
	if got := reporttest.Cells(reporttest.Heading(t, r, "Garbage collections and peak memory, by scope")); got != "A | 2" {
		t.Errorf("%q, want those of the round of 200 ns", got)
	}
}
