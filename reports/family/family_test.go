package family

import (
	"bytes"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/perftrack/perftrack/compare"
	"github.com/perftrack/perftrack/compare/acceptance"
	"github.com/perftrack/perftrack/compare/pairs"
	"github.com/perftrack/perftrack/reports"
	"github.com/perftrack/perftrack/reports/reporttest"
	"github.com/perftrack/perftrack/runner/record"
	"github.com/perftrack/perftrack/runner/record/runtest"
)

// cases returns all reports on a subject except the index and the comparison.
func cases(s *Subject) map[string]reports.Report {
	all := map[string]reports.Report{}
	for _, k := range Kinds() {
		if k != Comparison { // it has its own golden files
			all[string(k)] = Of(k, s)
		}
	}
	return all
}

// cell returns the cell in the column with the given title and the row with the given name.
func cell(t *testing.T, table reports.Table, name, title string) reports.Cell {
	t.Helper()
	for i, c := range table.Columns {
		if strings.TrimSpace(c.Over+" "+c.Title) != title {
			continue
		}
		for _, row := range table.Rows {
			if row[0].Text == name || len(row) > 1 && row[1].Text == name {
				return row[i]
			}
		}
	}
	t.Fatalf("no %s of %s in %+v", title, name, table.Columns)
	return reports.Cell{}
}

// All numbers about kernels and models are checked against a calculation from the raw samples.
func TestRatesOfRawSamples(t *testing.T) {
	s := fixed(t)
	run := s.Current[0]
	kernels := reporttest.Heading(t, Of(Metrics, s), "Kernels")
	matmul := 2 * 64 * 64 * 64 / middle(samples(run, "MatMul_64x64", "ns/op"))
	near(t, "GFLOPS of MatMul", cell(t, kernels, "MatMul_64x64", "GFLOPS").Value, matmul)
	near(t, "of the peak", cell(t, kernels, "MatMul_64x64", "of peak").Value, matmul/64)
	gelu := middle(samples(run, "GELU_1000", "ns/op"))
	near(t, "GFLOPS of GELU", cell(t, kernels, "GELU_1000", "GFLOPS").Value, 9*1000/gelu)
	near(t, "elements/s of GELU", cell(t, kernels, "GELU_1000", "elements/s").Value, 1000/(gelu/1e9))

	models := Of(Models, s)
	throughput := reporttest.Heading(t, models, "Throughput of the models")
	for _, name := range []string{"Small", "Medium"} {
		rate := middle(samples(run, "Model_"+name+"_Inference", "tok/s"))
		near(t, "tok/s of "+name, cell(t, throughput, name, "tok/s").Value, rate)
		near(t, "latency of "+name, cell(t, throughput, name, "latency per token").Value, 1/rate)
		near(t, "bytes of "+name, cell(t, throughput, name, "memory per token").Value, middle(samples(run, "Model_"+name+"_Inference", "B/tok")))
	}
	small, medium := middle(samples(run, "Model_Small_Inference", "tok/s")), middle(samples(run, "Model_Medium_Inference", "tok/s"))
	scale := reporttest.Heading(t, models, "Scaling")
	near(t, "efficiency", cell(t, scale, "Small", "efficiency").Value, (3_454_464.0/470_528)/(small/medium))

	layers := reporttest.Heading(t, models, "Forward pass, by layer")
	near(t, "share of a layer", cell(t, layers, "Layer_1", "share").Value, 84.0/150)
	near(t, "own share of a pass", cell(t, layers, "(itself)", "share").Value, 6.0/150)
	sum := 0.0
	for _, row := range layers.Rows {
		sum += row[2].Value.(float64)
	}
	near(t, "all of a pass", sum, 1)
}

func TestSavedBytesOfRawSamples(t *testing.T) {
	r := Of(Memory, fixed(t))
	for _, tt := range []struct {
		heading, name string
		saved         float64
	}{
		{"Pooled against fresh", "Tensors_Pooled", 1 - pooledBytes/freshBytes},
		{"In place against allocating", "TensorAdd_InPlace", 1 - inPlaceBytes/allocBytes},
		{"Fused against step by step", "LayerNorm_Fused_32x512", 1},
	} {
		near(t, tt.name, cell(t, reporttest.Heading(t, r, tt.heading), tt.name, "saved").Value, tt.saved)
	}
	gc := reporttest.Heading(t, r, "Garbage collections and peak memory")
	near(t, "operations per collection", cell(t, gc, "Tensors_Fresh", "operations per collection").Value, math.Round(1/0.016))
	if !strings.Contains(r.Summary, "3 memory-saving techniques were measured: they save 99.9 % to 100.0 %") {
		t.Errorf("summary %q", r.Summary)
	}
	// If a pool allocates more bytes, the report does not claim a saving.
	s := fixed(t)
	for i := range s.Current[1].Benchmarks {
		if b := &s.Current[1].Benchmarks[i]; b.Name == "Tensors_Pooled" {
			for k := range b.Samples {
				if b.Samples[k].Unit == "B/op" {
					b.Samples[k].Values = []float64{2 * freshBytes}
				}
			}
		}
	}
	if c := cell(t, reporttest.Heading(t, Of(Memory, s), "Pooled against fresh"), "Tensors_Pooled", "saved"); c.Text != "-100.0 %" || c.Tone != reports.Bad {
		t.Errorf("a pool that allocates twice as much saves %+v", c)
	}
}

// Without benchmarks, pairs of scopes in the newest profile show the savings.
func TestSavedBytesOfScopes(t *testing.T) {
	const profile = "profile: scopes\nsuite: memory\nTensors_Fresh 20 50000 ns/op 80000 B/op 6 allocs/op\nTensors_Pooled 20 40000 ns/op %d B/op 1 allocs/op\n"
	s := fixed(t)
	older, newer := runtest.Read(t, fmt.Sprintf(profile, 40000)), runtest.Read(t, fmt.Sprintf(profile, 4000))
	training := runtest.Read(t, "profile: scopes\nsuite: training\nexamples-per-call: train_epoch=8\ntrain_epoch 1 40000000 ns/op\ntrain_epoch/train_step 2 20000000 ns/op\n")
	older.Target, newer.Target, training.Target = "own", "own", "own"
	s.Current = []*record.Run{newer, older, training}
	r := Of(Memory, s)
	if got := reporttest.Heading(t, r, "Pooled against fresh"); len(got.Rows) != 1 || cell(t, got, "Tensors_Pooled", "saved").Text != "95.0 %" {
		t.Errorf("%+v", got.Rows)
	}
	if want := "1 memory-saving technique was measured: it saves 95.0 % of the bytes"; r.Summary != want {
		t.Errorf("summary %q, want %q", r.Summary, want)
	}
	if got := cell(t, reporttest.Heading(t, r, "Backward passes and training"), "train_epoch", "samples/s"); got.Value != 200.0 {
		t.Errorf("%+v samples/s, want 200", got)
	}
	s.Current = append(fixed(t).Current, newer) // it measures the same, but the benchmark belongs to another target
	if got := reporttest.Heading(t, Of(Memory, s), "Pooled against fresh"); len(got.Rows) != 2 {
		t.Errorf("%d pairs of two targets", len(got.Rows))
	}
	newer.Target = "suites"
	if got := reporttest.Heading(t, Of(Memory, s), "Pooled against fresh"); len(got.Rows) != 1 {
		t.Errorf("%d pairs of a benchmark and its profile", len(got.Rows))
	}
}

func TestTrendsOfRawValues(t *testing.T) {
	s := fixed(t)
	r := Of(Trends, s)
	all := reporttest.Heading(t, r, "All runs of each benchmark")
	name := "Encode/format=json"
	near(t, "least", cell(t, all, name, "least").Value, 990e-9)
	near(t, "most", cell(t, all, name, "most").Value, 1310e-9)
	first, newest := middle(codecTimes[:6]), middle(codecTimes[6:])
	near(t, "first level", cell(t, all, name, "first level").Value, first*1e-9)
	near(t, "newest level", cell(t, all, name, "newest level").Value, newest*1e-9)
	near(t, "change", cell(t, all, name, "change").Value, newest/first-1)
	near(t, "since the release", cell(t, all, name, "since the release").Value, newest/codecTimes[2]-1)
	var off []float64
	for _, x := range codecTimes[6:] {
		off = append(off, math.Abs(x-newest))
	}
	near(t, "noise", cell(t, all, name, "noise").Value, 1.4826*middle(off)/newest)
	steps := reporttest.Heading(t, r, "Steps and drifts, the newest first")
	if len(steps.Rows) != 1 || steps.Rows[0][7].Text != "unresolved" {
		t.Errorf("steps\n%s", reporttest.Cells(steps))
	}
	near(t, "step", steps.Rows[0][5].Value, newest/first-1)
	if got := cell(t, all, "Fresh", "state").Text; got != "too few runs to tell" {
		t.Errorf("two runs are %q", got)
	}
	runs := 0
	for _, table := range r.Tables {
		if len(table.Columns) > 0 && table.Columns[0].Title == "date" && table.Heading != "Steps and drifts, the newest first" {
			runs += len(table.Rows)
		}
	}
	if want := 12 + 12 + 2; runs != want {
		t.Errorf("%d runs listed, want %d", runs, want)
	}
}

// Only numbers from our own machine are ranked.
func TestPeersOfOtherMachinesHaveNoRank(t *testing.T) {
	s := fixed(t)
	r := Of(Peers, s)
	ours := 2 * 64 * 64 * 64 / middle(samples(s.Current[0], "MatMul_64x64", "ns/op"))
	table := reporttest.Heading(t, r, "Peers")
	var ranks []string
	for _, row := range table.Rows {
		ranks = append(ranks, row[0].Text+" "+row[1].Text)
	}
	if got := strings.Join(ranks, ", "); got != "1 OpenBLAS 0.3, 2 this project, 3 gonum, another machine a GPU" {
		t.Errorf("ranks %s", got)
	}
	near(t, "ours", cell(t, table, "this project", "value").Value, ours)
	near(t, "OpenBLAS against ours", cell(t, table, "OpenBLAS 0.3", "against ours").Value, 40/ours)
	s.References = s.References[2:3]
	r = Of(Peers, s)
	if got := reporttest.Heading(t, r, "Peers").Rows[0][0].Text; got != "-" || r.Tone != reports.Warn {
		t.Errorf("alone on our machine we are %q, %q", got, r.Summary)
	}
}

// The bottlenecks are the scopes with the largest self times.
func TestBottlenecksOfRawTimes(t *testing.T) {
	table := reporttest.Heading(t, Of(Summary, fixed(t)), "Bottlenecks, top five")
	total := 25 * 160_000.0
	for i, want := range []struct {
		name string
		own  float64 // ns a call
	}{{"Layer_1", 84_000}, {"Layer_0", 60_000}, {"Model_Small_GenerateToken", 10_000}, {"Model_Small_Forward", 6_000}} {
		if row := table.Rows[i]; row[1].Text != want.name {
			t.Errorf("%d is %s, want %s", i, row[1].Text, want.name)
		}
		near(t, want.name, table.Rows[i][2].Value, 25*want.own/1e9)
		near(t, "share of "+want.name, table.Rows[i][3].Value, 25*want.own/total)
	}
}

// The index links to every existing report and to nothing else.
func TestIndex(t *testing.T) {
	var b bytes.Buffer
	if err := reports.Markdown(&b, Index(fixed(t), "md")); err != nil {
		t.Fatal(err)
	}
	for _, k := range Kinds() {
		if link := "[" + string(k) + ".md](" + string(k) + ".md)"; strings.Count(b.String(), link) != 1 {
			t.Errorf("no %s in\n%s", link, b.String())
		}
	}
	if n := strings.Count(b.String(), "]("); n != len(Kinds()) {
		t.Errorf("%d links", n)
	}
}

// A cause is named only if profiles of both sides show it.
func TestNoCauseWithoutProfiles(t *testing.T) {
	s := fixed(t)
	if got := reporttest.Heading(t, Of(Summary, s), "Where changes come from"); len(got.Rows) != 0 || !strings.HasPrefix(got.Words[0], "No profiles are stored for both sides, so no cause is known.") {
		t.Errorf("of benchmarks alone: %+v", got)
	}
	b, h := reporttest.Side("main", "a", profiledRun(t, 1)), reporttest.Side("feature", "b", profiledRun(t, 2))
	s.Compared = compare.Compare(b, h, compare.Options{})
	got := reporttest.Heading(t, Of(Summary, s), "Where changes come from")
	if len(got.Rows) != 1 || !strings.HasSuffix(got.Rows[0][0].Text, "Layer_0") || got.Rows[0][3].Text != "not proven: one sample per side" {
		t.Errorf("of profiles: %+v", got)
	}
	near(t, "change", got.Rows[0][1].Value, 1)
	s.Compared = compare.Compare(reporttest.Side("main", "a", profiledRun(t, 1)), reporttest.Side("feature", "b", profiledRun(t, 1)), compare.Options{})
	if got := reporttest.Heading(t, Of(Summary, s), "Where changes come from"); len(got.Rows) != 0 || !strings.Contains(got.Words[0], "no scope changed") {
		t.Errorf("of equal profiles: %+v", got)
	}
}

// Changes in the comparison are shown only for its head, not for runs of other commits.
func TestChangesOfAnotherCommitAreNotShown(t *testing.T) {
	s := fixed(t)
	if got := cell(t, reporttest.Heading(t, Of(Metrics, s), "Kernels"), "MatMul_64x64", "verdict").Text; got != "regressed" {
		t.Errorf("of the head: %q", got)
	}
	other := runtest.Clone(s.Current[0])
	other.Commit.SHA = sha(13)
	s.Current[0] = other
	for _, c := range reporttest.Heading(t, Of(Metrics, s), "Kernels").Columns {
		if c.Title == "verdict" || c.Title == "change" {
			t.Errorf("of another commit there is a column %s", c.Title)
		}
	}
}

// Accepted changes need no action, nor do rows that only show the change of another row.
func TestAcceptedIsNoAction(t *testing.T) {
	c := trial(engine(t, 1), engine(t, 1.2))
	v := newView(&Subject{Compared: c})
	before := len(regressed(v))
	accepted := acceptance.List{{Target: "engine", Package: "example.com/engine", Benchmark: "MatMul_64x64", Reason: "exact"}}
	accepted.Explain(c)
	for r := range c.Rows() {
		if r.Name == "Model_Small_Inference" && r.Unit == "sec/op" {
			r.CorrelatedWith = r
		}
	}
	if after := len(regressed(v)); before != 3 || after != 1 {
		t.Errorf("%d actions, %d after one was accepted and one correlated, want 3 and 1", before, after)
	}
}

// Single samples decide nothing, even if they are equal.
func TestSingleSamplesDecideNothing(t *testing.T) {
	s := &Subject{Compared: compare.Compare(reporttest.Side("main", "a", profiledRun(t, 1)), reporttest.Side("feature", "b", profiledRun(t, 1)), compare.Options{})}
	if c := newView(s).compared(); c.word != "not decided" || c.tone != reports.Warn || !strings.Contains(c.evidence, "of 5 timings, 0 increased and 0 decreased") {
		t.Errorf("%+v", c)
	}
}

// If several current runs have the same benchmark, the report shows its values in the newest of
// them.
func TestNewestRunIsDescribed(t *testing.T) {
	s := &Subject{Current: []*record.Run{at(engine(t, 2), 2), at(engine(t, 1), 1)}}
	v := newView(s)
	if len(v.readings) != 4 {
		t.Errorf("%d values of 4 benchmarks", len(v.readings))
	}
	near(t, "the newest", v.readings[1].center("sec/op"), 2*matmulTime*1e-9)
}

// Missing data never counts as good news, and the reports work without it.
func TestWhatIsNotKnown(t *testing.T) {
	one := &Subject{}
	addHistory(t, one, "Sort", []float64{100})
	plain := &Subject{}
	addHistory(t, plain, "Sort", []float64{100, 101, 99, 100, 101, 99, 100, 101})
	two := &Subject{}
	addHistory(t, two, "Sort", []float64{100, 101, 99, 100, 101, 99, 100, 101})
	other := at(engine(t, 1), 9)
	other.Target, other.Env = "codec", other.Env.Set("cpu", "Other CPU")
	two.Current, two.Runs = append(two.Current, other), append(two.Runs, info(other, 300))
	dirty := &Subject{}
	r := at(engine(t, 1), 1)
	r.Commit.Dirty = true
	dirty.Current, dirty.Runs = []*record.Run{r}, []record.RunInfo{info(r, 1)}
	for name, tt := range map[string]struct {
		s    *Subject
		says map[Kind]string
	}{
		"empty":            {&Subject{}, map[Kind]string{Summary: "Nothing has been measured yet", Metrics: "Nothing has been measured yet", Trends: "No history yet", Models: "No run of a model", Memory: "Nothing has been measured yet", Peers: "no reference.toml", Comparison: "Nothing is compared"}},
		"one run":          {one, map[Kind]string{Summary: "unknown whether there is an unresolved regression", Trends: "too few runs to tell", Metrics: "No profile is stored"}},
		"plain":            {plain, map[Kind]string{Summary: "never calibrated", Models: "No run of a model", Memory: "No pair of benchmarks", Metrics: "No profile is stored"}},
		"two environments": {two, map[Kind]string{Summary: "its newest values come from 2 environments"}},
		"dirty":            {dirty, map[Kind]string{Summary: "was measured with uncommitted changes", Metrics: "was measured with uncommitted changes", Models: "was measured with uncommitted changes"}},
	} {
		for _, k := range Kinds() {
			r := Of(k, tt.s)
			text := reporttest.Write(t, r, "md")
			if r.Tone == reports.Good && (k != Trends || !strings.Contains(r.Summary, "no unresolved regression in 1 line")) {
				t.Errorf("%s: %s is good: %s", name, k, r.Summary)
			}
			if want := tt.says[k]; !strings.Contains(text, want) {
				t.Errorf("%s: %s does not say %q:\n%s", name, k, want, text)
			}
			for _, never := range []string{"NaN", "+Inf", "-Inf", "%!"} {
				if strings.Contains(text, never) {
					t.Errorf("%s: %s says %s:\n%s", name, k, never, text)
				}
			}
		}
		Index(tt.s, "md")
	}
}

// If a trial had nothing to measure, the report says that the newest change made nothing slower,
// and does not call the result undecided.
func TestSameCodeIsNoChange(t *testing.T) {
	b, h := engine(t, 1), engine(t, 1)
	b.Benchmarks, h.Benchmarks = nil, nil
	for _, r := range []*record.Run{b, h} {
		r.Protocol.Procedure = pairs.ProcedureCheck
		r.Protocol.SameCode = []record.Count{{Package: "example.com/engine", Benchmarks: 4}}
	}
	s := &Subject{Compared: trial(b, h)}
	c := newView(s).compared()
	if c.word != "no" || c.tone != reports.Good || !strings.Contains(c.evidence, "same machine code") {
		t.Errorf("%+v", c)
	}
}

// If there are no problems, the summary reports that all is well.
func TestAllIsWell(t *testing.T) {
	s := &Subject{}
	addHistory(t, s, "Sort", []float64{100, 101, 99, 100, 101, 99, 100, 101})
	s.Compared = trial(engine(t, 1), engine(t, 1))
	if r := Of(Summary, s); r.Tone != reports.Good {
		t.Errorf("%q\n%s", r.Summary, reporttest.Write(t, r, "md"))
	}
}

// Hostile names do no harm in any report.
func TestHostileNames(t *testing.T) {
	s := fixed(t)
	for i := range s.Series {
		s.Series[i].Name, s.Series[i].Target = runtest.Hostile[i], runtest.Hostile[i+3]
	}
	for k, r := range s.Current {
		c := runtest.Clone(r)
		c.Target = runtest.Hostile[k]
		c.Env = c.Env.Set(record.KeyCPU, runtest.Hostile[3])
		c.Benchmarks = append([]record.Benchmark{}, r.Benchmarks...)
		for i := range c.Benchmarks {
			c.Benchmarks[i].Name = strings.ReplaceAll(runtest.Hostile[i%len(runtest.Hostile)], "\n", "") + c.Benchmarks[i].Name
		}
		s.Current[k] = c
	}
	for i := range s.Regressions.List {
		s.Regressions.List[i].Name = "<script>alert(1)</script>`|"
	}
	s.Title, s.Branch, s.Base = "<script>", "`|main", "[x](http://y)"
	s.References = append(s.References, Reference{runtest.Hostile[0], "<b>|`", 1, "<i>", "javascript:alert(1)", "|"})
	s.Compared.Head.Runs[0].Failures = []record.Failure{{Benchmark: "<x>|", Reason: "::error::<script>`\n# y"}}
	for _, k := range Kinds() {
		r := Of(k, s)
		reporttest.Harmless(t, r)
		var b bytes.Buffer
		if err := reports.HTML(&b, r, reports.HTMLOptions{Pages: Pages("html", k)}); err != nil {
			t.Fatal(err)
		}
		reporttest.HarmlessHTML(t, b.String())
	}
}
