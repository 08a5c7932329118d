package family

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/perftrack/perftrack/reports"
	"github.com/perftrack/perftrack/reports/family/cells"
	"github.com/perftrack/perftrack/reports/inference"
	"github.com/perftrack/perftrack/reports/profile"
	"github.com/perftrack/perftrack/runner/record"
)

// metrics reports where time and memory are currently spent.
func metrics(v *view) reports.Report {
	var r reports.Report
	r.Facts = v.facts()
	if len(v.readings) == 0 {
		r.Summary, r.Tone = "Nothing has been measured yet: run perftrack run", reports.Warn
		return r
	}
	r.Summary = v.measuredWords()
	r.Tables = append(r.Tables, v.hotTables()...)
	r.Tables = append(r.Tables, v.kernelTables()...)
	r.Tables = append(r.Tables, v.throughputTables()...)
	r.Tables = append(r.Tables, v.pairTables()...)
	r.Tables = append(r.Tables, v.valueTables()...)
	r.Remarks = append(r.Remarks, v.doubts()...)
	r.Remarks = append(r.Remarks, reports.Note{Text: v.comparedWords()})
	return r
}

// measuredWords counts the benchmarks and scopes in the report.
func (v *view) measuredWords() string {
	benches, scopes, targets := 0, 0, map[string]bool{}
	for _, r := range v.readings {
		targets[r.run.Target] = true
		if r.Kind == record.Scope {
			scopes++
		} else {
			benches++
		}
	}
	var what []string
	if benches > 0 {
		what = append(what, reports.Plural(benches, "benchmark"))
	}
	if scopes > 0 {
		what = append(what, reports.Plural(scopes, "profiled scope"))
	}
	return strings.Join(what, " and ") + " in " + reports.Plural(len(targets), "target") + ", each from its newest run"
}

// comparedWords describes the kind of comparison behind the changes.
func (v *view) comparedWords() string {
	switch {
	case v.Compared == nil:
		return "no change is shown, because there is nothing to compare with: " + v.notCompared()
	case v.Compared.Trial():
		return "changes come from runs measured side by side, with their intervals in brackets"
	}
	return "changes marked (unpaired) compare unpaired runs, so they include effects of the machine and have no interval"
}

// hotTables returns the tables of hot paths and top allocators for all current profiles.
func (v *view) hotTables() (out []reports.Table) {
	for _, run := range v.Current {
		for _, t := range profile.Report(run).Tables {
			if strings.HasPrefix(t.Heading, "Hot paths") || strings.HasPrefix(t.Heading, "Top allocators") {
				t.Facts = profiled(run, t.Facts)
				out = append(out, t)
			}
		}
	}
	if len(out) == 0 {
		return []reports.Table{{Heading: "Hot paths", Words: []string{"No profile is stored, so it is unknown where the time goes." + v.profileWords("to find out; perftrack help profile describes how your own program can report a profile.")}}}
	}
	return out
}

// profiled returns the facts that distinguish a profile from others. facts holds all facts about
// it.
func profiled(run *record.Run, facts []reports.Fact) []reports.Fact {
	suite, out := "", []reports.Fact{}
	for _, f := range facts {
		switch f.Key {
		case "suite":
			suite = f.Value
		case "profiled":
			out = append(out, f)
		}
	}
	return append(cells.RunFacts(run, suite), out...)
}

// kernelTables returns the tables of kernel rates for all current runs.
func (v *view) kernelTables() (out []reports.Table) {
	for f := range v.currentFigures() {
		if len(f.Kernels) > 0 {
			out = append(out, v.kernelTable(f))
		}
	}
	return out
}

func (v *view) kernelTable(f inference.Figures) reports.Table {
	peak, source := v.peakOf(f)
	t := reports.Table{
		Heading: "Kernels", Facts: cells.FigureFacts(f),
		Words: []string{"GFLOPS as reported by the benchmark, or else the operations in the kernel's formula divided by the time per call."},
		Columns: append([]reports.Column{
			{Title: "kernel", Code: true}, {Title: "time per call", Right: true}, {Title: "GFLOPS", Right: true}, {Title: "of peak", Right: true}, {Title: "elements/s", Right: true}, cells.BarColumn("GFLOPS, to scale"),
		}, v.changeColumns()...),
	}
	most := 0.0
	for _, k := range f.Kernels {
		most = max(most, orZero(k.GFLOPS))
	}
	for _, k := range f.Kernels {
		ofPeak := k.GFLOPS / peak
		if f.Peak > 0 {
			ofPeak = k.OfPeak
		}
		id := record.BenchmarkID{Kind: f.Kind, Suite: f.Suite, Package: f.Package, Name: k.Name}
		rate := reports.Cell{}
		if !math.IsNaN(k.GFLOPS) {
			rate = reports.Cell{Text: reports.AtLeast(3, k.GFLOPS), Value: k.GFLOPS}
		}
		t.Rows = append(t.Rows, append([]reports.Cell{
			cells.Text(k.Name), cells.Number(k.Time, "sec/op"), rate, cells.Share(ofPeak), cells.Number(k.Elements, ""), cells.Bar(k.GFLOPS / most),
		}, v.change(f.Run, id, "sec/op")...))
	}
	switch {
	case math.IsNaN(peak):
		t.Words = append(t.Words, "This machine's peak is unknown, so no percentage is shown: it can be set in reference.toml (see perftrack help reports numbers-of-others).")
	case f.Peak > 0:
		t.Words = append(t.Words, inference.PeakWords(reports.AtLeast(3, peak)))
	default:
		t.Words = append(t.Words, fmt.Sprintf("Peak: %s GFLOPS, %s.", reports.AtLeast(3, peak), source))
	}
	var repeats []string
	for _, r := range f.Repeats {
		repeats = append(repeats, fmt.Sprintf("%s %.3g", r.Kernel, r.Times))
	}
	if len(repeats) > 0 {
		t.Words = append(t.Words, "Rates assume one operation per call. Calls of these kernels run them several times, so the kernels are faster by this factor: "+strings.Join(repeats, ", ")+".")
	}
	return t.WithoutEmpty(3)
}

// peakOf returns the peak GFLOPS of the machine that measured a run, or NaN if it is unknown.
// source names the origin of the peak; it is "" if the program itself measured the peak.
func (v *view) peakOf(f inference.Figures) (peak float64, source string) {
	if f.Peak > 0 {
		return f.Peak, ""
	}
	if p, ok := v.peak(f.Run, "GFLOPS"); ok {
		return p.Value, "from reference.toml"
	}
	return math.NaN(), ""
}

func orZero(x float64) float64 {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return 0
	}
	return x
}

// valueTables returns tables with the current values of all benchmarks, sorted by target. Scopes
// are in the tables of their profiles instead.
func (v *view) valueTables() (out []reports.Table) {
	all := slices.DeleteFunc(slices.Clone(v.readings), func(r reading) bool { return r.Kind == record.Scope })
	slices.SortStableFunc(all, byName)
	for i := 0; i < len(all); {
		j := i
		for j < len(all) && all[j].run == all[i].run && all[j].Package == all[i].Package && all[j].Suite == all[i].Suite {
			j++
		}
		out = append(out, v.valueTable(all[i:j]))
		i = j
	}
	return out
}

func (v *view) valueTable(group []reading) reports.Table {
	first := group[0]
	t := reports.Table{
		Heading: "Every benchmark", Facts: cells.RunFacts(first.run, first.Suite),
		Columns: append([]reports.Column{{Title: "benchmark", Code: true}, {Title: "time", Right: true}}, v.changeColumns()...),
	}
	if first.Package != "" {
		t.Facts = append(t.Facts, reports.Fact{Key: "package", Value: first.Package})
	}
	t.Columns = append(t.Columns, reports.Column{Title: "B/op", Right: true}, reports.Column{Title: "allocs/op", Right: true}, reports.Column{Title: "others"}, reports.Column{Title: "samples", Right: true})
	for _, r := range group {
		samples := 0
		var others []string
		for _, x := range r.values {
			samples = max(samples, x.N)
			if x.unit != "sec/op" && x.unit != "B/op" && x.unit != "allocs/op" && x.N > 0 {
				others = append(others, cells.Amount(x.Center, x.unit))
			}
		}
		out := append([]reports.Cell{cells.Text(r.Name), cells.Measured(r.get("sec/op"), "sec/op")}, v.change(r.run, r.BenchmarkID, "sec/op")...)
		t.Rows = append(t.Rows, append(out, cells.Number(r.center("B/op"), "B/op"), plain(r.center("allocs/op")), cells.Text(strings.Join(others, ", ")), reports.Cell{Text: fmt.Sprint(samples), Value: samples}))
	}
	return t.WithoutEmpty(2)
}
