package github

import (
	"fmt"
	"math"
	"strings"

	"github.com/perftrack/perftrack/compare"
)

// A Why says which functions make a regression, as the measuring job found with profiles, or
// why that is not known. All of it comes from outside, and no verdict depends on it.
type Why struct {
	Target, Package, Name string
	Reason                string // why there are no functions; or ""
	Functions             []Function
}

// A Function is one that takes more or less of an operation than before, by itself.
type Function struct {
	Name       string
	Unit       string // of Base and Head: sec/op, B/op, allocs/op
	Base, Head float64
	Share      float64 // of the whole change, NaN where that is not known
	Changed    bool    // the commits between the sides change it
}

// why is the fold below the line of a regression, "" where nothing was found for it: also of
// a benchmark that did not regress, whatever somebody found.
func (f *Finding) why(b *benchmark) string {
	if v := b.rows[0].verdict(); v != compare.Regressed && v != accepted {
		return ""
	}
	for _, w := range f.opt.Why {
		if w.Target != b.target || w.Package != b.Package || w.Name != b.Name {
			continue
		}
		if len(w.Functions) > 0 {
			return "<details><summary>why: functions that make the difference</summary>" + functionLines(w.Functions) + "</details>"
		}
		return "<details><summary>why is not known</summary>" + inline(w.Reason) + "</details>"
	}
	return ""
}

func functionLines(list []Function) string {
	var lines []string
	for _, one := range list {
		r := &compare.Row{Unit: one.Unit}
		r.Base, r.Head = compare.Summary{Center: one.Base, Lo: one.Base, Hi: one.Base, N: 1}, compare.Summary{Center: one.Head, Lo: one.Head, Hi: one.Head, N: 1}
		text := inline(one.Name) + " " + strings.ReplaceAll(amounts(r), "\n", " ")
		if math.Abs(one.Share) < 100 {
			text += words(fmt.Sprintf(", %.0f %% of the change", 100*one.Share))
		}
		if one.Changed {
			text += ", changed here"
		}
		lines = append(lines, text)
	}
	return "<br>" + strings.Join(lines, "<br>")
}

// explained reports whether the functions of a regression are shown.
func (f *Finding) explained() bool {
	for _, b := range f.benchmarks() {
		if strings.Contains(f.why(b), "<br>") {
			return true
		}
	}
	return false
}
