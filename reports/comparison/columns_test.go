package comparison

import (
	"regexp"
	"strings"
	"testing"

	"github.com/perftrack/perftrack/compare"
	"github.com/perftrack/perftrack/reports/reporttest"
	"github.com/perftrack/perftrack/runner/record/runtest"
)

// Each side has a column and is compared with the first side. A benchmark missing from a side has
// an empty cell.
func TestColumns(t *testing.T) {
	text := func(ns float64, more string) string {
		return "pkg: example.com/p\n" + runtest.Vary(10, "Encode", 1, ns, "ns/op") + more
	}
	base := reporttest.Side("v1", "a", runtest.Read(t, text(1000, runtest.Vary(10, "Gone", 1, 5.0, "ns/op"))))
	second := reporttest.Side("v2", "b", runtest.Read(t, text(1000, "")))
	third := reporttest.Side("v3", "c", runtest.Read(t, text(1300, runtest.Vary(10, "Fresh", 1, 7.0, "ns/op"))))
	r := View{}.Columns(compare.Compare(base, second, compare.Options{}), compare.Compare(base, third, compare.Options{}))
	out := reporttest.Write(t, r, "txt")
	for _, want := range []string{
		`(?m)^v2: 2 unpaired benchmarks, no verdict: none differs by the threshold; 1 benchmark missing in head; v3: 3 unpaired benchmarks: 1 suspect`, `(?m)^ +base +v2 +v3`, `(?m)^ +sec/op +sec/op +vs base +sec/op +vs base$`,
		`(?m)^Encode +1\.000µ ± 1% +1\.000µ ± 1% +~ \(p=1\.000 n=10\) +1\.300µ ± 1% +\+30\.00% suspect \(p=0\.000 n=10\)`,
		`(?m)^Gone +5\.000n ± 1%$`, `(?m)^Fresh +7\.000n ± 1%$`,
		`(?m)^base: v1, aaaaaaaaaaaa`, `(?m)^v2: v2, bbbbbbbbbbbb`, `note: each side is compared only with the base`,
	} {
		if !regexp.MustCompile(want).MatchString(out) {
			t.Errorf("no %s in\n%s", want, out)
		}
	}
	narrow := View{Bench: regexp.MustCompile("Encode").MatchString}
	if out := reporttest.Write(t, narrow.Columns(compare.Compare(base, second, compare.Options{}), compare.Compare(base, third, compare.Options{})), "txt"); strings.Contains(out, "\nGone ") || !strings.Contains(out, "filtered out") {
		t.Errorf("not filtered:\n%s", out)
	}
}
