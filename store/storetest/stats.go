package storetest

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/perftrack/perftrack/runner/record"
	"github.com/perftrack/perftrack/store"
)

func testStats(t *testing.T, db *store.DB) {
	ctx := context.Background()
	var steps []string
	read := func() store.Stats {
		t.Helper()
		steps = nil
		s, err := db.Stats(ctx, func(done, of int) { steps = append(steps, fmt.Sprintf("%d/%d", done, of)) })
		if err != nil {
			t.Fatal(err)
		}
		if s.Schema < 1 || s.Bytes < 1 {
			t.Errorf("schema %d, %d bytes", s.Schema, s.Bytes)
		}
		s.Schema, s.Bytes = 0, 0
		return s
	}
	if s := read(); fmt.Sprintf("%+v", s) != fmt.Sprintf("%+v", store.Stats{}) {
		t.Errorf("of nothing: %+v", s)
	}
	undated := Plain(strings.Repeat("a", 40), 1, 4)
	undated.Start, undated.End = time.Time{}, time.Time{}
	newer := Plain(strings.Repeat("b", 40), 2, 3)
	newer.Start = newer.Start.Add(time.Hour)
	newer.Benchmarks[0].Samples = append(newer.Benchmarks[0].Samples, record.Samples{Unit: "B/op", Values: []float64{1, 1, 1}})
	other := Plain(strings.Repeat("c", 40), 3, 20)
	other.Target = "other"
	unmeasured := Plain(strings.Repeat("d", 40), 4, 1)
	unmeasured.Benchmarks, unmeasured.Trial, unmeasured.Side, unmeasured.Start = nil, "t", record.Base, newer.Start.Add(-time.Minute)
	var ids []string
	for _, run := range []*record.Run{undated, newer, other, unmeasured} {
		id, _, err := db.Put(ctx, run)
		if err != nil {
			t.Fatal(err)
		}
		ids = append(ids, id)
	}
	s := read()
	if s.Runs != 4 || s.Benchmarks != 2 || s.Units != 2 || s.Values != 4+6+20 || s.Oldest.ID != ids[2] || s.Newest.ID != ids[1] {
		t.Errorf("%+v", s)
	}
	if want := "[{other 1 1 20} {engine 3 1 10}]"; fmt.Sprint(s.Targets) != want || fmt.Sprint(steps) != "[1/2 2/2]" {
		t.Errorf("targets %v, want %s; steps %v", s.Targets, want, steps)
	}
	if _, err := db.Delete(ctx, record.Deletion{Runs: ids[1:2], Reason: "old", Time: newer.Start}); err != nil {
		t.Fatal(err)
	}
	if s := read(); s.Runs != 3 || s.Units != 1 || s.Values != 4+20 {
		t.Errorf("after a deletion: %+v", s)
	}
}

// testVerified tests that VerifyReporting reports each run and that Repair changes no correct
// summary.
func testVerified(t *testing.T, db *store.DB) {
	ctx := context.Background()
	for i := range 3 {
		if _, _, err := db.Put(ctx, Plain(strings.Repeat("a", 40), i, 2)); err != nil {
			t.Fatal(err)
		}
	}
	var steps []string
	v, err := db.VerifyReporting(ctx, func(done, of int) { steps = append(steps, fmt.Sprintf("%d/%d", done, of)) })
	if err != nil || !v.OK() || v.Repairable() || v.Runs != 3 || v.Samples != 6 || fmt.Sprint(steps) != "[1/3 2/3 3/3]" {
		t.Errorf("%+v, %v, %v", v, err, steps)
	}
	if n, err := db.Repair(ctx); n != 0 || err != nil {
		t.Errorf("repaired %d, %v", n, err)
	}
}
