package documents

import (
	"encoding/json"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/perftrack/perftrack/compare"
	"github.com/perftrack/perftrack/compare/acceptance"
	"github.com/perftrack/perftrack/compare/digest"
	"github.com/perftrack/perftrack/compare/gates"
	"github.com/perftrack/perftrack/compare/pairs"
	"github.com/perftrack/perftrack/reports"
	"github.com/perftrack/perftrack/reports/comparison"
	"github.com/perftrack/perftrack/reports/shell"
	"github.com/perftrack/perftrack/runner/record"
	"github.com/perftrack/perftrack/runner/record/runtest"
)

const pkg = "pkg: example.com/codec\n"

// nowhere is a Lookup that finds nothing.
var nowhere = Lookup{
	Commit: func(string) int { return -1 }, Run: func(string) int { return -1 }, Environment: func(string) int { return -1 },
	Benchmark: func(string, record.BenchmarkID) int { return -1 },
}

// trialOf returns the two sides of a trial with the given results.
func trialOf(t *testing.T, base, head string) (b, h compare.Side) {
	t.Helper()
	side := func(label, hex, text string, of record.Side) compare.Side {
		r := runtest.Read(t, pkg+text)
		r.Commit.SHA, r.Trial, r.Side = strings.Repeat(hex, 40), "0b6f", of
		pairs.SetDecision(r)
		return compare.Side{Label: label, Runs: []*record.Run{r}}
	}
	return side("main", "a", base, record.Base), side("feature", "b", head, record.Head)
}

// unsettled makes the rounds of the named benchmark scatter by about the given fraction.
func unsettled(s compare.Side, name string, scatter float64) {
	for _, b := range s.Runs[0].Benchmarks {
		for _, of := range b.Samples {
			for i := range of.Values {
				if b.Name == name {
					of.Values[i] *= 1 + scatter*[]float64{0.9, -1.2, 0.1, -0.4, 1.1, -0.8, 0.3, -0.1, 0.6, -0.5}[i%10]
				}
			}
		}
	}
}

// comparisons returns comparisons that cover every verdict and every reason for a missing verdict.
func comparisons(t *testing.T) map[string]*compare.Comparison {
	t.Helper()
	all := map[string]*compare.Comparison{}
	b, h := trialOf(t,
		runtest.Vary(15, "Slower", 1, 1000.0, "ns/op", 64.0, "MB/s")+runtest.Vary(15, "Faster", 1, 3000.0, "ns/op", 5.0, "allocs/op")+
			runtest.Vary(15, "Same", 1, 980.0, "ns/op", 0.0, "allocs/op")+runtest.Vary(15, "Noisy", 1, 5200.0, "ns/op")+runtest.Vary(15, "First", 1, 70.0, "ns/op", 0.0, "allocs/op")+
			runtest.Vary(15, "Count", 0, 4.0, "widgets"),
		runtest.Vary(15, "Slower", 1, 1300.0, "ns/op", 49.0, "MB/s")+runtest.Vary(15, "Faster", 1, 2000.0, "ns/op", 3.0, "allocs/op")+
			runtest.Vary(15, "Same", 1, 981.0, "ns/op", 0.0, "allocs/op")+runtest.Vary(15, "Noisy", 1, 5500.0, "ns/op")+runtest.Vary(15, "First", 1, 70.0, "ns/op", 2.0, "allocs/op")+
			runtest.Vary(15, "Count", 0, 9.0, "widgets"))
	unsettled(h, "Slower", 0.01)
	unsettled(h, "Faster", 0.01)
	unsettled(h, "Same", 0.004)
	unsettled(h, "Noisy", 0.3)
	all["trial"] = compare.Compare(b, h, compare.Options{})

	accepted := compare.Compare(b, h, compare.Options{})
	acceptance.List{{Target: b.Runs[0].Target, Package: "example.com/codec", Benchmark: "Slower", Reason: "checks the input now"}}.Explain(accepted)
	all["accepted"] = accepted

	b, h = trialOf(t, runtest.Vary(15, "Slower", 1, 1000.0, "ns/op"), runtest.Vary(15, "Slower", 1, 1300.0, "ns/op"))
	b.Runs[0].Trial, h.Runs[0].Trial, b.Runs[0].Side, h.Runs[0].Side = "", "", "", ""
	unsettled(h, "Slower", 0.01)
	all["unpaired"] = compare.Compare(b, h, compare.Options{})

	b, h = trialOf(t, runtest.Vary(3, "Few", 1, 1000.0, "ns/op"), runtest.Vary(3, "Few", 1, 1300.0, "ns/op"))
	unsettled(h, "Few", 0.01)
	all["too-few"] = compare.Compare(b, h, compare.Options{})

	b, h = trialOf(t,
		runtest.Vary(15, "Kept", 1, 100.0, "ns/op", 3.5, "GFLOPS")+runtest.Vary(6, "Gone", 1, 10.0, "ns/op")+runtest.Vary(6, "Broken", 1, 10.0, "ns/op"),
		runtest.Vary(15, "Kept", 1, 100.0, "ns/op")+runtest.Vary(6, "Fresh", 1, 20.0, "ns/op"))
	unsettled(h, "Kept", 0.001)
	h.Runs[0].Status, h.Runs[0].Commit.Dirty = record.Failed, true
	h.Runs[0].Failures = []record.Failure{{Benchmark: "example.com/codec.Broken", Reason: "exit status 2"}}
	lost := compare.Compare(b, h, compare.Options{})
	lost.Same = []compare.SameCode{{Target: "engine", Package: "example.com/same", Benchmarks: 3}}
	lost.Unreached = []compare.Unreached{{Target: "engine", Package: "example.com/apart", Benchmarks: 171}}
	lost.Rewritten = []compare.Rewritten{{Target: "engine", Package: "example.com/new", Name: "X"}}
	lost.Starved = []compare.Starved{{Target: "engine", Benchmarks: 4, Rounds: 25}}
	all["left-out"] = lost

	b, h = trialOf(t, runtest.Vary(15, "Kept", 1, 100.0, "ns/op"), runtest.Vary(15, "Kept", 1, 100.0, "ns/op"))
	for _, s := range []compare.Side{b, h} {
		s.Runs[0].Protocol.Procedure = pairs.ProcedureCheck
		s.Runs[0].Protocol.Part = &record.Part{N: 1, Of: 2, Own: 1, All: 2, Division: "d"}
	}
	all["lost-part"] = compare.Compare(b, h, compare.Options{})

	b, h = trialOf(t, runtest.Vary(15, "Edited", 1, 100.0, "ns/op")+runtest.Vary(15, "Adapted", 1, 100.0, "ns/op"),
		runtest.Vary(15, "Edited", 1, 130.0, "ns/op")+runtest.Vary(15, "Adapted", 1, 130.0, "ns/op"))
	for _, s := range []compare.Side{b, h} {
		s.Runs[0].Protocol.Procedure = pairs.ProcedureCheck
	}
	id := h.Runs[0].Benchmarks[0].Package
	h.Runs[0].Protocol.Rewritten = []record.BenchmarkFunc{{Package: id, Name: "Adapted"}}
	h.Runs[0].Protocol.Tests = []record.SharedTests{{Package: id, Of: record.Head, Edited: []string{"Edited"}}}
	all["edited"] = compare.Compare(b, h, compare.Options{})
	all["empty"] = compare.Compare(compare.Side{Label: "main"}, compare.Side{Label: "feature"}, compare.Options{})
	return all
}

func TestComparisonGolden(t *testing.T) {
	for name, c := range comparisons(t) {
		got, err := json.MarshalIndent(NewComparison(name, c, nowhere), "", " ")
		if err != nil {
			t.Fatal(err)
		}
		golden(t, "comparison-"+name+".json", append(got, '\n'))
	}
}

// The golden files prove little unless the fixtures cover every verdict and every reason for a
// missing verdict.
func TestComparisonsHaveEveryKind(t *testing.T) {
	found := map[string]bool{}
	for name, c := range comparisons(t) {
		d := NewComparison(name, c, nowhere)
		for _, r := range d.Rows {
			found[r.Verdict] = true
			if r.Accepted != "" {
				found["accepted"] = true
			}
		}
		for _, n := range d.LeftOut {
			found[n.Kind] = true
			if n.Why == "" || len(n.What) == 0 || slices.Contains(n.What, "") {
				t.Errorf("%s: %+v says too little", name, n)
			}
		}
	}
	want := []string{"", "accepted", "failed", "lost", "starved", "missing", "new", "rewritten", "unreached", "same-code"}
	for _, v := range compare.Verdicts {
		want = append(want, string(v))
	}
	for _, kind := range want {
		if !found[kind] {
			t.Errorf("no comparison has %q", kind)
		}
	}
}

// A page shows the same words and numbers as the terminal. TestComparisonSamplesAndCenters computes
// the numbers again from the samples.
func TestComparisonSaysWhatTheTerminalSays(t *testing.T) {
	for name, c := range comparisons(t) {
		d := NewComparison(name, c, nowhere)
		report := comparison.Report(c)
		var text strings.Builder
		if err := reports.Text(&text, report, reports.TextOptions{}); err != nil {
			t.Fatal(err)
		}
		if want := comparison.Counted(c); d.Summary != want { // it counts benchmarks, not rows
			t.Errorf("%s: %q, the terminal says %q", name, d.Summary, want)
		}
		for _, caveat := range d.Caveats {
			if !strings.Contains(text.String(), caveat) && !slices.ContainsFunc(report.Notes, func(n reports.Note) bool { return n.String() == caveat }) {
				t.Errorf("%s: the terminal lacks %q", name, caveat)
			}
		}
		for _, n := range d.LeftOut {
			for _, what := range n.What {
				if n.Kind != "starved" && n.Kind != "lost" && !strings.Contains(text.String(), what) { // the terminal mentions these in caveats
					t.Errorf("%s: the terminal lacks %q", name, what)
				}
			}
		}
		for _, r := range d.Rows {
			if r.Shown.Change != "" && c.Trial() && !r.Derived && !strings.Contains(text.String(), r.Shown.Change) {
				t.Errorf("%s %s: the terminal lacks %q in\n%s", name, r.Name, r.Shown.Change, &text)
			}
		}
	}
}

// The functions of another program cannot be profiled, so no row proposes it.
func TestOpaqueRows(t *testing.T) {
	explained := func(d *Comparison) bool {
		return slices.ContainsFunc(d.Rows, func(l ComparisonLine) bool { return l.Explain != "" })
	}
	for name, c := range comparisons(t) {
		var opaque []string
		for _, r := range c.Head.Runs {
			opaque = append(opaque, r.Target)
		}
		if explained(NewComparison(name, c, nowhere, opaque...)) {
			t.Errorf("%s: explained", name)
		}
		if name == "accepted" && !explained(NewComparison(name, c, nowhere)) {
			t.Errorf("%s: not explained", name)
		}
	}
}

func TestComparisonSamplesAndCenters(t *testing.T) {
	for name, c := range comparisons(t) {
		for _, l := range NewComparison(name, c, nowhere).Rows {
			r := rowOf(t, c, l)
			base, head := r.Samples()
			for side, values := range [][]float64{base, head} {
				got := []float64{}
				for _, v := range l.Samples[side] {
					if !math.IsNaN(float64(v)) {
						got = append(got, float64(v))
					}
				}
				if len(got) == 1 {
					got = slices.Repeat(got, len(values))
				}
				if len(got) != len(values) {
					t.Fatalf("%s %s: %d samples of %d", name, l.Name, len(got), len(values))
				}
				for i := range got {
					if math.Abs(got[i]-values[i]) > 1e-4*math.Abs(values[i]) {
						t.Errorf("%s %s: sample %d of side %d is %v, not %v", name, l.Name, i, side, got[i], values[i])
					}
				}
				center := []Number{l.Base, l.Head}[side]
				if want := median(values); math.Abs(float64(center)-want) > 1e-9*math.Abs(want) {
					t.Errorf("%s %s: center %v, want %v", name, l.Name, center, want)
				}
			}
		}
	}
}

// The geometric mean is that of the decided rows, based on the changes that the page shows for
// them.
func TestComparisonGeomeans(t *testing.T) {
	c := comparisons(t)["trial"]
	d := NewComparison("k", c, nowhere)
	for _, g := range d.Geomeans {
		sum, n := 0.0, 0
		for _, r := range d.Rows {
			if r.Unit == g.Unit && !r.Absolute && slices.Contains([]string{"regressed", "improved", "unchanged", "changed"}, r.Verdict) {
				sum += math.Log(1 + float64(r.Change))
				n++
			}
		}
		want := math.Exp(sum/float64(n)) - 1
		if n != g.Rows || math.Abs(float64(g.Change)-want) > 1e-12 && n > 0 {
			t.Errorf("%s: %v of %d rows, want %v of %d", g.Unit, g.Change, g.Rows, want, n)
		}
	}
	i := slices.IndexFunc(d.Geomeans, func(g Geomean) bool { return g.Unit == "sec/op" })
	if g := d.Geomeans[i]; g.Rows >= g.Of {
		t.Errorf("the undecided row counts: %+v", g)
	}
	c = comparisons(t)["trial"]
	for r := range c.Rows() {
		if r.Unit == "allocs/op" && r.Name != "First" {
			r.Verdict = compare.NotChecked
			break
		}
	}
	d = NewComparison("k", c, nowhere)
	i = slices.IndexFunc(d.Geomeans, func(g Geomean) bool { return g.Unit == "allocs/op" })
	if g := d.Geomeans[i]; !math.IsNaN(float64(g.Change)) || g.Rows == 0 {
		t.Errorf("the counts that are known stand for all: %+v", g)
	}
	if c.Trials = 2; len(NewComparison("k", c, nowhere).Geomeans) > 0 {
		t.Error("several trials have a geomean")
	}
}

func TestCountRowsAgreesWithTheSummary(t *testing.T) {
	c := comparisons(t)["trial"]
	counts := CountRows(digest.Of(c, gates.Options{}))
	for verdict, n := range counts {
		if n != c.Count(compare.Verdict(verdict)) {
			t.Errorf("%d %s, want %d", n, verdict, c.Count(compare.Verdict(verdict)))
		}
	}
	if counts := CountRows(digest.Of(comparisons(t)["accepted"], gates.Options{})); counts["accepted"] != 1 || counts["regressed"] != c.Count(compare.Regressed)-1 {
		t.Errorf("accepted are counted as %v", counts)
	}
}

// The document for a trial with many rounds has only as many samples as a page can hold. It names
// the rounds they come from.
func TestManyRoundsAreThinned(t *testing.T) {
	b, h := trialOf(t, runtest.Vary(50, "X", 1, 100.0, "ns/op"), runtest.Vary(50, "X", 2, 100.0, "ns/op"))
	w := newRows(compare.Compare(b, h, compare.Options{}), nowhere)
	w.rounds = 20
	for i := range w.c.Tables {
		w.add(&w.c.Tables[i])
	}
	if l := w.lines[0]; l.Every != 3 || len(l.Samples[0]) != 17 || len(l.Samples[1]) != 17 {
		t.Fatalf("every %d, %d and %d samples", l.Every, len(l.Samples[0]), len(l.Samples[1]))
	}
	for side, all := range [2][]float64{b.Runs[0].Benchmarks[0].Samples[0].Values, h.Runs[0].Benchmarks[0].Samples[0].Values} {
		for i, got := range w.lines[0].Samples[side] { // rounds 1, 4, 7 and so on, which the page relies on
			if want := all[3*i] * 1e-9; math.Abs(float64(got)/want-1) > 1e-4 {
				t.Errorf("side %d: sample %d is %v, of round %d %v", side, i, got, 3*i+1, want)
			}
		}
	}
}

// Names that a shell would run are quoted in commands.
func TestHostileNamesAreQuoted(t *testing.T) {
	for _, name := range runtest.Hostile {
		b, h := trialOf(t, runtest.Vary(15, "X", 1, 100.0, "ns/op"), runtest.Vary(15, "X", 1, 200.0, "ns/op"))
		b.Runs[0].Benchmarks[0].Name, h.Runs[0].Benchmarks[0].Name = name, name
		unsettled(h, name, 0.01)
		for _, l := range NewComparison("k", compare.Compare(b, h, compare.Options{}), nowhere).Rows {
			if l.Verdict != "regressed" || l.Explain == "" {
				t.Errorf("%q: %s %q", name, l.Verdict, l.Explain)
			}
			if want := "perftrack explain " + strings.Repeat("a", 12) + " " + strings.Repeat("b", 12) + shell.Flag("bench", name); l.Explain != want {
				t.Errorf("%q, want %q", l.Explain, want)
			}
		}
	}
}

func rowOf(t *testing.T, c *compare.Comparison, l ComparisonLine) *compare.Row {
	t.Helper()
	for r := range c.Rows() {
		if strings.HasPrefix(l.Name, r.Name) && r.Unit == l.Unit && float64(l.Base) == r.Base.Center {
			return r
		}
	}
	t.Fatalf("no row of %s", l.Name)
	return nil
}

func median(values []float64) float64 {
	s := slices.Sorted(slices.Values(values))
	if n := len(s); n%2 == 0 {
		return (s[n/2-1] + s[n/2]) / 2
	}
	return s[len(s)/2]
}
