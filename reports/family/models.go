package family

import (
	"fmt"
	"math"

	"github.com/perftrack/perftrack/reports"
	"github.com/perftrack/perftrack/reports/family/cells"
	"github.com/perftrack/perftrack/reports/inference"
	"github.com/perftrack/perftrack/runner/naming"
	"github.com/perftrack/perftrack/runner/record"
)

// models reports how fast inference is, how it scales with the size of the model, and how much time
// each layer takes.
func models(v *view) reports.Report {
	r := reports.Report{Facts: v.facts()}
	n := v.modelCount()
	if n == 0 {
		r.Summary, r.Tone = "No run of a model is stored: its rows would be named Model_NAME_Inference", reports.Warn
		r.Remarks = append(r.Remarks, reports.Note{Text: "the built-in engine has two models, and its profile shows their layers", Detail: "perftrack profile deep"})
		return r
	}
	r.Summary = reports.Plural(n, "model") + ", each from its newest run"
	for f := range v.currentFigures() {
		if len(f.Models) == 0 {
			continue
		}
		if t := specifications(f); len(t.Columns) > 1 {
			r.Tables = append(r.Tables, t)
		}
		r.Tables = append(r.Tables, v.throughput(f))
		if len(f.Scaling) > 0 {
			r.Tables = append(r.Tables, scaling(f))
		}
		for _, m := range f.Models {
			r.Tables = append(r.Tables, forward(f, m)...)
		}
	}
	r.Remarks = append(r.Remarks, v.doubts()...)
	return r
}

// specifications returns a table of the known dimensions of the models.
func specifications(f inference.Figures) reports.Table {
	t := reports.Table{Heading: "Specifications", Facts: cells.FigureFacts(f), Columns: []reports.Column{
		{Title: "model", Code: true}, {Title: "parameters", Right: true}, {Title: "width", Right: true}, {Title: "layers", Right: true}, {Title: "heads", Right: true},
		{Title: "context", Right: true}, {Title: "vocabulary", Right: true},
	}}
	for _, m := range f.Models {
		row := []reports.Cell{cells.Text(m.Name), {}}
		if m.Parameters > 0 {
			row[1] = reports.Cell{Text: reports.WithCommas(fmt.Sprint(m.Parameters)), Value: m.Parameters}
		}
		if s, ok := naming.ShapeOf(naming.Model{Name: m.Name, Parameters: m.Parameters}); ok {
			for _, n := range []int{s.Width, s.Layers, s.Heads, s.Context, s.Vocabulary} {
				row = append(row, reports.Cell{Text: fmt.Sprint(n), Value: n})
			}
		}
		t.Rows = append(t.Rows, row)
	}
	return t.WithoutEmpty(1)
}

// throughputTables returns the throughput tables of all current runs.
func (v *view) throughputTables() (out []reports.Table) {
	for f := range v.currentFigures() {
		if len(f.Models) > 0 {
			out = append(out, v.throughput(f))
		}
	}
	return out
}

// throughput returns a table that shows how fast the models generate tokens.
func (v *view) throughput(f inference.Figures) reports.Table {
	t := reports.Table{Heading: "Throughput of the models", Facts: cells.FigureFacts(f), Columns: append([]reports.Column{
		{Title: "model", Code: true}, {Title: "tok/s", Right: true}, cells.BarColumn("tok/s, to scale"), {Title: "latency per token", Right: true}, {Title: "to the first token", Right: true},
		{Title: "memory per token", Right: true}, {Title: "objects per token", Right: true}, {Title: "per inference", Right: true}, {Title: "tokens", Right: true},
	}, v.changeColumns()...)}
	most := 0.0
	for _, m := range f.Models {
		most = max(most, orZero(m.Tokens))
	}
	for _, m := range f.Models {
		id := record.BenchmarkID{Kind: f.Kind, Suite: f.Suite, Package: f.Package, Name: "Model_" + m.Name + "_Inference"}
		t.Rows = append(t.Rows, append([]reports.Cell{
			cells.Text(m.Name), plain(m.Tokens), cells.Bar(m.Tokens / most), cells.Number(m.Latency, "sec/op"), cells.Number(m.FirstToken, "sec/op"),
			cells.Number(m.Bytes, "B/op"), plain(m.Allocs), cells.Number(m.Time, "sec/op"), plain(m.Generated),
		}, v.change(f.Run, id, "sec/op")...))
	}
	return t.WithoutEmpty(4)
}

// plain formats a number without a unit. Whole numbers are written in full, and others with at
// least three significant digits.
func plain(x float64) reports.Cell {
	switch {
	case math.IsNaN(x) || math.IsInf(x, 0):
		return reports.Cell{}
	case x == math.Trunc(x) && math.Abs(x) < 1e9:
		return reports.Cell{Text: reports.WithCommas(fmt.Sprintf("%.0f", x)), Value: x}
	}
	return reports.Cell{Text: reports.AtLeast(3, x), Value: x}
}

// scaling returns a table that compares how time and number of parameters grow from one model to
// the next.
func scaling(f inference.Figures) reports.Table {
	t := reports.Table{Heading: "Scaling", Facts: cells.FigureFacts(f), Words: []string{inference.Formula + "."}, Columns: []reports.Column{
		{Title: "from", Code: true}, {Title: "to", Code: true}, {Title: "parameters", Right: true}, {Title: "time per token", Right: true}, {Title: "memory per token", Right: true}, {Title: "efficiency", Right: true}, {Title: "so the time grows"},
	}}
	times := func(x float64) reports.Cell {
		if math.IsNaN(x) {
			return reports.Cell{}
		}
		return reports.Cell{Text: reports.Unscaled(x, 2) + "x", Value: x}
	}
	for _, s := range f.Scaling {
		t.Rows = append(t.Rows, []reports.Cell{cells.Text(s.From), cells.Text(s.To), times(s.Parameters), times(s.Time), times(s.Bytes), times(s.Efficiency), cells.Text(scalingWords(s.Efficiency))})
	}
	return t
}

// scalingWords describes an efficiency. Between 1/1.1 and 1.1, the words are that the time grows
// about as fast as the parameters.
func scalingWords(efficiency float64) string {
	switch {
	case math.IsNaN(efficiency):
		return "unknown, because the parameters are"
	case efficiency > 1.1:
		return "more slowly than the parameters"
	case efficiency < 1/1.1:
		return "faster than the parameters"
	}
	return "about as fast as the parameters"
}

// forward returns tables with the time of a model's forward pass by layer and by operation. It
// returns nil if that time is unknown.
func forward(f inference.Figures, m inference.Model) []reports.Table {
	facts := append(cells.FigureFacts(f), reports.Fact{Key: "model", Value: m.Name})
	if math.IsNaN(m.Forward.Seconds) {
		return nil
	}
	pass := fmt.Sprintf("A pass takes %s on average, over %s.", cells.Amount(m.Forward.Seconds, "sec/op"), reports.Plural(m.Forward.Calls, "call"))
	if len(m.Forward.Layers) == 0 {
		return []reports.Table{{Heading: "Forward pass", Facts: facts, Words: []string{pass + " The profile has no scopes within it, so it shows no layers."}}}
	}
	out := []reports.Table{partTable("Forward pass, by layer", facts, m.Forward.Layers)}
	out[0].Words = []string{pass}
	if len(m.Forward.Operations) > 0 {
		out = append(out, partTable("Forward pass, by operation", facts, m.Forward.Operations))
		out[1].Words = []string{"Own time of each scope in a pass, whichever layer it is in."}
	}
	return out
}

func partTable(heading string, facts []reports.Fact, parts []inference.Part) reports.Table {
	t := reports.Table{Heading: heading, Facts: facts, Columns: []reports.Column{{Title: "part", Code: true}, {Title: "time per pass", Right: true}, {Title: "share", Right: true}, cells.BarColumn("share, to scale")}}
	rest, n := inference.Part{}, 0
	for _, p := range parts {
		if p.Share < reports.LeastShare {
			rest.Seconds, rest.Share, n = rest.Seconds+p.Seconds, rest.Share+p.Share, n+1
			continue
		}
		t.Rows = append(t.Rows, []reports.Cell{cells.Text(p.Name), cells.Number(p.Seconds, "sec/op"), cells.Share(p.Share), cells.Bar(p.Share)})
	}
	if n > 0 {
		name := fmt.Sprintf("(%s below %.1f %%)", reports.Plural(n, "part"), 100*reports.LeastShare)
		t.Rows = append(t.Rows, []reports.Cell{cells.Text(name), cells.Number(rest.Seconds, "sec/op"), cells.Share(rest.Share), cells.Bar(rest.Share)})
	}
	return t
}
