package current_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/perftrack/perftrack/reports/current"
	"github.com/perftrack/perftrack/reports/openmetrics/openmetricstest"
	"github.com/perftrack/perftrack/runner/record"
	"github.com/perftrack/perftrack/runner/record/runtest"
)

var update = flag.Bool("update", false, "write the golden files")

// lines returns benchmark lines with a time of 100, 101 ... ns/op and the other values.
func lines(name string, n int, rest string) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "%s 100 %d ns/op %s\n", name, 100+i, rest)
	}
	return b.String()
}

// mixed returns a run with many units, too few samples for some intervals, and names that need
// escapes.
func mixed(t *testing.T) *record.Run {
	t.Helper()
	r := runtest.Read(t, "goos: linux\npkg: example.com/lib\nUnit ops/s better=higher\nUnit instructions/op assume=exact\n"+
		lines("Sort/n=10", 6, "64 B/op 2 allocs/op 250.5 MB/s")+
		lines("Sort/n=9", 1, "9 odd/op 4000 instructions/op")+
		lines(`Quote"Back\slash/é日本<&>`, 5, "1000000000 ops/s")+
		"suite: enhanced\n"+lines("GELU_1000", 6, "4.5 GFLOPS 0 allocs/op"))
	r.Target, r.Commit = "lib", record.Commit{SHA: strings.Repeat("c", 40)}
	return r
}

func golden(t *testing.T, name string, text []byte) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(path, text, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(text, want) {
		t.Errorf("%s: got\n%s\nwant\n%s", name, text, want)
	}
}

func TestGolden(t *testing.T) {
	values, scopes := current.Of(mixed(t))
	if scopes != 0 {
		t.Errorf("%d scopes", scopes)
	}
	text, left, err := current.Bencher(values)
	if err != nil || len(left) > 0 {
		t.Errorf("%q, %v", left, err)
	}
	golden(t, "bencher.json", text)
	unknown := "left out 2 values: it is unknown whether more is better: lib:example.com/lib.Sort/n=9 - instructions/op and 1 more"
	for better, name := range map[int]string{current.Smaller: "github-action-benchmark.json", current.Bigger: "github-action-benchmark-bigger.json"} {
		text, left, err = current.GitHubAction(values, better)
		if err != nil || len(left) != 1 || left[0] != unknown {
			t.Errorf("%q, %v", left, err)
		}
		golden(t, name, text)
	}
	text, left = current.Metrics(values)
	if len(left) > 0 {
		t.Errorf("%q", left)
	}
	golden(t, "metrics.txt", text)
}

// decode reads JSON that has exactly the fields of the type.
func decode(t *testing.T, text []byte, into any) {
	t.Helper()
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode(into); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	if d.More() {
		t.Fatalf("more behind the document\n%s", text)
	}
}

// bencher is the schema of Bencher Metric Format.
type bencher map[string]map[string]struct {
	Value *float64 `json:"value"`
	Lower *float64 `json:"lower_value"`
	Upper *float64 `json:"upper_value"`
}

// action is the schema of github-action-benchmark's custom tools.
type action []struct {
	Name  *string  `json:"name"`
	Unit  *string  `json:"unit"`
	Value *float64 `json:"value"`
	Range string   `json:"range"`
	Extra string   `json:"extra"`
}

// The values are those of the samples, with an interval if there are enough of them.
func TestBencherSchema(t *testing.T) {
	values, _ := current.Of(mixed(t))
	text, _, err := current.Bencher(values)
	if err != nil {
		t.Fatal(err)
	}
	var got bencher
	decode(t, text, &got)
	sort := got["lib:example.com/lib.Sort/n=10"]
	if m := sort["latency"]; *m.Value != 102.5 || *m.Lower != 100 || *m.Upper != 105 {
		t.Errorf("latency %v, %v, %v", *m.Value, *m.Lower, *m.Upper)
	}
	if m := sort["mb-s"]; *m.Value != 250.5 {
		t.Errorf("MB/s %v", *m.Value)
	}
	if m := got["lib:example.com/lib.Sort/n=9"]["latency"]; *m.Value != 100 || m.Lower != nil || m.Upper != nil {
		t.Errorf("one sample: %+v", m)
	}
	if m := got[`lib:example.com/lib.Quote"Back\slash/é日本<&>`]["throughput"]; m.Value == nil || *m.Value != 1e9 {
		t.Errorf("throughput: %+v", m)
	}
	if m := got["lib:enhanced:example.com/lib.GELU_1000"]; len(m) != 3 {
		t.Errorf("a suite: %+v", m)
	}
}

// Each value with a known direction is in one of the two files, and a name identifies a value.
func TestGitHubActionSchema(t *testing.T) {
	values, _ := current.Of(mixed(t))
	known := map[string]float64{}
	for _, better := range []int{current.Smaller, current.Bigger} {
		text, _, err := current.GitHubAction(values, better)
		if err != nil {
			t.Fatal(err)
		}
		var got action
		decode(t, text, &got)
		for _, e := range got {
			if _, twice := known[*e.Name]; twice {
				t.Errorf("%s is there twice", *e.Name)
			}
			known[*e.Name] = *e.Value
			if many := strings.Contains(*e.Name, "n=10") || strings.Contains(*e.Name, "GELU"); many != (e.Range != "") {
				t.Errorf("%s has the range %q", *e.Name, e.Range)
			}
		}
	}
	if len(known) != len(values)-2 || known["lib:example.com/lib.Sort/n=10 - MB/s"] != 250.5 || known["lib:example.com/lib.Sort/n=10"] != 102.5 {
		t.Errorf("%d of %d values: %v", len(known), len(values), known)
	}
}

// The medians are in base units.
func TestMetrics(t *testing.T) {
	values, _ := current.Of(mixed(t))
	text, _ := current.Metrics(values)
	got, err := openmetricstest.Parse(string(text))
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	labels := func(suite, name string) string {
		return fmt.Sprintf(`target="lib",package="example.com/lib",suite="%s",benchmark="%s",environment="%s"`, suite, name, values[0].Environment)
	}
	for name, want := range map[string]float64{
		"perftrack_benchmark_seconds_per_op{" + labels("", "Sort/n=10") + "}":               1.025e-7,
		"perftrack_benchmark_bytes_per_second{" + labels("", "Sort/n=10") + "}":             250500000,
		"perftrack_benchmark_ops_per_second{" + labels("", `Quote"Back\slash/é日本<&>`) + "}": 1e9,
		"perftrack_benchmark_value{" + labels("enhanced", "GELU_1000") + `,unit="GFLOPS"}`:  4.5,
		"perftrack_benchmark_value{" + labels("", "Sort/n=9") + `,unit="instructions/op"}`:  4000,
		"perftrack_benchmark_allocs_per_op{" + labels("enhanced", "GELU_1000") + "}":        0,
		`perftrack_benchmark_commit{target="lib",commit="cccccccccccc"}`:                    float64(len(values)),
		"perftrack_benchmark_series_left_out":                                               0,
	} {
		if v, ok := got[name]; !ok || v != want {
			t.Errorf("%s is %v, %v; want %v", name, v, ok, want)
		}
	}
	if len(got) != len(values)+2 {
		t.Errorf("%d series of %d values", len(got), len(values))
	}
}
