package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/perftrack/perftrack/engine/transformer"
	"github.com/perftrack/perftrack/engine/workloads"
	"github.com/perftrack/perftrack/runner/naming"
	"github.com/perftrack/perftrack/runner/record"
	"github.com/perftrack/perftrack/runner/record/runtest"
)

// compareFiles runs `perftrack compare` on files and returns its output.
func compareFiles(t *testing.T, args ...string) string {
	t.Helper()
	cmd := exec.Command("perftrack", append([]string{"compare"}, args...)...)
	cmd.Dir = t.TempDir()
	cmd.Env = append(os.Environ(), "HOME="+cmd.Dir, "XDG_DATA_HOME="+cmd.Dir, "PERFTRACK_DB=")
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return string(out)
}

// The comparison of two reports shows the figures in their project's own comparison report, and
// more.
func TestCompareProfileCorpus(t *testing.T) {
	folder, err := filepath.Abs("../../../shared/corpora/smallmind")
	if err != nil {
		t.Fatal(err)
	}
	before, after := filepath.Join(folder, "comparisons/2dd125bd-previous-profile-report.md"), filepath.Join(folder, "13-2dd125bd-enhanced-profile-report.md")
	if _, err := os.Stat(before); err != nil {
		t.Skip("SKIPPED: no profile reports in ../shared/corpora: nothing was checked against a real comparison")
	}
	got := compareFiles(t, "--format", "markdown", before, after)
	for _, want := range []string{
		"| total runtime, sum of all rows | 5,591.91 ms | 10,312.68 ms | +4,720.77 ms | +84.4 % |",
		"| methods | 29 | 29 | 29 in both |   |",
		"| `MatMul_512x512` | 119.89 | 414.73 | +294.84 | +245.9 % | `MatMul_Iteration` |",
		"| `MatMul_512x512` | 2.24 | 0.65 | -1.59 | -71.1 % |",
		"| `GELU_1000000` | 59.22 | 178.07 | +118.85 | +200.7 % | `GELU_Iteration` |",
		"| `Softmax_2048` | 2.01 | 0.27 | -1.74 | -86.6 % | `Softmax_Iteration` |",
		"| Small | throughput | 55.12 tok/s | 55.84 tok/s |",
		"| Medium | throughput | 20.46 tok/s | 9.79 tok/s |",
		"| Small | latency per token | 18.14 ms | 17.91 ms |",
		"| Medium | memory per token | 29.38 MiB | 29.38 MiB |",
		"| time per token, Medium / Small | 2.69x | 5.70x |",
		"| efficiency | 2.72x | 1.29x |",
		"efficiency = (parameters Medium / Small) / (time per token Medium / Small)",
		"only 1 sample per side, so nothing can be tested",
		"| `Model_Medium_Forward` | 1,221.40 | 2,553.49 | +1,332.09 | +109.1 % | `Model_Medium_Inference, Model_Medium_GenerateToken` |",
		"| `Model_Medium_GenerateToken` | 1,221.89 | 2,553.92 | +1,332.03 | +109.0 % ",
		"printed as 0 because it is below the last digit of the report",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q", want)
		}
	}
	if strings.Contains(got, "total-sec") || strings.Contains(got, "| `Model_Medium_Inference` | 1,221.98 | 2,553.97 | +1,331.99 | +109.0 % |\n") {
		t.Error("a table of totals, or a nested row as a change of its own")
	}
	if t.Failed() {
		t.Log(got)
	}
}

// Runs without definitions of the engine's names use the built-in definitions, so these must agree
// with the engine's declarations.
func TestNamesMeanWhatTheEngineDeclares(t *testing.T) {
	engine := naming.EngineOf()
	checked := 0
	for _, w := range workloads.All() {
		if flops, ok := engine.FLOPs(w.Name); ok {
			checked++
			if flops != float64(w.FLOPs) {
				t.Errorf("%s: %v FLOPs, the engine declares %d", w.Name, flops, w.FLOPs)
			}
		}
	}
	if checked < 15 {
		t.Errorf("only %d workloads with a size in their name", checked)
	}
	for i, config := range []transformer.Config{transformer.Small, transformer.Medium} {
		if got := engine.Models[i].Parameters; got != config.ParameterCount() {
			t.Errorf("%s: %d parameters, the engine's has %d", engine.Models[i].Name, got, config.ParameterCount())
		}
		want := naming.Shape{Vocabulary: config.Vocab, Context: config.Context, Width: config.Dim, Layers: config.Layers, Heads: config.Heads}
		if got, ok := naming.ShapeOf(engine.Models[i]); !ok || got != want {
			t.Errorf("%s: %+v, the engine's is %+v", engine.Models[i].Name, got, want)
		}
	}
	for _, suite := range workloads.Suites() {
		if !naming.EngineSuite(suite) {
			t.Errorf("suite %s is not known for one of the engine's", suite)
		}
	}
}

// The engine prints the definitions of its names. Runs without these lines use the same
// definitions.
func TestEnginePrintsWhatNamesMean(t *testing.T) {
	var stdout, stderr bytes.Buffer
	if code := workloads.Main([]string{"-bench", "^BroadcastAdd_100x100$", "-benchtime", "1x"}, &stdout, &stderr); code != 0 {
		t.Fatalf("engine: %d\n%s", code, &stderr)
	}
	run := runtest.Parse(t, stdout.String())[0]
	for _, key := range []string{record.KeyParameters, record.KeyFLOPs} {
		if run.Facts.Get(key) == "" {
			t.Errorf("no line %s in\n%s", key, &stdout)
		}
	}
	if got, want := naming.EngineOf(run), naming.EngineOf(); !reflect.DeepEqual(got, want) {
		t.Errorf("printed %+v, known %+v", got, want)
	}
}
