package decode_test

import (
	"bytes"
	"maps"
	"math"
	"reflect"
	"strings"
	"testing"
	"time"

	"golang.org/x/perf/benchfmt"
	"pgregory.net/rapid"

	_ "github.com/perftrack/perftrack/runner/drawtest"
	"github.com/perftrack/perftrack/runner/record"
	"github.com/perftrack/perftrack/runner/record/decode"
	"github.com/perftrack/perftrack/store/storetest"
)

// export returns the text of the runs, written as one stream.
func export(t rapid.TB, runs ...*record.Run) string {
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

// read returns the runs in a stream, which must be free of errors. It reads with a default header
// that must not occur in any run.
func read(t rapid.TB, text string) []*record.Run {
	t.Helper()
	b := decode.Builder{Default: record.Run{Target: "default", Trial: "default", Commit: record.Commit{Branch: "default"}}}
	r := benchfmt.NewReader(strings.NewReader(text), "stream")
	for r.Scan() {
		if err := b.Add(r.Result()); err != nil {
			t.Fatalf("%v in\n%s", err, text)
		}
	}
	if err := r.Err(); err != nil {
		t.Fatal(err)
	}
	runs, err := b.Runs()
	if err != nil {
		t.Fatalf("%v in\n%s", err, text)
	}
	return runs
}

// Any valid run is read back unchanged.
func TestRandomRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		run := storetest.Runs().Draw(t, "run")
		text := export(t, run)
		back := read(t, text)
		if len(back) != 1 {
			t.Fatalf("read as %d runs:\n%s", len(back), text)
		}
		if again := export(t, back[0]); again != text || back[0].ID() != run.ID() {
			t.Fatalf("wrote\n%s\nread back as\n%s", text, again)
		}
	})
}

// No field is empty in all of the random runs. Otherwise the tests would pass even if the field
// were never written.
func TestEveryFieldIsDrawn(t *testing.T) {
	empty := map[string]bool{} // whether the field was empty in all runs so far
	runs := storetest.Runs()
	for seed := range 300 {
		for name, zero := range fieldsOf("Run", reflect.ValueOf(*runs.Example(seed))) {
			before, seen := empty[name]
			empty[name] = zero && (before || !seen)
		}
	}
	for name, always := range empty {
		if always {
			t.Errorf("%s is empty in all runs that store/storetest draws", name)
		}
	}
}

// fieldsOf reports for each exported field, including those of nested structs, whether it has its
// zero value. A field of the elements of a list counts as zero only if it is zero in all of them.
func fieldsOf(name string, v reflect.Value) map[string]bool {
	out := map[string]bool{}
	switch {
	case v.Kind() == reflect.Struct && v.Type() != reflect.TypeFor[time.Time]():
		for i := range v.NumField() {
			if field := v.Type().Field(i); field.IsExported() {
				maps.Copy(out, fieldsOf(name+"."+field.Name, v.Field(i)))
			}
		}
	case v.Kind() == reflect.Pointer && !v.IsNil():
		out = fieldsOf(name, v.Elem())
		out[name] = false
	case v.Kind() == reflect.Slice:
		out[name] = v.Len() == 0
		for i := range v.Len() {
			for field, zero := range fieldsOf(name+"[]", v.Index(i)) {
				before, seen := out[field]
				out[field] = zero && (before || !seen)
			}
		}
	default:
		out[name] = v.IsZero()
	}
	return out
}

func TestRandomStreams(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		runs := rapid.SliceOfN(storetest.Runs(), 1, 4).Draw(t, "runs")
		// Add a run with the same header as the first one, and then the first one again.
		if rapid.Bool().Draw(t, "twin") {
			twin := *runs[0]
			twin.Benchmarks = storetest.Runs().Filter(storetest.Measured).Draw(t, "twin's").Benchmarks
			runs = append(runs, &twin, runs[0])
		}
		text := export(t, runs...)
		back := read(t, text)
		if len(back) != len(runs) {
			t.Fatalf("%d runs read as %d:\n%s", len(runs), len(back), text)
		}
		for i := range runs {
			if back[i].ID() != runs[i].ID() {
				t.Fatalf("run %d changed in company:\n%s\n%s", i, export(t, runs[i]), export(t, back[i]))
			}
		}
		if again := export(t, back...); again != text {
			t.Fatalf("wrote\n%s\nread and written again\n%s", text, again)
		}
	})
}

func plain() *record.Run {
	return &record.Run{
		Target: "engine", Status: record.Complete,
		Env:   record.Settings{{Key: "goos", Value: "linux"}},
		Facts: record.Settings{{Key: "note", Value: "none"}},
		Benchmarks: []record.Benchmark{{
			BenchmarkID: record.BenchmarkID{Kind: record.Bench, Name: "A"},
			Rounds:      []record.Round{{N: 1, Iters: 1}},
			Samples:     []record.Samples{{Unit: "ns/op", Values: []float64{1}}},
		}},
	}
}

// A run that could not be read back is rejected before anything is written.
func TestHostileRuns(t *testing.T) {
	long := strings.Repeat("x", 70_000)
	for _, tt := range []struct {
		name   string
		change func(*record.Run)
		want   string // part of the error
	}{
		{"newline in a value", func(r *record.Run) { r.Facts[0].Value = "a\nb" }, "control character U+000A"},
		{"carriage return in a value", func(r *record.Run) { r.Facts[0].Value = "a\rb" }, "control character"},
		{"NUL in a value", func(r *record.Run) { r.Facts[0].Value = "a\x00b" }, "control character"},
		{"invalid UTF-8", func(r *record.Run) { r.Facts[0].Value = "a\xff" }, "UTF-8"},
		{"long value", func(r *record.Run) { r.Facts[0].Value = long }, "longer than 1024 bytes"},
		{"key with a space", func(r *record.Run) { r.Facts[0].Key = "a b" }, "space"},
		{"key with a colon", func(r *record.Run) { r.Facts[0].Key = "a:b" }, "colon"},
		{"key in upper case", func(r *record.Run) { r.Facts[0].Key = "Note" }, "lower-case letter"},
		{"key of the header", func(r *record.Run) { r.Facts[0].Key = "status" }, "is reserved"},
		{"key of a sample", func(r *record.Run) { r.Facts[0].Key = "pkg" }, "is reserved"},
		{"key of the environment", func(r *record.Run) { r.Facts[0].Key = "goos" }, "is reserved"},
		{"key twice", func(r *record.Run) { r.Facts = append(r.Facts, r.Facts[0]) }, "twice"},
		{"fact in the environment", func(r *record.Run) { r.Env[0].Key = "kernel" }, "not part"},
		{"gomaxprocs", func(r *record.Run) { r.Env[0] = record.Setting{Key: "gomaxprocs", Value: "4 of 8"} }, "gomaxprocs"},
		{"target", func(r *record.Run) { r.Target = " engine" }, "begins or ends with a space"},
		{"branch", func(r *record.Run) { r.Commit.Branch = "a\nstatus: failed" }, "control character"},
		{"commit", func(r *record.Run) { r.Commit.SHA = "HEAD" }, "not a hash"},
		{"status", func(r *record.Run) { r.Status = "fine" }, "not complete"},
		{"side", func(r *record.Run) { r.Side = "left" }, "not base"},
		{"year", func(r *record.Run) { r.Start = time.Date(12_000, 1, 1, 0, 0, 0, 0, time.UTC) }, "year 12000"},
		{"declared unit", func(r *record.Run) { r.Units = []record.Unit{{Name: "a b"}} }, "space"},
		{"failures", func(r *record.Run) { r.Failures = []record.Failure{{Reason: long}} }, "longer than"},
		{"no samples", func(r *record.Run) { r.Benchmarks = nil }, "no samples"},
		{"no rounds", func(r *record.Run) { r.Benchmarks[0].Rounds, r.Benchmarks[0].Samples = nil, nil }, "no samples"},
		{"benchmark twice", func(r *record.Run) { r.Benchmarks = append(r.Benchmarks, r.Benchmarks[0]) }, "twice"},
		{"name with a space", func(r *record.Run) { r.Benchmarks[0].Name = "A B" }, "space"},
		{"name with a no-break space", func(r *record.Run) { r.Benchmarks[0].Name = "A\u00a0B" }, "space"},
		{"name with an escape", func(r *record.Run) { r.Benchmarks[0].Name = "A\x1b[2J" }, "control"},
		{"no name", func(r *record.Run) { r.Benchmarks[0].Name = "" }, "has no name"},
		{"long name", func(r *record.Run) { r.Benchmarks[0].Name = long }, "longer than 512 bytes"},
		{"kind", func(r *record.Run) { r.Benchmarks[0].Kind = "" }, "kind"},
		{"package", func(r *record.Run) { r.Benchmarks[0].Package = "a " }, "begins or ends"},
		{"unit", func(r *record.Run) { r.Benchmarks[0].Samples[0].Unit = "" }, "has no unit"},
		{"long unit", func(r *record.Run) { r.Benchmarks[0].Samples[0].Unit = long }, "longer than 32 bytes"},
		{"unit twice", func(r *record.Run) {
			r.Benchmarks[0].Samples = append(r.Benchmarks[0].Samples, record.Samples{Unit: "ns/op", Values: []float64{2}})
		}, "twice"},
		{"infinite", func(r *record.Run) { r.Benchmarks[0].Samples[0].Values[0] = math.Inf(1) }, "finite"},
		{"negative", func(r *record.Run) { r.Benchmarks[0].Samples[0].Values[0] = -1 }, "finite"},
		{"no value in a round", func(r *record.Run) {
			r.Benchmarks[0].Rounds = append(r.Benchmarks[0].Rounds, record.Round{N: 2})
			r.Benchmarks[0].Samples[0].Values = []float64{1, math.NaN()}
		}, "round 2 has no value"},
		{"lengths", func(r *record.Run) { r.Benchmarks[0].Samples[0].Values = []float64{1, 2} }, "1 rounds and 2 values"},
		{"warm-up", func(r *record.Run) { r.Benchmarks[0].Rounds[0].N = 0 }, "round 0"},
		{"iterations", func(r *record.Run) { r.Benchmarks[0].Rounds[0].Iters = -1 }, "-1 iterations"},
		{"slices", func(r *record.Run) { r.Benchmarks[0].Rounds[0].Slices = -1 }, "slices is -1"},
		{"negative spread", func(r *record.Run) { r.Benchmarks[0].Rounds[0] = record.Round{N: 1, Slices: 3, Spread: -.1} }, "slice-spread is -0.1"},
		{"infinite spread", func(r *record.Run) { r.Benchmarks[0].Rounds[0] = record.Round{N: 1, Slices: 3, Spread: math.Inf(1)} }, "finite"},
		{"no number as spread", func(r *record.Run) { r.Benchmarks[0].Rounds[0] = record.Round{N: 1, Slices: 3, Spread: math.NaN()} }, "finite"},
		{"spread of no slices", func(r *record.Run) { r.Benchmarks[0].Rounds[0].Spread = .1 }, "no slices"},
		{"negative mean", func(r *record.Run) { r.Benchmarks[0].Rounds[0] = record.Round{N: 1, Slices: 3, Mean: -1} }, "slice-mean is -1"},
		{"infinite mean", func(r *record.Run) { r.Benchmarks[0].Rounds[0] = record.Round{N: 1, Slices: 3, Mean: math.Inf(1)} }, "finite"},
		{"more slow slices than all", func(r *record.Run) { r.Benchmarks[0].Rounds[0] = record.Round{N: 1, Slices: 3, Slow: 1.1} }, "slow-slices is 1.1"},
		{"no number of slow slices", func(r *record.Run) { r.Benchmarks[0].Rounds[0] = record.Round{N: 1, Slices: 3, Slow: math.NaN()} }, "finite"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r := plain()
			tt.change(r)
			var buf bytes.Buffer
			err := record.NewWriter(&buf).Write(r)
			if err == nil || !strings.Contains(err.Error(), tt.want) || buf.Len() > 0 {
				t.Errorf("Write: %v and %d bytes, want an error with %q and nothing written", err, buf.Len(), tt.want)
			}
		})
	}
}

// Anything that can be dropped without changing a run's meaning is dropped and does not cause an
// error.
func TestHarmlessRuns(t *testing.T) {
	r := plain()
	r.Facts = record.Settings{{Key: "note", Value: " none \n"}, {Key: "empty", Value: ""}, {Key: "blank", Value: " "}}
	r.Benchmarks = append(r.Benchmarks, record.Benchmark{BenchmarkID: record.BenchmarkID{Kind: record.Bench, Name: "NoRounds"}})
	r.Benchmarks[0].Samples = append(r.Benchmarks[0].Samples, record.Samples{Unit: "B/op", Values: []float64{math.NaN()}})
	r.Benchmarks[0].Samples[0].Values[0] = math.Copysign(0, -1)
	want := plain()
	want.Benchmarks[0].Samples[0].Values[0] = 0
	if got, want := export(t, r), export(t, want); got != want {
		t.Errorf("wrote\n%s\nwant\n%s", got, want)
	}
}

// An unmeasured side of a trial is written as a single run, in a format version rejected by older
// versions of perftrack. Other runs keep their format version.
func TestUnsampledRun(t *testing.T) {
	run := func(side record.Side) *record.Run {
		return &record.Run{
			Target: "lib", Status: record.Complete, Trial: "t1", Side: side,
			Env:   record.Settings{{Key: "gomaxprocs", Value: "2"}},
			Facts: record.Settings{{Key: "same-code", Value: "example.com/lib=3"}},
		}
	}
	const base = "perftrack-run: 2\ntarget: lib\nstatus: complete\ntrial: t1\nside: base\n" +
		"gomaxprocs: 2\nsame-code: example.com/lib=3\nBenchmarkNothingMeasured 1 0 samples\n"
	for _, tt := range []struct {
		name string
		runs []*record.Run
		want string
	}{
		{"alone", []*record.Run{run(record.Base)}, base},
		{"both sides", []*record.Run{run(record.Base), run(record.Head)}, base + "side: head\nBenchmarkNothingMeasured 1 0 samples\n"},
		{"behind another", []*record.Run{plain(), run(record.Base)}, ""},
		{"before another", []*record.Run{run(record.Base), plain(), run(record.Base)}, ""},
	} {
		text := export(t, tt.runs...)
		if tt.want != "" && text != tt.want {
			t.Errorf("%s:\n%s\nwant\n%s", tt.name, text, tt.want)
		}
		for i, back := range read(t, text) {
			if back.ID() != tt.runs[i].ID() || len(back.Benchmarks) != len(tt.runs[i].Benchmarks) {
				t.Errorf("%s: run %d read back as %+v", tt.name, i, back)
			}
		}
	}
	if one, err := decode.ParseRun([]byte(base)); err != nil || one.ID() != run(record.Base).ID() {
		t.Errorf("parsed as %+v, %v", one, err)
	}
	// In the output of another program, a benchmark with this name is like any other.
	if runs := read(t, "target: lib\ntrial: t1\nBenchmarkNothingMeasured 1 0 samples\n"); len(runs[0].Benchmarks) != 1 {
		t.Errorf("a benchmark of that name: %+v", runs[0])
	}
	for _, text := range []string{
		strings.Replace(base, "NothingMeasured", "Something", 1),
		strings.Replace(base, " 0 samples", " 1 samples", 1),
		strings.Replace(base, "side: base\n", "", 1),
		strings.Replace(base, "perftrack-run: 2", "perftrack-run: 1", 1) + "BenchmarkNothingMeasured 1 0 samples\n",
	} {
		if one, err := decode.ParseRun([]byte(text)); err == nil {
			t.Errorf("parsed as %+v:\n%s", one, text)
		}
	}
}

// A run without slices keeps its text and id, and so does a run without slice means. Slices and
// slice means each need a format version of their own, which an older perftrack rejects. The means of
// repetitions in processes without slices have that of slice means.
func TestSlicedRun(t *testing.T) {
	const whole = "perftrack-run: 1\ntarget: engine\nstatus: complete\ngoos: linux\nnote: none\n" +
		"round: 1\norder: 0\nBenchmarkA 1 1 ns/op\n"
	sliced := plain()
	b := &sliced.Benchmarks[0]
	b.Rounds = []record.Round{{N: 1, Slices: 30, Spread: 0.0125}, {N: 2, Slices: 28}, {N: 3}}
	b.Samples[0].Values = []float64{1, 2, 3}
	const slices = "perftrack-run: 3\ntarget: engine\nstatus: complete\ngoos: linux\nnote: none\n" +
		"round: 1\norder: 0\nslices: 30\nslice-spread: 0.0125\nBenchmarkA 0 1 ns/op\n" +
		"round: 2\nslices: 28\nslice-spread:\nBenchmarkA 0 2 ns/op\nround: 3\nslices:\nBenchmarkA 0 3 ns/op\n"
	averaged := plain()
	b = &averaged.Benchmarks[0]
	b.Rounds = []record.Round{{N: 1, Slices: 30, Mean: 593.0625, Slow: 0.02}, {N: 2, Slices: 28, Mean: 1e-7}, {N: 3}}
	b.Samples[0].Values = []float64{1, 2, 3}
	const means = "perftrack-run: 4\ntarget: engine\nstatus: complete\ngoos: linux\nnote: none\n" +
		"round: 1\norder: 0\nslices: 30\nslice-mean: 593.0625\nslow-slices: 0.02\nBenchmarkA 0 1 ns/op\n" +
		"round: 2\nslices: 28\nslice-mean: 1e-07\nslow-slices:\nBenchmarkA 0 2 ns/op\nround: 3\nslices:\nslice-mean:\nBenchmarkA 0 3 ns/op\n"
	repeated := plain()
	b = &repeated.Benchmarks[0]
	b.Rounds = []record.Round{{N: 1, Iters: 7, Mean: 3.5, Slow: 0.25}, {N: 2}}
	b.Samples[0].Values = []float64{1, 2}
	const repetitions = "perftrack-run: 4\ntarget: engine\nstatus: complete\ngoos: linux\nnote: none\n" +
		"round: 1\norder: 0\nslice-mean: 3.5\nslow-slices: 0.25\nBenchmarkA 7 1 ns/op\n" +
		"round: 2\nslice-mean:\nslow-slices:\nBenchmarkA 0 2 ns/op\n"
	for _, tt := range []struct {
		run      *record.Run
		text, id string
	}{
		{plain(), whole, "82a5445ccd10d2842f5bb65aa7e42c296edbf42e7ee178c1860615687012bcce"},
		{sliced, slices, ""},
		{averaged, means, ""},
		{repeated, repetitions, ""},
	} {
		if got := export(t, tt.run); got != tt.text {
			t.Errorf("wrote\n%s\nwant\n%s", got, tt.text)
		}
		if id := tt.run.ID(); tt.id != "" && id != tt.id {
			t.Errorf("id %s, want %s", id, tt.id)
		}
		if back, err := decode.ParseRun([]byte(tt.text)); err != nil || back.ID() != tt.run.ID() {
			t.Errorf("parsed as %+v, %v", back, err)
		}
	}
	together := []*record.Run{sliced, plain(), sliced, plain()}
	for i, back := range read(t, export(t, together...)) {
		if back.ID() != together[i].ID() {
			t.Errorf("run %d changed in company:\n%s", i, export(t, back))
		}
	}
	for _, text := range []string{
		strings.Replace(slices, "perftrack-run: 3", "perftrack-run: 1", 1),
		strings.Replace(slices, "perftrack-run: 3", "perftrack-run: 4", 1),
		strings.Replace(whole, "perftrack-run: 1", "perftrack-run: 3", 1),
		strings.Replace(slices, "slices: 30", "slices: -30", 1),
		strings.Replace(slices, "slices: 30", "slices: 0", 1),
		strings.Replace(slices, "spread: 0.0125", "spread: NaN", 1),
		strings.Replace(slices, "spread: 0.0125", "spread: -0.0125", 1),
		strings.Replace(slices, "spread: 0.0125", "spread: 1e999", 1),
	} {
		if one, err := decode.ParseRun([]byte(text)); err == nil {
			t.Errorf("parsed as %+v:\n%s", one, text)
		}
	}
}

// A run can be written no matter how many failures were added to it.
func TestAddFailure(t *testing.T) {
	r := plain()
	for range record.MaxFailures {
		r.AddFailure("A", "exit status 2")
	}
	if len(r.Failures) != record.MaxFailures {
		t.Fatalf("%d failures kept", len(r.Failures))
	}
	for range 5 {
		r.AddFailure("B", "exit status 2")
	}
	if n := len(r.Failures); n != record.MaxFailures || r.Failures[n-1].Reason != "6 more failed" {
		t.Errorf("%d failures, the last %+v", n, r.Failures[n-1])
	}
	worst := plain()
	for range record.MaxFailures {
		worst.AddFailure(strings.Repeat("\x1b", 1000), strings.Repeat("\xff\x00", 1000))
	}
	if back := read(t, export(t, worst)); len(back) != 1 || back[0].ID() != worst.ID() {
		t.Errorf("read back with another id")
	}
}
