package github

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/perftrack/perftrack/compare"
	"github.com/perftrack/perftrack/compare/digest"
)

// A Why names the functions behind a regression, or the reason for the missing explanation. It
// comes from the untrusted measuring job, so no verdict depends on it.
type Why struct {
	Target, Package, Name string
	Reason                string // why there are no functions, or ""
	Functions             []Function
}

// A Function is a Go function whose own cost in an operation changed.
type Function struct {
	Name       string
	Unit       string // the unit of Base and Head: sec/op, B/op or allocs/op
	Base, Head float64
	Share      float64 // share of the whole change, or NaN if unknown
	Changed    bool    // whether the commits between the two sides changed the function
}

// explanation returns the explanation of a benchmark's regression. ok is false unless the benchmark
// regressed and has an explanation.
func (f *Finding) explanation(b *benchmark) (w Why, ok bool) {
	if v := b.rows[0].verdict(); v != compare.Regressed && v != digest.Accepted {
		return w, false
	}
	i := slices.IndexFunc(f.opt.Why, func(w Why) bool { return w.Target == b.target && w.Package == b.Package && w.Name == b.Name })
	if i < 0 {
		return w, false
	}
	return f.opt.Why[i], true
}

// why returns the folded part with the explanation of a benchmark's regression, or "".
func (f *Finding) why(b *benchmark) string {
	switch w, ok := f.explanation(b); {
	case !ok:
		return ""
	case len(w.Functions) > 0:
		return "<details><summary>why: functions behind the difference</summary>" + functionLines(w.Functions) + "</details>"
	default:
		return "<details><summary>why: not explained</summary>" + inline(w.Reason) + "</details>"
	}
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

// explained reports whether the comment names the functions that caused a regression.
func (f *Finding) explained() bool {
	return slices.ContainsFunc(f.benchmarks(), func(b *benchmark) bool {
		w, _ := f.explanation(b)
		return len(w.Functions) > 0
	})
}
