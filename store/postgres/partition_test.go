package postgres

import (
	"context"
	"os"
	"strings"
	"testing"
)

// The statements in docs/scaling.md partition a table with results, and queries work as before.
func TestPartitions(t *testing.T) {
	ctx := context.Background()
	page, err := os.ReadFile("../../docs/scaling.md")
	if err != nil {
		t.Fatal(err)
	}
	_, text, _ := strings.Cut(string(page), "```sql\nDO ")
	text, _, found := strings.Cut(text, "```")
	if !found || strings.Count(text, "(100000)") != 2 {
		t.Fatalf("docs/scaling.md divides no table:\n%s", text)
	}
	a := newAddress(t)
	db := openAt(t, a, repository)
	var ids []string
	put := func(from, to int) {
		for i := from; i < to; i++ {
			id, added, err := db.Put(ctx, sample("", i))
			if err != nil || !added {
				t.Fatal(added, err)
			}
			ids = append(ids, id)
		}
	}
	put(0, 5)
	r := raw(t, a)
	if _, err := r.Exec("DO " + strings.ReplaceAll(text, "(100000)", "(9)")); err != nil {
		t.Fatal(err)
	}
	put(5, 20)
	if got := selected(t, r, `SELECT count(*) > 0 FROM results_1 UNION ALL SELECT count(*) > 0 FROM results_2`); strings.Join(got, " ") != "true true" {
		t.Errorf("both partitions have rows: %v", got)
	}
	if got := selected(t, r, `SELECT count(*) FROM methods`); got[0] != "80" {
		t.Errorf("%v rows of methods", got)
	}
	points, err := db.History(ctx, "engine", sample("", 0).Benchmarks[0].BenchmarkID)
	if err != nil || len(points) != 20 {
		t.Errorf("%d points, %v", len(points), err)
	}
	if n := checkWhole(t, a, ids); n != 20 {
		t.Errorf("%d runs", n)
	}
	if _, err := r.Exec(`DELETE FROM runs`); err != nil {
		t.Fatal(err)
	}
	if got := selected(t, r, `SELECT count(*) FROM results`); got[0] != "0" {
		t.Errorf("%v rows left of deleted runs", got)
	}
}
