package reports

import (
	"fmt"
	"math"
	"strings"
	"time"

	"golang.org/x/perf/benchunit"

	"github.com/perftrack/perftrack/compare"
)

// scaler returns the scale on which the centers of one row are shown: that of
// benchstat. A unit that has its prefix in its name, as GFLOPS, takes no
// second one: 12.30, not 12.30G nor 12.30k.
func scaler(unit string, centers ...float64) benchunit.Scaler {
	if !prefixed(unit) && !compare.IsRatio(unit) {
		return benchunit.CommonScale(centers, benchunit.ClassOf(unit))
	}
	smallest := math.Inf(1)
	for _, c := range centers {
		if c = math.Abs(c); c > 0 {
			smallest = min(smallest, c)
		}
	}
	if math.IsInf(smallest, 1) {
		smallest = 1
	}
	digits := 3 - int(math.Floor(math.Log10(smallest)))
	return benchunit.Scaler{Prec: min(max(digits, 0), 10), Factor: 1}
}

// prefixed reports whether a unit counts in multiples by name.
func prefixed(unit string) bool {
	num, _, _ := strings.Cut(unit, "/")
	switch num {
	case "KFLOPS", "MFLOPS", "GFLOPS", "TFLOPS", "KFLOP", "MFLOP", "GFLOP", "TFLOP":
		return true
	}
	return false
}

// interval is the part behind a center: "± 1%", "± ∞".
func interval(s compare.Summary) string { return "± " + s.Range() }

// percent is a relative change: 0.05 is "+5.00%".
func percent(change float64) string { return fmt.Sprintf("%+.2f%%", 100*change) }

// pvalue is a p to three digits, as benchstat has it, but never a false zero.
func pvalue(p float64) string {
	if p < 0.0005 {
		return "<0.001"
	}
	return fmt.Sprintf("%.3f", p)
}

// shortSHA is a commit as people read it.
func shortSHA(sha string) string {
	if len(sha) > 12 {
		return sha[:12]
	}
	return sha
}

// shownSHA is the short form of a hash in a table, where none needs a sign.
func shownSHA(sha string) string {
	if sha == "" {
		return "-"
	}
	return shortSHA(sha)
}

// day is the date of a time, "" of none.
func day(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format(time.DateOnly)
}

// plural is "1 row", "2 rows".
func plural(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// shortPercent is a relative change to 0.1 %, as reports of profiles have it.
func shortPercent(change float64) string {
	if math.IsInf(change, 0) || change != change {
		return "?"
	}
	if math.Abs(change) < 0.0005 {
		return "0.0%"
	}
	return fmt.Sprintf("%+.1f%%", 100*change)
}

// fixed has the two digits after the point of a profile report.
func fixed(x float64) string { return withCommas(fmt.Sprintf("%.2f", x)) }

// atLeast formats x with two digits after the point, and of a small number with
// as many as show n digits that count.
func atLeast(n int, x float64) string {
	digits := 2
	if x != 0 {
		digits = min(max(2, n-1-int(math.Floor(math.Log10(math.Abs(x))))), 9)
	}
	return withCommas(fmt.Sprintf("%.*f", digits, x))
}

// withCommas puts commas into a decimal number.
func withCommas(s string) string {
	whole, rest, point := strings.Cut(s, ".")
	for i := len(whole) - 3; i > 0 && whole[i-1] != '-'; i -= 3 {
		whole = whole[:i] + "," + whole[i:]
	}
	if point {
		whole += "." + rest
	}
	return whole
}
