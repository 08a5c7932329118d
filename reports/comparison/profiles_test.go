package comparison

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/perftrack/perftrack/compare"
	"github.com/perftrack/perftrack/reports"
	"github.com/perftrack/perftrack/reports/reporttest"
	"github.com/perftrack/perftrack/runner/record/runtest"
)

// callTree returns n rounds of a call tree as large as our own largest, with about 130 scopes in up
// to eight levels. All times are multiplied by slower, and the times of every other round also by
// off.
func callTree(n int, off, slower float64) string {
	var b strings.Builder
	b.WriteString("profile: scopes\nsuite: enhanced\n")
	for i := range n {
		factor := slower * (1 + 0.001*float64(i))
		if i%2 == 1 {
			factor *= off
		}
		scope := func(path string, calls int, ms float64) {
			ns := 1e6 * ms * factor / float64(calls)
			fmt.Fprintf(&b, "%s %d %.6g ns/op %.6g self-ns/op %.6g min-ns/op %.6g max-ns/op %d B/op 1 allocs/op\n", path, calls, ns, ns/2, ns/3, 2*ns, 64+16*(i%3))
		}
		for k := range 15 {
			scope(fmt.Sprintf("Kernel_%d", k), 1, float64(1+k))
			scope(fmt.Sprintf("Kernel_%d/Kernel_Iteration", k), 5, float64(1+k))
		}
		for _, model := range []string{"Small", "Medium"} {
			path := "Model_" + model + "_Inference"
			scope(path, 1, 200)
			path += "/Model_" + model + "_GenerateToken"
			scope(path, 25, 199)
			path += "/Model_" + model + "_Forward"
			scope(path, 25, 198)
			scope(path+"/Embedding", 25, 0.01)
			for l := range 4 {
				layer := fmt.Sprintf("%s/Layer_%d", path, l)
				scope(layer, 25, 48)
				for _, part := range []string{"Attention", "FeedForward"} {
					scope(layer+"/"+part, 25, 23)
					for _, step := range []string{"QKVProjection", "AttentionHeads", "OutputProjection", "DownProjection"} {
						scope(layer+"/"+part+"/"+step, 25, 5)
					}
				}
			}
		}
	}
	return b.String()
}

// A comparison of our largest call trees always fits into the 65,536 bytes of a comment on a pull
// request.
func TestProfilesFitAComment(t *testing.T) {
	for name, tt := range map[string]struct {
		off, slower float64
		trial       bool
	}{
		"noise, unpaired": {2, 1.5, false}, "slower, unpaired": {1, 1.5, false},
		"noise, trial": {2, 1.5, true}, "slower, trial": {1, 1.5, true},
	} {
		b, h := reporttest.Side("main", "a", runtest.Read(t, callTree(8, tt.off, 1))), reporttest.Side("feature", "b", runtest.Read(t, callTree(8, tt.off, tt.slower)))
		if tt.trial {
			b, h = reporttest.Trial(b, h)
		}
		var out bytes.Buffer
		if err := reports.Markdown(&out, Report(compare.Compare(b, h, compare.Options{}))); err != nil {
			t.Fatal(err)
		}
		t.Logf("%s: %d bytes", name, out.Len())
		if out.Len() >= 60_000 {
			t.Errorf("%s: %d bytes, want less than 60000", name, out.Len())
		}
	}
}

func compareScopes(t *testing.T, base, head string) reports.Report {
	t.Helper()
	return Report(compare.Compare(reporttest.Side("main", "a", runtest.Read(t, base)), reporttest.Side("feature", "b", runtest.Read(t, head)), compare.Options{}))
}

// If no change is certain, the report does not claim that nothing changed, and it names the
// undecided rows.
func TestUndecidedIsNotUnchanged(t *testing.T) {
	r := compareScopes(t, callTree(6, 3, 1), callTree(6, 3, 1.5))
	overall := reporttest.Heading(t, r, "Overall")
	if got, want := strings.Join(overall.Words, " "), "The run takes 50 % longer, comparing the medians. No change could be shown; 126 rows undecided."; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	for _, top := range []string{"Improvements, top ten", "Regressions, top ten"} {
		if got := reporttest.Heading(t, r, top).Words; len(got) != 1 || got[0] != "none could be shown" {
			t.Errorf("%s: %q", top, got)
		}
	}
	open := reporttest.Heading(t, r, "Undecided, top ten")
	if len(open.Rows) != 10 || !strings.Contains(open.Words[0], "that may be noise") || strings.Contains(reporttest.Cells(open), "Embedding") {
		t.Errorf("undecided rows %q\n%s", open.Words, reporttest.Cells(open))
	}
}

// The total is the time of the run. It does not count nested scopes again. An imported report keeps
// the sum of all rows.
func TestRunOfCallPathsIsNoNestedSum(t *testing.T) {
	r := compareScopes(t, "profile: scopes\nA 1 10000000 ns/op 4096 B/op\nA/B 1 8000000 ns/op 4096 B/op\n", "profile: scopes\nA 1 15000000 ns/op 4096 B/op\nA/B 1 8000000 ns/op 4096 B/op\n")
	overall := reporttest.Heading(t, r, "Overall")
	if overall.Words[0] != "The run takes 50 % longer." || strings.Contains(reporttest.Cells(overall), "sum of all rows") || !strings.Contains(reporttest.Cells(overall), "allocations of the run | 4.000 KiB") {
		t.Errorf("%q\n%s", overall.Words, reporttest.Cells(overall))
	}
	if words := reporttest.Heading(t, compareScopes(t, profileBefore, profileAfter), "Overall").Words[0]; !strings.HasPrefix(words, "All rows together take ") {
		t.Errorf("an imported report: %q", words)
	}
}

// Scopes are shown as a tree. Scopes small on both sides share one row. There are no rows for times
// that only add detail to a call, and none for allocations that are equal in every sample.
func TestScopesAsATree(t *testing.T) {
	const same = "A 1 %s ns/op 1000 self-ns/op 1 min-ns/op 2 max-ns/op 512 B/op 2 allocs/op\n" +
		"A/B 2 4000000 ns/op 64 B/op 1 allocs/op\nA/C 1 %s ns/op 16 B/op 1 allocs/op\nA/D 1 1000 ns/op %d B/op 0 allocs/op\nA/D/E 1 500 ns/op 0 B/op 0 allocs/op\n"
	text := func(c string, d int) string {
		return "profile: scopes\n" + fmt.Sprintf(same, "10000000", c, d) + fmt.Sprintf(same, "10000100", c, d)
	}
	r := compareScopes(t, text("1000", 0), text("900000", 32))
	var names []string
	for _, row := range reporttest.Heading(t, r, "Call hierarchy").Rows {
		names = append(names, row[0].Text)
	}
	if got, want := strings.Join(names, ", "), "A, · B, · C, · (1 scope below 0.1 %)"; got != want {
		t.Errorf("hierarchy %s, want %s", got, want)
	}
	var out bytes.Buffer
	if err := reports.Text(&out, r, reports.TextOptions{}); err != nil {
		t.Fatal(err)
	}
	for _, no := range []string{"self-sec", "min-sec", "max-sec", "A/B"} {
		if strings.Contains(out.String(), no) {
			t.Errorf("%s in\n%s", no, &out)
		}
	}
	var captions, rows []string
	for _, table := range r.Tables[len(r.Tables)-3:] {
		captions = append(captions, table.Caption)
		for _, row := range table.Rows {
			rows = append(rows, row[0].Text)
		}
	}
	if got, want := strings.Join(captions, "\n"), "sec/op: 2 rows left out, below 0.1 % of the run on both sides; the geomean is of all\n"+
		"B/op: 3 rows left out, equal on both sides in every sample; the geomean is of all\nallocs/op: all 5 equal on both sides in every sample"; got != want {
		t.Errorf("captions\n%s\nwant\n%s", got, want)
	}
	if got, want := strings.Join(rows, ", "), "A, · B, · C, A, · D"; got != want {
		t.Errorf("rows %s, want %s", got, want)
	}
	out.Reset()
	if err := reports.CSV(&out, r); err != nil || !strings.Contains(out.String(), "self-sec/op") || !strings.Contains(out.String(), "A/D/E") {
		t.Errorf("CSV lacks what the text leaves out: %v\n%s", err, &out)
	}
}
