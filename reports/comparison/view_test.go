package comparison

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/perftrack/perftrack/compare"
	"github.com/perftrack/perftrack/compare/digest"
	"github.com/perftrack/perftrack/reports"
	"github.com/perftrack/perftrack/reports/reporttest"
	"github.com/perftrack/perftrack/runner/record"
	"github.com/perftrack/perftrack/runner/record/runtest"
)

// many returns a trial of a module with 40 benchmarks. One benchmark is slower and one is quicker.
// In each of the two packages, one benchmark makes one allocation fewer, a relevant change, and
// allocates 16 bytes less, a negligible change.
func many(t testing.TB) *compare.Comparison {
	side := func(head bool) string {
		var text strings.Builder
		for p, pkg := range []string{"example.com/mod", "example.com/mod/internal/parse"} {
			fmt.Fprintf(&text, "pkg: %s\n", pkg)
			for i := range 20 {
				ns, bytes, allocs := 1000.0+float64(i), 16.0, 1.0
				switch {
				case head && i == 3 && p == 1:
					ns *= 1.2
				case head && i == 4 && p == 0:
					ns /= 1.5
				case head && i == 5:
					bytes, allocs = 0, 0
				}
				text.WriteString(runtest.Vary(15, fmt.Sprintf("Get/n=%d", i), 0, ns, "ns/op", 1e6/ns, "MB/s", bytes, "B/op", allocs, "allocs/op"))
			}
		}
		return text.String()
	}
	b, h := reporttest.Trial(reporttest.Side("main", "a", runtest.Read(t, side(false))), reporttest.Side("feature", "b", runtest.Read(t, side(true))))
	return compare.Compare(b, h, compare.Options{})
}

// Unchanged rows are only counted, so that a report on 160 rows fits on a screen, but all of them
// can be requested. The JSON is the same in any view.
func TestFolded(t *testing.T) {
	c := many(t)
	out := render(t, Report(c), reports.TextOptions{Width: 120})
	for _, want := range []string{
		"40 benchmarks: 1 regressed, 3 improved, 36 unchanged\n",
		"\nsec/op, allocs/op: 38 unchanged\n", "\nB/s: 40 derived from the time\n",
		"\nB/op: 40 unchanged (2 of them differ by one size class, which is too small to matter)\n",
		"internal/parse Get/n=3 ", "mod Get/n=4 ", "show them with perftrack compare --all",
	} {
		if !strings.Contains(out, want) {
			t.Errorf("no %q in\n%s", want, out)
		}
	}
	if n := strings.Count(out, "\n"); n > 40 {
		t.Errorf("%d lines:\n%s", n, out)
	}
	if i, j := strings.Index(out, "regressed  "), strings.Index(out, "improved  "); i < 0 || j < i {
		t.Errorf("what regressed does not come first:\n%s", out)
	}
	all := render(t, View{All: true}.Report(c), reports.TextOptions{})
	if n := strings.Count(all, " Get/n="); n < 160 {
		t.Errorf("%d rows of 160 with all:\n%s", n, all)
	}
	if strings.Contains(all, "-100") && strings.Contains(all, "unchanged  -100") || !strings.Contains(all, "-16 B (exact)") {
		t.Errorf("a change that does not matter is shown as a large one:\n%s", all)
	}
	if reporttest.Write(t, Report(c), "json") != reporttest.Write(t, View{Changed: true, Unit: "B/op"}.Report(c), "json") {
		t.Error("a view changes the document")
	}
}

// The report gives the number of rows hidden by a filter. Neither the summary nor the suggested
// commands depend on the filter.
func TestFilters(t *testing.T) {
	c := many(t)
	for _, tt := range []struct {
		name   string
		view   View
		rows   int
		hidden string
	}{
		{"bench", View{Bench: regexp.MustCompile("n=3$").MatchString, All: true}, 8, "152 of 160 rows are filtered out"},
		{"unit", View{Unit: "ns/op", All: true}, 40, "120 of 160 rows are filtered out"},
		{"unit as shown", View{Unit: "sec/op", All: true}, 40, "120 of 160 rows are filtered out"},
		{"changed", View{Changed: true}, 4, "156 of 160 rows are filtered out"},
		{"none", View{Bench: regexp.MustCompile("Nobody").MatchString}, 0, "160 of 160 rows are filtered out"},
		{"all", View{All: true}, 160, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			for _, format := range []string{"txt", "md"} {
				out := reporttest.Write(t, tt.view.Report(c), format)
				if n := strings.Count(out, "Get/n=") - strings.Count(out, "  perftrack "); n != tt.rows && format == "txt" {
					t.Errorf("%d rows, want %d:\n%s", n, tt.rows, out)
				}
				if !strings.Contains(out, tt.hidden) || strings.Contains(out, "filtered out") != (tt.hidden != "") {
					t.Errorf("%s does not say %q:\n%s", format, tt.hidden, out)
				}
				if !strings.Contains(out, "1 regressed, 3 improved, ") {
					t.Errorf("%s: the summary depends on the view:\n%s", format, out)
				}
			}
			if out := reporttest.Write(t, tt.view.Report(c), "txt"); !strings.Contains(out, "perftrack explain aaaaaaaaaaaa bbbbbbbbbbbb --bench Get/n=3 --package example.com/mod/internal/parse\n") {
				t.Errorf("no command for what regressed:\n%s", out)
			}
		})
	}
}

func TestSorted(t *testing.T) {
	c := many(t)
	first := func(sort string) (names []string) {
		for _, m := range regexp.MustCompile(`Get/n=\d+`).FindAllString(render(t, View{Sort: sort, Unit: "ns/op"}.Report(c), reports.TextOptions{}), 3) {
			names = append(names, strings.TrimPrefix(m, "Get/n="))
		}
		return names
	}
	for sort, want := range map[string][]string{"change": {"4", "3", "0"}, "p": {"4", "3", "0"}, "name": {"0", "1", "2"}} {
		if got := first(sort); !slices.Equal(got, want) && !(sort == "p" && got[0] != "0" && got[1] != "0") {
			t.Errorf("--sort %s: %v, want %v", sort, got, want)
		}
	}
	names := []string{"B/n=10", "B/n=9", "A", "B/n=9/x", "B/n=010"}
	slices.SortFunc(names, reports.CompareNames)
	if want := []string{"A", "B/n=9", "B/n=9/x", "B/n=10", "B/n=010"}; !slices.Equal(names, want) {
		t.Errorf("%q, want %q", names, want)
	}
}

// noisy returns a trial in which no time can be decided. The first improved benchmarks allocate
// less.
func noisy(t *testing.T, benchmarks, improved int) *compare.Comparison {
	side := func(head int) string {
		var text strings.Builder
		for i := range benchmarks {
			allocs := 3
			if head == 1 && i < improved {
				allocs = 1
			}
			for round := range 15 {
				fmt.Fprintf(&text, "Get/n=%d 1 %d ns/op %d allocs/op\n", i, 1000+(round*(7+4*head)+i)%5*400, allocs)
			}
		}
		return text.String()
	}
	b, h := reporttest.Trial(reporttest.Side("main", "a", runtest.Read(t, side(0))), reporttest.Side("feature", "b", runtest.Read(t, side(1))))
	return compare.Compare(b, h, compare.Options{})
}

// Each benchmark is counted once. If it improved in one unit and is undecided in another, the
// summary mentions both.
func TestPartlyImproved(t *testing.T) {
	for _, tt := range []struct {
		benchmarks, improved int
		want                 string
	}{
		{3, 0, "3 benchmarks: 3 inconclusive\n"},
		{3, 1, "3 benchmarks: 1 improved (its sec/op undecided), 2 inconclusive\n"},
		{3, 3, "3 benchmarks: 3 improved (their sec/op undecided)\n"},
	} {
		out := render(t, Report(noisy(t, tt.benchmarks, tt.improved)), reports.TextOptions{})
		if strings.Count(out, tt.want) != 2 {
			t.Errorf("%d of %d: no %q first and last in\n%s", tt.improved, tt.benchmarks, tt.want, out)
		}
	}
	out := render(t, Report(noisy(t, 3, 0)), reports.TextOptions{})
	for _, want := range []string{"3 rows are too noisy to decide here", "\n  perftrack doctor\n"} {
		if !strings.Contains(out, want) {
			t.Errorf("no %q in\n%s", want, out)
		}
	}
	key := func(name string) digest.Key { return digest.Key{BenchmarkID: record.BenchmarkID{Name: name}} }
	three := &digest.Digest{Counts: map[compare.Verdict]int{compare.Improved: 3}, Benchmarks: map[digest.Key]digest.Benchmark{
		key("A"): {Verdict: compare.Improved, Open: []string{"sec/op"}},
		key("B"): {Verdict: compare.Improved, Open: []string{"B/op", "sec/op"}},
		key("C"): {Verdict: compare.Improved},
	}}
	if got, want := partlyWords(three), " (2 of them undecided in sec/op, B/op)"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// If many rows are undecided, only the first rows are shown, unless the user asks for changed rows.
func TestCapped(t *testing.T) {
	for _, tt := range []struct {
		benchmarks int
		view       View
		rows       int
		want       string
	}{
		{20, View{}, 20, ""},
		{21, View{}, 10, "\n11 more inconclusive: perftrack compare --changed shows them\n"},
		{21, View{Changed: true}, 21, ""},
		{21, View{All: true}, 42, ""},
	} {
		out := render(t, tt.view.Report(noisy(t, tt.benchmarks, 0)), reports.TextOptions{Width: 120})
		if n := strings.Count(out, " Get/n="); n != tt.rows || !strings.Contains(out, tt.want) || tt.want == "" && strings.Contains(out, "more inconclusive") {
			t.Errorf("%d benchmarks, %+v: %d rows, want %d and %q:\n%s", tt.benchmarks, tt.view, n, tt.rows, tt.want, out)
		}
	}
}

// New benchmarks cannot push the verdict off the screen, because only some of them are named.
// Missing benchmarks are all named.
func TestManyNew(t *testing.T) {
	c := many(t)
	for i := range 30 {
		one := compare.OneSided{BenchmarkID: record.BenchmarkID{Name: fmt.Sprintf("Case/n=%02d", i)}}
		c.New, c.Missing = append(c.New, one), append(c.Missing, one)
	}
	for _, tt := range []struct {
		all   bool
		named int
	}{{false, newShown}, {true, 30}} {
		out := render(t, View{All: tt.all}.Report(c), reports.TextOptions{Width: 120})
		fresh := out[strings.Index(out, "new in head (30):"):]
		if got := strings.Count(fresh, "Case/n="); got != tt.named {
			t.Errorf("all %v: %d of 30 are named, want %d, in\n%s", tt.all, got, tt.named, fresh)
		}
		if more := strings.Contains(fresh, "and 20 more: perftrack compare --all"); more == tt.all {
			t.Errorf("all %v: more is %v", tt.all, more)
		}
		if got := strings.Count(out, "Case/n="); got != tt.named+30 {
			t.Errorf("all %v: %d are named, want 30 missing and %d new", tt.all, got, tt.named)
		}
	}
}
