package decode

import (
	"bytes"
	"os"
	"strings"
	"testing"

	"golang.org/x/perf/benchfmt"

	"github.com/perftrack/perftrack/runner/record"
)

func build(t *testing.T, text string, def record.Run) []*record.Run {
	t.Helper()
	b := Builder{Default: def}
	r := benchfmt.NewReader(strings.NewReader(text), "test.txt")
	for r.Scan() {
		if err := b.Add(r.Result()); err != nil {
			t.Fatal(err)
		}
	}
	runs, err := b.Runs()
	if err != nil {
		t.Fatal(err)
	}
	return runs
}

func text(t *testing.T, runs ...*record.Run) string {
	t.Helper()
	var buf bytes.Buffer
	w := record.NewWriter(&buf)
	for _, r := range runs {
		if err := w.Write(r); err != nil {
			t.Fatal(err)
		}
	}
	return buf.String()
}

// A run that was imported and then written is read back as the same run, both alone and after other
// runs in the same stream.
func TestRoundTrip(t *testing.T) {
	inputs := []string{
		"goos: linux\nUnit GFLOPS better=higher\npkg: a\nBenchmarkX-2 10 5 ns/op 3 GFLOPS\nBenchmarkX-2 11 6 ns/op\npkg: b\nBenchmarkX-2 1 0 ns/op\n",
		"note: slow day\nstatus: odd\nBenchmarkSort/n-10 3 7.25 ns/op 1e+300 MB/s\nBenchmarkY 4 1e-9 ns/op\n",
		"BenchmarkA 1 2 ns/op\nBenchmarkA-4 1 3 ns/op\nBenchmarkA-4 1 4 ns/op\n",
		"profile: scopes\nBenchmarkInference/Forward 25 100 ns/op\n",
		"Unit ns/op from=ms better=lower\nUnit ops/s from=it/s\nBenchmarkX 1 2e6 ns/op 500 ops/s 3e4 sd-ns/op 100 summary-n\n",
	}
	var all []*record.Run
	for _, in := range inputs {
		runs := build(t, in, record.Run{Target: "imported"})
		all = append(all, runs...)
		for _, r := range runs {
			once := text(t, r)
			again := build(t, once, record.Run{})
			if len(again) != 1 {
				t.Fatalf("%d runs read back from\n%s", len(again), once)
			}
			if got := text(t, again[0]); got != once {
				t.Errorf("wrote\n%s\nread back as\n%s", once, got)
			}
		}
	}
	back := build(t, text(t, all...), record.Run{})
	if len(back) != len(all) {
		t.Fatalf("%d runs in one stream read back as %d", len(all), len(back))
	}
	for i := range all {
		if all[i].ID() != back[i].ID() {
			t.Errorf("run %d changed in company:\n%s\n%s", i, text(t, all[i]), text(t, back[i]))
		}
	}
}

// The units that a file was in are kept with the unit that they became, and other readers of the
// format keep them, too.
func TestFrom(t *testing.T) {
	meta := func(unit, key, value string) *benchfmt.UnitMetadata {
		return &benchfmt.UnitMetadata{UnitMetadataKey: benchfmt.UnitMetadataKey{Key: key}, OrigUnit: unit, Value: value}
	}
	for _, tt := range []struct{ values, want, err string }{
		{"ms", "ms", ""},
		{"us ms us s", "ms,s,us", ""},
		{"us,ms", "ms,us", ""},
		{"", "", ""},
		{strings.Repeat("u", record.MaxFromLen), strings.Repeat("u", record.MaxFromLen), ""},
		{strings.Repeat("u", record.MaxFromLen+1), "", "original units of ns/op are longer than 64 bytes"},
		{"m\xff", "", `original unit "m\xff" of ns/op is not valid UTF-8`},
	} {
		var b Builder
		result := benchfmt.Result{Name: benchfmt.Name("X"), Iters: 1, Values: []benchfmt.Value{{Value: 1, Unit: "sec/op", OrigValue: 1e9, OrigUnit: "ns/op"}}}
		for _, rec := range []benchfmt.Record{meta("ns/op", "better", "lower"), &result} {
			if err := b.Add(rec); err != nil {
				t.Fatal(err)
			}
		}
		for _, value := range strings.Split(tt.values, " ") {
			if err := b.Add(meta("ns/op", "from", value)); err != nil {
				t.Fatal(err)
			}
		}
		runs, err := b.Runs()
		if tt.err != "" {
			if err == nil || !strings.Contains(err.Error(), tt.err) {
				t.Errorf("from %q: error %v, want %s", tt.values, err, tt.err)
			}
			continue
		}
		if want := (record.Unit{Name: "ns/op", Better: -1, From: tt.want}); err != nil || runs[0].Units[0] != want {
			t.Errorf("from %q: %v %+v, want %+v", tt.values, err, runs, want)
			continue
		}
		r := benchfmt.NewReader(strings.NewReader(text(t, runs...)), "test.txt")
		for r.Scan() {
			if rec, bad := r.Result().(*benchfmt.SyntaxError); bad {
				t.Error(rec)
			}
		}
		if kept := r.Units().Get("ns/op", "from"); (kept != nil) != (tt.want != "") || kept != nil && kept.Value != tt.want {
			t.Errorf("from %q: benchfmt kept %+v, want %s", tt.values, kept, tt.want)
		}
	}
}

func TestRoundTripCorpus(t *testing.T) {
	data, err := os.ReadFile("../../shared/corpora/benchfmt/crc-old.txt")
	if err != nil {
		t.Skip("corpus not here: ", err)
	}
	runs := build(t, string(data), record.Run{})
	if len(runs) != 1 || runs[0].Env.Get("gomaxprocs") != "8" {
		t.Fatalf("%d runs, environment %v", len(runs), runs[0].Env)
	}
	back := build(t, text(t, runs...), record.Run{})
	if back[0].ID() != runs[0].ID() {
		t.Error("read back with another id")
	}
}

func TestGomaxprocsSuffix(t *testing.T) {
	for _, tt := range []struct {
		name, in string
		want     []string // "gomaxprocs name name ..." for each run
	}{
		{"all the same", "BenchmarkA-8 1 1 ns/op\nBenchmarkB/n-10-8 1 1 ns/op\n", []string{"8 A B/n-10"}},
		{"none", "BenchmarkA 1 1 ns/op\nBenchmarkB/n=10 1 1 ns/op\n", []string{" A B/n=10"}},
		{"GOMAXPROCS=1 with numbered names", "BenchmarkA 1 1 ns/op\nBenchmarkB/n-10 1 1 ns/op\nBenchmarkB/n-20 1 1 ns/op\n", []string{" A B/n-10 B/n-20"}},
		{"-cpu 1,2", "BenchmarkA 1 1 ns/op\nBenchmarkA-2 1 1 ns/op\nBenchmarkB 1 1 ns/op\nBenchmarkB-2 1 1 ns/op\n", []string{"1 A B", "2 A B"}},
		{"known to be 1", "gomaxprocs: 1\nBenchmarkB/n-10 1 1 ns/op\n", []string{"1 B/n-10"}},
		{"known to be 4", "gomaxprocs: 4\nBenchmarkB/n-10-4 1 1 ns/op\n", []string{"4 B/n-10"}},
		{"nothing but a suffix", "gomaxprocs: 4\nBenchmark-4 1 1 ns/op\n", []string{"4 -4"}},
		{"leading zero is a name", "BenchmarkB-08 1 1 ns/op\n", []string{" B-08"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var got []string
			for _, r := range build(t, tt.in, record.Run{}) {
				s := r.Env.Get("gomaxprocs")
				for _, b := range r.Benchmarks {
					s += " " + b.Name
				}
				got = append(got, s)
			}
			if strings.Join(got, "|") != strings.Join(tt.want, "|") {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}
