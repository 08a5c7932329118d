package history

import (
	"fmt"
	"testing"
	"time"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/workspacetest"
	"github.com/perftrack/perftrack/compare"
	"github.com/perftrack/perftrack/compare/steps"
	"github.com/perftrack/perftrack/runner/record"
	"github.com/perftrack/perftrack/runner/record/runtest"
)

// A proven regression remains until a later check proves an improvement. A check of a documentation
// change, of other benchmarks, or of a head that is as slow as its base does not end it.
func TestProvedStays(t *testing.T) {
	a, commit := workspacetest.New(t)
	var line []string
	for i := range 6 {
		line = append(line, commit(fmt.Sprintf("2026-01-%02dT00:00:00Z", i+1)))
	}
	db, _, err := a.OpenForWriting(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	put := func(at int, side record.Side, benchmarks string) {
		r := runtest.Read(t, "pkg: m\n"+runtest.Vary(12, "Nothing", 1, 1.0, "ns/op")+benchmarks)
		r.Benchmarks = r.Benchmarks[1:]
		r.Target, r.Status, r.Commit, r.Side = "m", record.Complete, record.Commit{SHA: line[at]}, side
		r.Trial = fmt.Sprintf("check-%d", at)
		if side == record.Base {
			r.Trial = fmt.Sprintf("check-%d", at+1)
		}
		r.Protocol.Decision = "typical-and-mean"
		r.Start = time.Date(2026, 2, 1, 0, at, 0, 0, time.UTC)
		if _, _, err := db.Put(t.Context(), r); err != nil {
			t.Fatal(err)
		}
	}
	check := func(head int, name string, from, to float64) {
		base, slower := "", ""
		for i := range 30 { // many benchmarks with unchanged code
			other := fmt.Sprintf("%s%d", name, i)
			base += runtest.Vary(12, other, 1, 100.0, "ns/op")
			slower += runtest.Vary(12, other, 1, 100.0, "ns/op")
		}
		put(head-1, record.Base, base+runtest.Vary(12, name, 1, from, "ns/op"))
		put(head, record.Head, slower+runtest.Vary(12, name, 1, to, "ns/op"))
	}
	nothing := func(head int) {
		put(head-1, record.Base, "")
		put(head, record.Head, "")
	}
	check(1, "Sort", 100, 200)
	nothing(2)
	check(3, "Parse", 100, 100)
	nothing(4)
	check(5, "Sort", 200, 200)
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	lines, err := Open(t.Context(), a, Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = lines.Close() }()
	_, all, err := lines.All(t.Context(), a)
	if err != nil {
		t.Fatal(err)
	}
	if len(all.Proved) != 1 || all.Proved[0].Name != "Sort" || all.Proved[0].Check.Worst().Verdict != compare.Regressed {
		t.Errorf("proved %+v, want Sort alone", all.Proved)
	}
	if want := [2]string{line[4], line[5]}; all.Trial != want {
		t.Errorf("the newest check is %v, want %v", all.Trial, want)
	}
}

// Of several checks of a benchmark, the newest one that proved a change tells how it stands, in
// whatever order they are read. Without such a check it is the newest.
func TestStanding(t *testing.T) {
	r := &reader{along: map[string]int{"1": 1, "2": 2, "3": 3}}
	for _, tt := range []struct {
		verdicts [3]compare.Verdict // of the checks with the heads 1, 2 and 3
		want     string
	}{
		{[3]compare.Verdict{compare.Regressed, compare.Improved, compare.Unchanged}, "2"},
		{[3]compare.Verdict{compare.Regressed, compare.Unchanged, compare.Inconclusive}, "1"},
		{[3]compare.Verdict{compare.Improved, compare.Regressed, compare.Unchanged}, "2"},
		{[3]compare.Verdict{compare.Regressed, compare.Regressed, compare.Improved}, "3"},
		{[3]compare.Verdict{compare.Unchanged, compare.Inconclusive, compare.Unchanged}, "3"},
	} {
		for _, order := range [][3]int{{0, 1, 2}, {2, 1, 0}, {1, 2, 0}, {2, 0, 1}} {
			var found *steps.Checked
			for _, i := range order {
				rows := []steps.CheckedRow{{Tidied: "sec/op", Verdict: tt.verdicts[i]}}
				found = r.standing(found, &steps.Checked{Head: record.Commit{SHA: fmt.Sprint(i + 1)}, Rows: rows})
			}
			if found.Head.SHA != tt.want {
				t.Errorf("%v read in the order %v: check %s, want %s", tt.verdicts, order, found.Head.SHA, tt.want)
			}
		}
	}
}
