package reports

import (
	"strings"
	"testing"
	"time"

	"github.com/perftrack/perftrack/store"
)

// Several runs of a commit are one row, each run one value; a dirty one is not
// that commit, and one of unknown source is nobody's.
func TestHistoryOneRowACommit(t *testing.T) {
	point := func(sha string, dirty bool, values ...float64) HistoryPoint {
		return HistoryPoint{
			Commit:  store.Commit{SHA: sha, Dirty: dirty, Time: time.Unix(1_700_000_000, 0)},
			Status:  store.Complete,
			Samples: []store.Samples{{Unit: "ns/op", Values: values}},
		}
	}
	points := []HistoryPoint{
		point("aaaaaaaaaaaaaaaa", false, 100, 100, 100),
		point("aaaaaaaaaaaaaaaa", false, 120, 500, 110),
		point("aaaaaaaaaaaaaaaa", true, 300),
		point("bbbbbbbbbbbbbbbb", false, 200),
		point("", false, 7),
		point("", false, 8),
	}
	var out strings.Builder
	if err := Text(&out, History(HistorySeries{"t", store.BenchmarkID{Kind: store.Bench, Name: "X"}, points}), TextOptions{}); err != nil {
		t.Fatal(err)
	}
	want := []string{
		"aaaaaaaaaaaa  2023-11-14  110.000n ± ∞ ¹  6     2",
		"aaaaaaaaaaaa  2023-11-14  300.000n ± ∞ ²  1     1  dirty",
		"bbbbbbbbbbbb  2023-11-14  200.000n ± ∞ ²  1     1",
		"-             2023-11-14    7.000n ± ∞ ²  1     1",
		"-             2023-11-14    8.000n ± ∞ ²  1     1",
	}
	for _, line := range want {
		if !strings.Contains(out.String(), line+"\n") {
			t.Errorf("no line %q in\n%s", line, out.String())
		}
	}
}

// historyOfSeveral is a name that two suites, a package and a profile have, one
// of them in a place that only some results tell.
func historyOfSeveral(t testing.TB) Report {
	points := historyPoints(t)
	deep, enhanced := points[:2], append([]HistoryPoint{}, points[4:6]...)
	scopes := append([]HistoryPoint{}, points[2], points[3])
	for i := range enhanced {
		enhanced[i].Env = enhanced[i].Env.Set("cpu-count", "4")
	}
	for i := range scopes {
		scopes[i].Env = nil
	}
	id := func(kind store.Kind, suite, pkg string) store.BenchmarkID {
		return store.BenchmarkID{Kind: kind, Suite: suite, Package: pkg, Name: "MatMul_64x64"}
	}
	return History(
		HistorySeries{"engine", id(store.Bench, "deep", ""), deep},
		HistorySeries{"engine", id(store.Bench, "enhanced", ""), enhanced},
		HistorySeries{"engine", id(store.Scope, "", ""), scopes},
		HistorySeries{"mylib", id(store.Bench, "", "example.com/|`x`"), points[5:7]},
	)
}
