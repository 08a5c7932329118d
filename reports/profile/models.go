package profile

import (
	"fmt"
	"math"

	"github.com/perftrack/perftrack/reports"
	"github.com/perftrack/perftrack/reports/inference"
	"github.com/perftrack/perftrack/runner/record"
)

// figuresOf returns the suite's figures among all. ok is false if the suite has neither models nor
// kernels.
func (p suite) figuresOf(all []inference.Figures) (f inference.Figures, ok bool) {
	for _, f := range all {
		if f.Kind == record.Scope && f.Suite == p.tree.Suite && f.Package == p.tree.Package {
			return f, true
		}
	}
	return f, false
}

// models returns the tables about the suite's models: how fast they are, and how that changes with
// their size.
func (p suite) models() (tables []reports.Table) {
	f, ok := p.figuresOf(p.figures)
	if !ok || len(f.Models) == 0 {
		return nil
	}
	number := func(x float64, format func(float64) string) reports.Cell {
		if math.IsNaN(x) {
			return reports.Cell{}
		}
		return reports.Cell{Text: format(x)}
	}
	duration := func(s float64) string { return nanos(1e9 * s) }
	t := reports.Table{Heading: "Models", Facts: p.facts(), Words: p.medianWords(), Columns: []reports.Column{
		{Title: "model", Code: true}, {Title: "tok/s", Right: true}, {Title: "latency per token", Right: true}, {Title: "first token", Right: true, Extra: true},
		{Title: "memory per token", Right: true, Extra: true}, {Title: "allocations per token", Right: true, Extra: true}, {Title: "parameters", Right: true, Extra: true},
	}}
	for _, m := range f.Models {
		parameters := math.NaN()
		if m.Parameters > 0 {
			parameters = float64(m.Parameters)
		}
		t.Rows = append(t.Rows, []reports.Cell{
			{Text: m.Name}, number(m.Tokens, reports.Fixed), number(m.Latency, duration), number(m.FirstToken, duration), number(m.Bytes, sizeText),
			number(m.Allocs, reports.Fixed), number(parameters, func(x float64) string { return reports.WithCommas(fmt.Sprintf("%.0f", x)) }),
		})
	}
	tables = append(tables, t.WithoutEmpty(1))
	if len(f.Scaling) == 0 {
		return tables
	}
	times := func(x float64) string { return reports.Unscaled(x, 2) + "x" }
	s := reports.Table{Heading: "Scaling between models", Facts: p.facts(), Words: append(p.medianWords(), inference.Formula), Columns: []reports.Column{
		{Title: "models", Code: true}, {Title: "time per token", Right: true}, {Title: "memory per token", Right: true}, {Title: "parameters", Right: true}, {Title: "efficiency", Right: true},
	}}
	for _, one := range f.Scaling {
		s.Rows = append(s.Rows, []reports.Cell{
			{Text: one.To + " / " + one.From}, number(one.Time, times), number(one.Bytes, times), number(one.Parameters, times), number(one.Efficiency, times),
		})
	}
	return append(tables, s.WithoutEmpty(1))
}

// layers names the layer that stands out in each model's forward pass, if it is the same layer in
// most rounds. A single round is not enough, because one of its calls may have been delayed.
func (p suite) layers() (out []reports.Note) {
	f, _ := p.figuresOf(p.figures)
	for _, m := range f.Models {
		most, ok := outstanding(m.Forward)
		same := 0
		for _, round := range p.rounds {
			if l, ok := outstanding(inference.ForwardIn(round, m.Name)); ok && l.Name == most.Name {
				same++
			}
		}
		if !ok || !p.inMost(same) {
			continue
		}
		detail := most.Name
		if len(m.Forward.Operations) > 0 {
			op := m.Forward.Operations[0]
			detail += fmt.Sprintf("; the largest operation is %s, %s", op.Name, reports.Portion(op.Share))
		}
		out = append(out, reports.Note{Text: fmt.Sprintf("one layer takes %s of a forward pass of model %s:", reports.Portion(most.Share), m.Name), Detail: detail})
	}
	return out
}

// outstanding returns the layer with the largest share of a forward pass. ok reports whether that
// share is large and well above the next layer's share. Layers that do the same work have about the
// same share, so neither of them stands out.
func outstanding(f inference.Forward) (most inference.Part, ok bool) {
	var next inference.Part
	for _, l := range f.Layers {
		switch {
		case l.Name == inference.Rest:
		case l.Share > most.Share:
			most, next = l, most
		case l.Share > next.Share:
			next = l
		}
	}
	return most, len(f.Layers) >= 2 && most.Share >= muchOfAPass && most.Share >= aboveTheNext*next.Share
}

// medianWords returns a sentence for tables with medians over all rounds. Tables without the
// sentence show a single round.
func (p suite) medianWords() []string {
	if n := len(p.tree.Totals); n > 1 {
		return []string{fmt.Sprintf("Medians of %d rounds.", n)}
	}
	return nil
}
