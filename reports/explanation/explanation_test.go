package explanation

import (
	"bytes"
	"encoding/json"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/perftrack/perftrack/compare"
	"github.com/perftrack/perftrack/compare/stat"
	"github.com/perftrack/perftrack/compare/tree"
	"github.com/perftrack/perftrack/reports"
	"github.com/perftrack/perftrack/reports/comparison"
	"github.com/perftrack/perftrack/reports/reporttest"
	"github.com/perftrack/perftrack/runner/record"
	"github.com/perftrack/perftrack/runner/record/runtest"
)

func sampled(perOp float64, samples map[string]float64) tree.Profile {
	s := tree.Profile{PerOp: perOp}
	for range 8 {
		var stacks []tree.Stack
		for name, n := range samples {
			stacks = append(stacks, tree.Stack{Functions: []string{name}, Value: n})
		}
		s.Processes = append(s.Processes, stacks)
	}
	return s
}

func explainCases() map[string]reports.Report {
	e := explainedCases()
	return map[string]reports.Report{
		"explain": Report(e["culprit"]), "explain-vague": Report(e["vague"]), "explain-unsampled": Report(e["unsampled"]), "explain-hostile": Report(e["hostile"]),
		"explain-caller": Report(e["caller"]),
		"explain-two":    Report(e["culprit"], e["vague"]), "explain-none": Report(),
	}
}

func explainedCases() map[string]*Explanation {
	explained := func() *Explanation {
		return &Explanation{
			Target: "codec", BenchmarkID: record.BenchmarkID{Kind: record.Bench, Package: "example.com/codec", Name: "Encode/size=10"},
			Base: record.Commit{SHA: strings.Repeat("a", 40)}, Head: record.Commit{SHA: strings.Repeat("b", 40)}, Labels: [2]string{"main", "HEAD"}, Trial: "t1",
			Time: &compare.Row{
				Unit: "sec/op", Base: compare.Summary{Center: 1e-3, Lo: 0.99e-3, Hi: 1.01e-3, N: 10}, Head: compare.Summary{Center: 1.2e-3, Lo: 1.19e-3, Hi: 1.21e-3, N: 10},
				Decision: compare.Decision{Verdict: compare.Regressed, Shift: stat.Shift{Center: 0.2, Lo: 0.19, Hi: 0.21}},
			},
		}
	}
	culprit := explained()
	culprit.Parts = []*tree.Contributions{
		tree.TimeContributors(
			sampled(1e-3, map[string]float64{"example.com/codec.mix": 60, "example.com/codec.hash": 50, "example.com/codec/v2.rest": 6, "runtime.mallocgc": 4}),
			sampled(1.2e-3, map[string]float64{"example.com/codec.mix": 84, "example.com/codec.hash": 50, "example.com/codec/v2.rest": 6, "runtime.mallocgc": 4})),
		tree.AllocationContributors("B/op", []tree.Stack{{Functions: []string{"example.com/codec.buffer"}, Value: 1024}, {Functions: []string{"example.com/codec.pool"}, Value: 0.25}},
			[]tree.Stack{{Functions: []string{"example.com/codec.buffer"}, Value: 3072}, {Functions: []string{"example.com/codec.pool"}, Value: -1e-17}}, tree.Pair{Base: 1024, Head: 3072}),
		tree.AllocationContributors("allocs/op", []tree.Stack{{Functions: []string{"example.com/codec.buffer"}, Value: 1}},
			[]tree.Stack{{Functions: []string{"example.com/codec.buffer"}, Value: 1}}, tree.Pair{Base: 1, Head: 1}),
	}
	culprit.Profiles = []ProfileFile{
		{"cpu", record.Base, ".perftrack/perftrack.db-profiles/aaaaaaaaaaaa-Encode-size=10.cpu.pb.gz"},
		{"cpu", record.Head, ".perftrack/perftrack.db-profiles/it's bbbbbbbbbbbb-Encode-size=10.cpu.pb.gz"},
	}

	caller := explained()
	calling := func(perOp, mixes float64) tree.Profile {
		s := tree.Profile{PerOp: perOp}
		for range 8 {
			s.Processes = append(s.Processes, []tree.Stack{
				{Functions: []string{"example.com/codec/leaf.Mix", "example.com/codec.body", "example.com/codec.Encode", "example.com/codec.BenchmarkEncode"}, Value: mixes},
				{Functions: []string{"example.com/codec/leaf.Mix", "example.com/codec.header", "example.com/codec.Encode", "example.com/codec.BenchmarkEncode"}, Value: 50},
			})
		}
		return s
	}
	caller.Parts = []*tree.Contributions{
		tree.TimeContributors(calling(1e-3, 50), calling(1.2e-3, 70)),
		tree.AllocationContributors("allocs/op", []tree.Stack{{Functions: []string{"example.com/codec.parse"}, Value: 0.5, Shared: true}},
			[]tree.Stack{{Functions: []string{"example.com/codec.parse"}, Value: 1, Shared: true}}, tree.Pair{Base: 1, Head: 2}),
	}
	for _, c := range caller.Parts {
		c.Mark(func(function string) bool { return function == "example.com/codec.body" })
	}

	vague := explained()
	vague.Time.Verdict = compare.Inconclusive
	vague.Parts = []*tree.Contributions{tree.TimeContributors(
		sampled(1e-3, map[string]float64{"a.f": 2, "b.f": 2, "x/a.f": 2, "c.g": 1}), sampled(1.01e-3, map[string]float64{"a.f": 2, "b.f": 2, "x/a.f": 1, "c.g": 1}))}

	unsampled := explained()
	unsampled.Parts = []*tree.Contributions{tree.TimeContributors(tree.Profile{PerOp: 1e-3}, sampled(1.01e-3, map[string]float64{"a.f": 2}))}

	outside := explained()
	names := map[string]float64{}
	for _, name := range runtest.Hostile {
		names[name+".f"] = 10
	}
	outside.Name, outside.Labels = runtest.Hostile[2], [2]string{runtest.Hostile[0], runtest.Hostile[13]}
	outside.Parts = []*tree.Contributions{tree.TimeContributors(sampled(1e-3, names), sampled(1e-3, map[string]float64{"a.f": 100}))}
	return map[string]*Explanation{"culprit": culprit, "caller": caller, "vague": vague, "unsampled": unsampled, "hostile": outside}
}

// An explanation kept as JSON and read back looks the same as before in every format.
func TestReadExplanation(t *testing.T) {
	for name, e := range explainedCases() {
		var kept bytes.Buffer
		if err := reports.JSON(&kept, Report(e)); err != nil {
			t.Fatal(err)
		}
		read, err := Read(kept.Bytes())
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		read.Labels = e.Labels
		for _, format := range []string{"txt", "md", "csv", "json"} {
			if got, want := reporttest.Write(t, Report(read), format), reporttest.Write(t, Report(e), format); got != want {
				t.Errorf("%s as %s:\n%s\nwas\n%s", name, format, got, want)
			}
		}
	}
	for _, text := range []string{"", "{", `{"schema_version": 1, "kind": "comparison"}`, `{"schema_version": 1, "kind": "explanation", "explanations": []}`, `{"schema_version": 2, "kind": "explanation", "explanations": [{}]}`} {
		if _, err := Read([]byte(text)); err == nil {
			t.Errorf("%q is read", text)
		}
	}
}

// If explanations are attached to a result, the JSON is still a single document.
func TestWithExplanations(t *testing.T) {
	for _, r := range []reports.Report{comparison.Report(&compare.Comparison{}), reports.Listing("bisection", reports.Table{})} {
		for n, explained := range [][]*Explanation{nil, {explainedCases()["culprit"]}} {
			var b bytes.Buffer
			if err := reports.JSON(&b, Attach(r, explained...)); err != nil {
				t.Fatal(err)
			}
			var doc struct{ Explanations []any }
			if err := json.Unmarshal(b.Bytes(), &doc); err != nil || len(doc.Explanations) != n || strings.Contains(b.String(), "explanations") != (n > 0) {
				t.Errorf("%d explanations: %v\n%s", n, err, b.String())
			}
		}
	}
}

func TestExplainGolden(t *testing.T) { reporttest.Check(t, explainCases()) }

// The first part in the document is the function that caused the change.
func TestExplainJSON(t *testing.T) {
	var b bytes.Buffer
	if err := reports.JSON(&b, explainCases()["explain"]); err != nil {
		t.Fatal(err)
	}
	var doc struct {
		Explanations []struct {
			Contributions []struct {
				Parts []struct {
					Name    string
					Certain bool
					Share   float64
				}
			}
		}
	}
	if err := json.Unmarshal(b.Bytes(), &doc); err != nil {
		t.Fatal(err)
	}
	first := doc.Explanations[0].Contributions[0].Parts[0]
	if first.Name != "example.com/codec.mix" || !first.Certain || math.Abs(first.Share-1) > 1e-9 {
		t.Errorf("the first part is %+v", first)
	}
}

// The summary describes the net effect of a change. It combines a function with its predecessor. If
// a function takes more time while the benchmark takes less, the summary does not present it as the
// cause.
func TestCausesNet(t *testing.T) {
	side := func(perOp float64, stacks map[string]float64) tree.Profile {
		p := tree.Profile{PerOp: perOp}
		for range 8 {
			var all []tree.Stack
			for names, value := range stacks {
				functions := append(strings.Split(names, "<"), "m.Sum", "m.BenchmarkSum")
				all = append(all, tree.Stack{Functions: functions, Value: value})
			}
			p.Processes = append(p.Processes, all)
		}
		return p
	}
	for _, tt := range []struct {
		name       string
		base, head map[string]float64
		changed    []string
		want       string
	}{
		{"swapped", map[string]float64{"m.SeedStringSum32": 92}, map[string]float64{"m.SeedSum32": 83}, []string{"m.SeedSum32"}, "m.SeedSum32, which replaced m.SeedStringSum32, causes -9.000 ns of the -9.000 ns, including its calls"},
		{"swapped, both in the diff", map[string]float64{"m.old": 40}, map[string]float64{"m.new": 90}, []string{"m.old", "m.new"}, "m.new, which replaced m.old, causes +50.00 ns of the +50.00 ns, including its calls"},
		{"swapped, with its calls", map[string]float64{"m.leaf<m.old": 50, "m.old": 20}, map[string]float64{"m.new": 90}, []string{"m.new"}, "m.new, which replaced m.old, causes +20.00 ns of the +20.00 ns, including its calls"},
		{"more, but less in all", map[string]float64{"m.a": 40, "m.b": 100}, map[string]float64{"m.a": 60, "m.b": 50}, []string{"m.a"}, "-30.00 ns in all: m.a in the diff causes +20.00 ns including its calls, other functions -50.00 ns"},
		{"the cause", map[string]float64{"m.a": 40, "m.b": 50}, map[string]float64{"m.a": 60, "m.b": 50}, []string{"m.a"}, "1 function in the diff causes +20.00 ns of the +20.00 ns, including its calls"},
	} {
		sum := func(m map[string]float64) (n float64) {
			for _, v := range m {
				n += v
			}
			return n * 1e-9
		}
		c := tree.TimeContributors(side(sum(tt.base), tt.base), side(sum(tt.head), tt.head))
		c.Mark(func(function string) bool { return slices.Contains(tt.changed, function) })
		e := &Explanation{Parts: []*tree.Contributions{c}}
		if got, _ := e.summary(); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
}
