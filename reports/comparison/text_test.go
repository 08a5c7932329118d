package comparison

import (
	"bytes"
	"regexp"
	"strings"
	"testing"

	"github.com/perftrack/perftrack/compare"
	"github.com/perftrack/perftrack/reports"
	"github.com/perftrack/perftrack/reports/reporttest"
	"github.com/perftrack/perftrack/runner/record"
	"github.com/perftrack/perftrack/runner/record/runtest"
)

func TestTextColors(t *testing.T) {
	colored := render(t, cases(t)["trial"], reports.TextOptions{Color: true})
	for _, want := range []string{"\x1b[31mregressed\x1b[0m", "\x1b[32mimproved\x1b[0m", "\x1b[31m5 benchmarks: 2 regressed, 1 improved"} {
		if !strings.Contains(colored, want) {
			t.Errorf("no %q in\n%s", want, colored)
		}
	}
}

// The whole table fits into 120 columns. On narrower terminals the least important columns are
// dropped first; the verdict, the change and the name are never cut.
func TestTextWidth(t *testing.T) {
	r := cases(t)["trial"]
	for _, tt := range []struct {
		width int
		lost  string
	}{
		{120, ""}, {119, ""},
		{110, "(terminal too narrow for: adj. p)"},
		{80, "(terminal too narrow for: adj. p, noise, rounds, median, base → head)"},
		{60, "(terminal too narrow for: adj. p, noise, rounds, median, base → head, intervals of change)"},
	} {
		out := render(t, r, reports.TextOptions{Width: tt.width})
		if strings.Contains(out, "too narrow") != (tt.lost != "") || !strings.Contains(strings.ReplaceAll(out, "\n", " "), tt.lost) {
			t.Errorf("width %d:\n%s", tt.width, out)
		}
		for _, want := range []string{"regressed ", " +11.2 %", " Encode/format=json ", "inconclusive "} {
			if !strings.Contains(out, want) {
				t.Errorf("width %d: no %q in\n%s", tt.width, want, out)
			}
		}
		for line := range strings.Lines(out) {
			command := strings.HasPrefix(line, "  perftrack ") || strings.HasPrefix(line, "5 benchmarks: ")
			if width := reports.Columns(strings.TrimSuffix(line, "\n")); width > tt.width && !command {
				t.Errorf("width %d: %d columns in %q", tt.width, width, line)
			}
		}
	}
}

// The numbers in a column are aligned for names of any width.
func TestTextAlignment(t *testing.T) {
	out := render(t, cases(t)["hostile"], reports.TextOptions{})
	at := -1
	for _, line := range strings.Split(out, "\n") {
		i := strings.Index(line, "102.5n → ")
		if i < 0 {
			continue
		}
		if w := reports.Columns(line[:i]); at < 0 {
			at = w
		} else if w != at {
			t.Errorf("the number stands at %d in place of %d in %q", w, at, line)
		}
	}
	if at < 0 {
		t.Fatal("no rows")
	}
}

// Even for absurd values in a file, no report contains a number with too many digits to read.
func TestReportsOfAbsurdNumbers(t *testing.T) {
	long := regexp.MustCompile(`\d{20}`)
	for _, centers := range [][2]float64{{1, 1e300}, {1e300, 1}, {1e-300, 1e300}, {1e305, 1.1e305}, {0, 1e300}} {
		text := func(center float64) *record.Run {
			return runtest.Read(t, runtest.Vary(10, "A", 40, center, "ns/op", center, "B/op", center, "GFLOPS", center, "MB/s")+
				runtest.Vary(10, "B", 1, 100.0, "ns/op", 1.0, "B/op")+runtest.Vary(10, "C", 0, 1.0, "ns/op", 1e300, "allocs/op")+runtest.Vary(10, "D", 0, 1.0, "ns/op", 1e300, "allocs/op"))
		}
		base, head := reporttest.Trial(reporttest.Side("base", "a", text(centers[0])), reporttest.Side("head", "b", text(centers[1])))
		for name, write := range map[string]func(*bytes.Buffer, reports.Report) error{
			"terminal": func(b *bytes.Buffer, r reports.Report) error { return reports.Text(b, r, reports.TextOptions{}) },
			"markdown": func(b *bytes.Buffer, r reports.Report) error { return reports.Markdown(b, r) },
		} {
			var b bytes.Buffer
			if err := write(&b, Report(compare.Compare(base, head, compare.Options{}))); err != nil {
				t.Fatal(err)
			}
			for line := range strings.Lines(b.String()) {
				if long.MatchString(line) {
					t.Errorf("%s of %g and %g: %s", name, centers[0], centers[1], line)
				}
			}
		}
	}
}

func render(t *testing.T, r reports.Report, opt reports.TextOptions) string {
	t.Helper()
	var b bytes.Buffer
	if err := reports.Text(&b, r, opt); err != nil {
		t.Fatal(err)
	}
	return b.String()
}
