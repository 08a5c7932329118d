package site

import (
	"bytes"
	"encoding/json"
	"math"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/perftrack/perftrack/reports"
	"github.com/perftrack/perftrack/reports/site/documents"
)

// node runs a script from testdata/logic with Node.js, on a page without a document, and returns
// its output.
func node(t *testing.T, script string, input any) []byte {
	t.Helper()
	program, err := exec.LookPath("node")
	if err != nil {
		t.Skip("Node.js is not installed: the logic of the page's scripts is not tested")
	}
	text, err := json.Marshal(input)
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), program, filepath.Join("testdata", "logic", script))
	cmd.Stdin = bytes.NewReader(text)
	var stderr strings.Builder
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%s: %v\n%s%s", script, err, out, stderr.String())
	}
	return out
}

// The scripts in testdata/logic test the folding of names, the filters and the order of benchmarks,
// the reading and writing of addresses, and more.
func TestLogic(t *testing.T) {
	scripts, err := filepath.Glob(filepath.Join("testdata", "logic", "test_*.js"))
	if err != nil || len(scripts) == 0 {
		t.Fatalf("no tests of scripts: %v", err)
	}
	for _, script := range scripts {
		t.Run(strings.TrimSuffix(filepath.Base(script), ".js"), func(t *testing.T) {
			node(t, filepath.Base(script), documents.Index{States: documents.States, Groups: documents.Groups()})
		})
	}
}

// A quantity is a value that both the page and the terminal show.
type quantity struct {
	Value float64 `json:"value"`
	Unit  string  `json:"unit"`
}

// The page shows numbers, parts and changes in the same way as the terminal.
func TestNumbersAsInTheTerminal(t *testing.T) {
	var list []quantity
	for _, unit := range []string{"sec/op", "B/op", "allocs/op", "B/s", "GFLOPS", "tok/s", "sec/op ratio", "disk-B/sec", "sec/disk-B", "ns"} {
		for _, x := range []float64{0, 1, -1, 0.5, 0.99995, 0.999949, 9.9995, 99.995, 999.95, 1000, 1020, 1023.9, 1024, 1.0625 * 1024, 2.5, 1536, 1e-9, 1.2345e-12, 3e-14, 52e-6, 4.096e6, 1e15, 1e18, 1e300, -2.5e-3, 0.0996, 0.00996, 9.94e-3} {
			list = append(list, quantity{x, unit})
		}
		gen := rapid.Custom(func(t *rapid.T) float64 {
			return math.Pow(10, rapid.Float64Range(-13, 20).Draw(t, "power")) * rapid.SampledFrom([]float64{1, -1}).Draw(t, "sign")
		})
		for i := range 200 {
			list = append(list, quantity{gen.Example(i), unit})
		}
	}
	type texts struct{ Value, Portion, Change string }
	var got []texts
	if err := json.Unmarshal(node(t, "numbers.js", list), &got); err != nil {
		t.Fatal(err)
	}
	if len(got) != len(list) {
		t.Fatalf("%d answers to %d questions", len(got), len(list))
	}
	for i, q := range list {
		if want := reports.ScaleFor(q.Unit, q.Value).Format(q.Value); got[i].Value != want {
			t.Errorf("%v %s is shown as %s, in the terminal as %s", q.Value, q.Unit, got[i].Value, want)
		}
		if x := math.Abs(q.Value); x < 1e4 {
			if want := reports.Portion(x); got[i].Portion != want {
				t.Errorf("the part %v is shown as %s, in the terminal as %s", x, got[i].Portion, want)
			}
		}
		if x := q.Value; x > -1 && x < 1 {
			if want := strings.Replace(reports.PlainChange(x), "-", "−", 1); got[i].Change != want {
				t.Errorf("the change %v is shown as %s, in the terminal as %s", x, got[i].Change, want)
			}
		}
	}
}
