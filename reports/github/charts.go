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

// Histories are what was measured of benchmarks before, on the branch that the head is to be
// merged into. All of it comes from outside, and no verdict depends on it.
type Histories struct {
	// Why says in perftrack's own words why they are not known, although there are some; or "".
	Why string
	// ToBase says that they end where the head left the branch: else the newest runs may be
	// of commits that the head does not have.
	ToBase bool
	// LeftOut is how many series there are that are not in List.
	LeftOut int
	List    []History
}

// A History is one unit of a benchmark in one environment: the medians of its runs, the oldest
// first. Environments are never joined.
type History struct {
	Target string
	record.BenchmarkID
	Unit        string // tidied
	Environment string // an EnvironmentID
	Points      []Point
}

// A Point is a run of a history: the median of its samples.
type Point struct {
	Commit string // its hash, or the beginning
	Value  float64
}

const (
	maxCharts   = 3
	maxPoints   = 30 // of a chart, with the head
	leastPoints = 3
	maxTitle    = 60 // characters of a name in a chart
)

// chartLook gives the line a colour that is seen on a light page and on a dark one: Mermaid's own
// is next to white.
const chartLook = `%%{init: {"xyChart": {"height": 300}, "themeVariables": {"xyChart": {"plotColorPalette": "#2f81f7"}}}}%%` + "\n"

// charts are the histories of the worst regressions, in the order of the table. They are the
// first thing that a text without room for all leaves out.
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
	l.before = "Medians of earlier runs, the oldest first, in one environment each. The axis of the values does not begin at 0.\n\n"
	if !f.opt.Histories.ToBase {
		l.before = strings.TrimSuffix(l.before, "\n\n") + " The runs are the newest of the branch: what this head was compared with is not among their commits.\n\n"
	}
	return l
}

// chart draws the history of a row, or says why there is no chart.
func (f *Finding) chart(r row) (text string, ok bool) {
	name := reports.CodeSpan(strings.Join(f.withHome(r, r.row.Name), " ")) + " " + reports.CodeSpan(r.row.Unit)
	h, points, same := f.earlier(r)
	ends := "this head is left out: it was measured in another environment"
	before := points
	if head := r.row.Head.Center; same && drawable(head) {
		points, ends = append(slices.Clone(points), Point{Value: head}), "then this head"
	} else if same {
		ends = "this head has no value"
	}
	switch {
	case len(h.Points) == 0 && f.opt.Histories.LeftOut > 0:
		return fmt.Sprintf("%s has no run in this history, which leaves out %d series for their number.\n\n", name, f.opt.Histories.LeftOut), false
	case len(h.Points) == 0:
		return name + " has no run in this history yet.\n\n", false
	case len(points) < leastPoints:
		return fmt.Sprintf("%s has too few runs for a chart: %d, and %s; a chart needs %d points.\n\n", name, len(before), ends, leastPoints), false
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

// earlier returns the history that is drawn beside a row: that of its head's environment where it
// is long enough, else the longest one. The points have room for the head.
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

// xychart writes a chart in Mermaid's language. Nothing in it is from outside but for words of
// [chartWord] in quotes and numbers without an exponent, which Mermaid does not read.
func xychart(name, unit string, points []Point, head bool) string {
	values := make([]float64, len(points))
	for i, p := range points {
		if p.Value > 1e-300 { // of less, digits are lost
			values[i] = p.Value
		}
	}
	scale, scaled := chartScale(unit, slices.Max(values))
	for i := range values {
		values[i] /= scale
	}
	lo, hi := slices.Min(values), slices.Max(values)
	if least := 0.02 * hi; hi-lo < least { // what is noise does not fill the chart
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

// chartScale returns by what values are divided so that they are short, and the unit that they
// have then.
func chartScale(unit string, largest float64) (scale float64, name string) {
	p, rest, _ := prefixOf(unit, largest)
	name = p.name + rest
	switch {
	case kindOf(unit) == allocations:
		name = strings.TrimSpace(p.name + " " + unit)
	case rest == unit:
		name = strings.TrimSpace(p.name + " " + unit)
	}
	scale = p.factor
	if largest /= scale; largest >= 1e9 || largest > 0 && largest < 1e-3 {
		power := int(math.Floor(math.Log10(largest)))
		scale *= math.Pow10(power)
		name = fmt.Sprintf("1e%d %s", power, name)
	}
	return scale, name
}

// chartWord keeps of words from outside what can neither end a quoted text of Mermaid nor mean
// anything in it: letters, digits, and some signs that names have.
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
