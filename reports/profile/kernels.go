package profile

import (
	"cmp"
	"math"
	"slices"

	"github.com/perftrack/perftrack/reports"
	"github.com/perftrack/perftrack/reports/inference"
	"github.com/perftrack/perftrack/runner/record"
)

// kernels returns the table of the rates of the suite's kernels, fastest first. It returns nil if
// the suite has no kernels.
func (p suite) kernels() []reports.Table {
	for _, f := range p.figures {
		if f.Kind == record.Scope && f.Suite == p.tree.Suite && f.Package == p.tree.Package && len(f.Kernels) > 0 {
			return []reports.Table{p.kernelTable(f)}
		}
	}
	return nil
}

func (p suite) kernelTable(f inference.Figures) reports.Table {
	t := reports.Table{Heading: "Kernels, by GFLOPS", Facts: p.facts(), Words: p.medianWords(), Columns: []reports.Column{
		{Title: "kernel", Code: true}, {Title: "time per call", Right: true}, {Title: "GFLOPS", Right: true}, {Title: "of peak", Right: true},
	}}
	if f.Peak > 0 {
		t.Words = append(t.Words, inference.PeakWords(reports.AtLeast(3, f.Peak)))
	}
	fastest := slices.Clone(f.Kernels)
	slices.SortStableFunc(fastest, func(a, b inference.Kernel) int { return cmp.Compare(b.GFLOPS, a.GFLOPS) })
	for _, k := range fastest {
		row := []reports.Cell{{Text: k.Name}, {Text: nanos(1e9 * k.Time)}, {}, {}}
		if !math.IsNaN(k.GFLOPS) {
			row[2].Text = reports.AtLeast(3, k.GFLOPS)
		}
		if !math.IsNaN(k.OfPeak) {
			row[3].Text = reports.Portion(k.OfPeak)
		}
		t.Rows = append(t.Rows, row)
	}
	return t.WithoutEmpty(2)
}
