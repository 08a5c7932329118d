package github

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/perftrack/perftrack/compare"
	"github.com/perftrack/perftrack/reports"
	"github.com/perftrack/perftrack/runner/record"
)

// Histories holds earlier medians of benchmarks on the target branch. They are external input, so
// no verdict depends on them.
type Histories struct {
	// Why is the reason why the histories could not be read, in perftrack's own words. It is "" if
	// they could be read.
	Why string
	// ToBase reports whether the histories end at the merge base. If not, the head might not
	// contain the commits of the newest runs.
	ToBase  bool
	LeftOut int // number of series missing from List
	List    []History
}

// A History holds the medians of a benchmark in one unit and one environment, oldest first.
type History struct {
	Target string
	record.BenchmarkID
	Unit        string // tidied: sec/op rather than ns/op
	Environment string // an EnvironmentID
	Points      []Point
}

// A Point is one run in a history.
type Point struct {
	Commit string // full or abbreviated hash
	Value  float64
}

const (
	maxCharts   = 3
	maxPoints   = 30 // including the head
	leastPoints = 3
	maxTitle    = 60 // maximum length of a name, in characters
)

// chartLook makes the curve visible on light and dark pages. Mermaid's own color is nearly white.
const chartLook = `%%{init: {"xyChart": {"height": 300}, "themeVariables": {"xyChart": {"plotColorPalette": "#2f81f7"}}}}%%` + "\n"

// charts draws the histories of the worst regressions, in the order of the table of changes. If the
// text becomes too long, charts are the first part to be left out.
func (f *Finding) charts() list {
	l := list{what: "charts", spare: true}
	var worst []row
	for _, b := range f.benchmarks() {
		if b.rows[0].verdict() == compare.Regressed && len(worst) < maxCharts {
			worst = append(worst, b.rows[0])
		}
	}
	if f.opt.Histories == nil || len(worst) == 0 {
		return l
	}
	l.title = "history of the " + []string{"", "two ", "three "}[len(worst)-1] + "worst"
	if why := f.opt.Histories.Why; why != "" {
		l.title += ": not known"
		l.lines = []string{Sentence(why) + "\n"}
		return l
	}
	drawn := false
	for _, r := range worst {
		text, ok := f.chart(r)
		l.lines, drawn = append(l.lines, text), drawn || ok
	}
	if !drawn {
		l.title += ": no chart"
		return l
	}
	l.before = "Medians of earlier runs, oldest first; each chart shows a single environment. The value axis does not start at 0.\n\n"
	if !f.opt.Histories.ToBase {
		l.before = strings.TrimSuffix(l.before, "\n\n") + " The runs are the newest on the branch; the base of this comparison is not among their commits.\n\n"
	}
	return l
}

// chart draws the history of a row. If the history cannot be drawn, chart returns the reason as a
// sentence and sets ok to false.
func (f *Finding) chart(r row) (text string, ok bool) {
	name := reports.CodeSpan(strings.Join(f.withHome(r, r.row.Name), " ")) + " " + reports.CodeSpan(r.row.Unit)
	h, points, same := f.earlier(r)
	ends := "this head is not shown, because it was measured in another environment"
	before := points
	if head := r.row.Head.Center; same && drawable(head) {
		points, ends = append(slices.Clone(points), Point{Value: head}), "then this head"
	} else if same {
		ends = "this head has no value"
	}
	switch {
	case len(h.Points) == 0 && f.opt.Histories.LeftOut > 0:
		return fmt.Sprintf("%s has no run in this history, which is limited and omits %d series.\n\n", name, f.opt.Histories.LeftOut), false
	case len(h.Points) == 0:
		return name + " has no run in this history yet.\n\n", false
	case len(points) < leastPoints:
		return fmt.Sprintf("%s has too few runs for a chart (%d in the history, %s); a chart needs %d points.\n\n", name, len(before), ends, leastPoints), false
	}
	commits := f.opt.commit(before[0].Commit)
	if last := before[len(before)-1].Commit; last != before[0].Commit {
		commits = "from " + commits + " to " + f.opt.commit(last)
	}
	if len(before) == 1 {
		commits = "of " + commits
	}
	caption := fmt.Sprintf("%s: %s %s, %s", name, reports.Plural(len(before), "run"), commits, ends)
	return caption + "\n\n```mermaid\n" + xychart(r.row.Name, r.row.Unit, points, same) + "```\n\n", true
}

// earlier returns the history to draw for a row, and its latest points for a chart together with
// the head. It prefers histories with enough points for a chart, then histories from the head's
// environment, then longer histories. same reports whether the history was measured in the head's
// environment.
func (f *Finding) earlier(r row) (h History, points []Point, same bool) {
	own := ""
	if env := r.table.Env[1]; env != nil {
		own = env.EnvironmentID()
	}
	for _, one := range f.opt.Histories.List {
		if one.Target != r.row.Target || one.BenchmarkID != r.row.BenchmarkID || one.Unit != r.row.Unit {
			continue
		}
		if one.Points = slices.DeleteFunc(slices.Clone(one.Points), func(p Point) bool { return !drawable(p.Value) }); len(one.Points) == 0 {
			continue
		}
		mine := one.Environment == own
		enough := func(h History, same bool) bool {
			return len(h.Points) >= leastPoints || same && len(h.Points) == leastPoints-1
		}
		better := cmp.Or(truth(enough(one, mine))-truth(enough(h, same)), truth(mine)-truth(same), len(one.Points)-len(h.Points)) > 0
		if len(h.Points) == 0 || better {
			h, same = one, mine
		}
	}
	return h, h.Points[max(0, len(h.Points)-maxPoints+1):], same
}

func truth(b bool) int {
	if b {
		return 1
	}
	return 0
}

func drawable(v float64) bool { return v >= 0 && !math.IsInf(v, 1) }

// xychart writes a chart in Mermaid's language. All external text in it is quoted and filtered by
// [chartWord]. Numbers are written without exponents, because Mermaid does not understand them.
// head reports whether the last point is the head.
func xychart(name, unit string, points []Point, head bool) string {
	values := make([]float64, len(points))
	for i, p := range points {
		if p.Value > 1e-300 { // smaller values become 0, as they would lose digits
			values[i] = p.Value
		}
	}
	scale, scaled := chartScale(unit, slices.Max(values))
	for i := range values {
		values[i] /= scale
	}
	lo, hi := slices.Min(values), slices.Max(values)
	if least := 0.02 * hi; hi-lo < least { // keep noise from filling the whole height
		lo, hi = lo-(least-(hi-lo))/2, hi+(least-(hi-lo))/2
	}
	span := hi - lo
	if span == 0 {
		hi, span = lo+1, 1
	}
	lo, hi = max(0, lo-span/10), hi+span/10
	digits := min(max(0, 2-int(math.Floor(math.Log10(span)))), 9)
	number := func(x float64) string {
		text := strconv.FormatFloat(x, 'f', digits, 64)
		if strings.Contains(text, ".") {
			text = strings.TrimRight(strings.TrimRight(text, "0"), ".")
		}
		return text
	}
	var list []string
	for _, v := range values {
		list = append(list, number(v))
	}
	axis := "runs before the newest"
	if head {
		axis = "runs before this head"
	}
	return chartLook + fmt.Sprintf("xychart-beta\n    title \"%s\"\n    x-axis \"%s\" %d --> 0\n    y-axis \"%s\" %s --> %s\n    line [%s]\n",
		chartWord(name)+", "+chartWord(unit), axis, 1-len(points), chartWord(scaled), number(lo), number(hi), strings.Join(list, ", "))
}

// chartScale returns a divisor that makes the numbers in a chart short, and the unit of the divided
// numbers.
func chartScale(unit string, largest float64) (scale float64, name string) {
	scale, name = reports.ScaleOf(unit, largest)
	if kindOf(unit) == allocations {
		name = strings.TrimSpace(name + " " + unit)
	}
	if largest /= scale; largest >= 1e9 || largest > 0 && largest < 1e-3 {
		power := int(math.Floor(math.Log10(largest)))
		scale *= math.Pow10(power)
		name = fmt.Sprintf("1e%d %s", power, name)
	}
	return scale, name
}

// chartWord shortens an external name and replaces all its characters except letters, digits and a
// few signs. The remaining characters have no special meaning in Mermaid's quoted text.
func chartWord(s string) string {
	r := []rune(reports.Printable(s))
	if len(r) > maxTitle {
		r = slices.Concat(r[:maxTitle-20], []rune("..."), r[len(r)-17:])
	}
	for i, c := range r {
		if !unicode.IsLetter(c) && !unicode.IsDigit(c) && !strings.ContainsRune(" _-+=/.,:()", c) {
			r[i] = '?'
		}
	}
	return string(r)
}
