package comparison

import (
	"testing"

	"github.com/perftrack/perftrack/compare"
	"github.com/perftrack/perftrack/compare/acceptance"
	"github.com/perftrack/perftrack/reports"
	"github.com/perftrack/perftrack/reports/reporttest"
	"github.com/perftrack/perftrack/runner/limit"
	"github.com/perftrack/perftrack/runner/record/runtest"
)

// limited returns the report on a trial with limits of every possible outcome.
func limited(t testing.TB) reports.Report {
	var rules limit.List
	for _, rule := range [][2]string{
		{"Met", "<= 1 ms"}, {"Missed", "<= 1 ms"}, {"Both", "<= 1 ms"}, {"Open", "<= 1 ms"}, {"Rate", ">= 25 GFLOPS"},
		{"Few", "<= 1 ms"}, {"Intended|`x`", "<= 1 ms"}, {"Nobody*", "< 1 MB/tok"},
	} {
		l, err := limit.Parse(rule[0], rule[1])
		if err != nil {
			t.Fatal(err)
		}
		rules = append(rules, l)
	}
	const pkg = "pkg: example.com/codec\n"
	side := func(label, sha string, met, missed, both, open, rate, intended float64) compare.Side {
		return reporttest.Side(label, sha, runtest.Read(t, pkg+runtest.Vary(10, "Met", 1, met, "ns/op")+runtest.Vary(10, "Missed", 1, missed, "ns/op")+
			runtest.Vary(10, "Both", 1, both, "ns/op")+runtest.Vary(10, "Open", 3, open, "ns/op")+runtest.Vary(10, "Rate", 1, 100.0, "ns/op", rate, "GFLOPS")+
			runtest.Vary(4, "Few", 1, met, "ns/op")+runtest.Vary(10, "Intended|`x`", 1, intended, "ns/op")))
	}
	b, h := reporttest.Trial(side("main", "a", 8e5, 9e5, 1.2e6, 1e6, 26, 9e5), side("feature", "b", 8e5, 1.1e6, 1.21e6, 1e6, 22, 1.3e6))
	c := compare.Compare(b, h, compare.Options{Limits: rules})
	accepted := acceptance.List{{Target: c.Tables[0].Target, Package: "example.com/codec", Benchmark: "Intended|`x`", Reason: "exact |gradients|"}}
	accepted.Explain(c)
	return Report(c)
}
