package format

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"golang.org/x/perf/benchfmt"
	"pgregory.net/rapid"

	_ "github.com/perftrack/perftrack/runner/drawtest"
	"github.com/perftrack/perftrack/runner/record"
	"github.com/perftrack/perftrack/runner/record/decode"
)

// mixedLines are lines to draw from. Results are repeated, so that they are as common as configuration.
var mixedLines = []string{
	"BenchmarkA 1 1 u", "BenchmarkA 2 3 u", "BenchmarkA 1 1 u", "BenchmarkB \t 3 2.5 x  \t", "BenchmarkA 1 1e3 u", "BenchmarkB 4 1 u",
	"BenchmarkA 3 1 u", "BenchmarkB 7 9.25 u", "BenchmarkC", "PASS", "", "Unit u better=higher",
	"round: 1", "round: 2", "round: ", "order: 3", "order: 04", "order:", "pkg: x", "pkg:\ty ", "suite: s",
	"note: x", "note: y", "note:", "k: x", "k: y", "k:",
}

// For any mix of configuration lines and results, the reader returns the same records as benchfmt's
// reader. A Builder adds each value to the run and the benchmark named above it, even if the reader
// overwrites its results.
func TestConfigurationAboveResults(t *testing.T) {
	for _, lines := range [][]string{
		{"round: 1", "note: x", "BenchmarkA 1 1 u", "round: ", "order: 3", "BenchmarkA 1 2 u"},
		{"note: x", "BenchmarkA 1 1 u", "note:", "k: x", "BenchmarkA 1 2 u"},
		{"pkg: x", "BenchmarkA 1 1 u", "pkg: y", "BenchmarkA 1 2 u", "pkg: x", "BenchmarkA 1 3 u"},
	} {
		checkConfiguration(t, lines)
	}
	rapid.Check(t, func(t *rapid.T) {
		checkConfiguration(t, rapid.SliceOfN(rapid.SampledFrom(mixedLines), 0, 60).Draw(t, "lines"))
	})
}

func checkConfiguration(t rapid.TB, lines []string) {
	text := strings.Join(lines, "\n") + "\n"
	var ours, theirs decode.Builder
	var got, want strings.Builder
	err := Read("gobench", []byte(text), "f", func(rec benchfmt.Record) error {
		got.WriteString(render(rec) + "\n")
		return ours.Add(rec)
	})
	if err != nil {
		t.Fatal(err)
	}
	values := map[string][]float64{} // by configuration and name
	for reader := benchfmt.NewReader(strings.NewReader(text), "f"); reader.Scan(); {
		rec := reader.Result()
		want.WriteString(render(rec) + "\n")
		if result, ok := rec.(*benchfmt.Result); ok {
			above := record.Settings{}
			for _, key := range []string{"k", "note", "pkg", "suite"} {
				above = above.Set(key, strings.TrimSpace(result.GetConfig(key)))
			}
			key := fmt.Sprintf("%v %s", above, result.Name)
			values[key] = append(values[key], result.Values[0].Value)
		}
		if err := theirs.Add(rec); err != nil {
			t.Fatal(err)
		}
	}
	if got.String() != want.String() {
		t.Errorf("records of\n%s\n%s\nwant\n%s", text, &got, &want)
	}
	for name, b := range map[string]*decode.Builder{"this package": &ours, "benchfmt": &theirs} {
		if built := valuesOf(t, b); fmt.Sprint(built) != fmt.Sprint(sorted(values)) {
			t.Errorf("values by the reader of %s of\n%s\n%v\nwant\n%v", name, text, built, values)
		}
	}
}

// valuesOf returns the values of a Builder's runs, by configuration and name.
func valuesOf(t rapid.TB, b *decode.Builder) map[string][]float64 {
	runs, err := b.Runs()
	if err != nil {
		t.Fatal(err)
	}
	values := map[string][]float64{}
	for _, r := range runs {
		for _, b := range r.Benchmarks {
			key := fmt.Sprintf("%v %s", slices.Clone(r.Facts).Set("pkg", b.Package).Set("suite", b.Suite), b.Name)
			for _, s := range b.Samples {
				values[key] = append(values[key], s.Present()...)
			}
		}
	}
	return sorted(values)
}

func sorted(values map[string][]float64) map[string][]float64 {
	for _, v := range values {
		slices.Sort(v)
	}
	return values
}
