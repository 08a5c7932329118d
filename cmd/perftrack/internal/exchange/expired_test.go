package exchange

import (
	"slices"
	"testing"
	"time"

	"github.com/perftrack/perftrack/compare"
	"github.com/perftrack/perftrack/runner/record"
)

func TestExpired(t *testing.T) {
	now := time.Date(2026, 6, 1, 0, 0, 0, 0, time.UTC)
	info := func(id string, days int, change func(*record.RunInfo)) record.RunInfo {
		r := record.RunInfo{ID: id, EnvironmentID: "e", Benchmarks: 1}
		r.Target, r.Status, r.Start = "t", record.Complete, now.AddDate(0, 0, -days)
		r.Commit.Branch, r.Commit.SHA = "main", "c-"+id
		if change != nil {
			change(&r)
		}
		return r
	}
	newest := info("newest", 1, nil)
	for _, tt := range []struct {
		name  string
		infos []record.RunInfo
		want  []string
	}{
		{"nothing", nil, nil},
		{"only one, old", []record.RunInfo{info("a", 1000, nil)}, nil},
		{"older goes", []record.RunInfo{newest, info("a", 91, nil), info("b", 89, nil)}, []string{"a"}},
		{"just inside", []record.RunInfo{newest, info("a", 90, func(r *record.RunInfo) { r.Start = r.Start.Add(time.Second) })}, nil},
		{"newest of each target", []record.RunInfo{newest, info("a", 100, func(r *record.RunInfo) { r.Target = "u" }), info("b", 101, func(r *record.RunInfo) { r.Target = "u" })}, []string{"b"}},
		{"newest of each environment", []record.RunInfo{newest, info("a", 100, func(r *record.RunInfo) { r.EnvironmentID = "f" })}, nil},
		{"newest of each branch", []record.RunInfo{newest, info("a", 100, func(r *record.RunInfo) { r.Commit.Branch = "topic" })}, nil},
		{"a partial one is no baseline", []record.RunInfo{info("a", 100, nil), info("b", 99, func(r *record.RunInfo) { r.Status = record.Partial }), info("c", 98, func(r *record.RunInfo) { r.Commit.Dirty = true })}, []string{"b", "c"}},
		{"accepted", []record.RunInfo{newest, info("accepted", 100, nil), info("a", 100, func(r *record.RunInfo) { r.Target, r.Commit.SHA = "u", "c-accepted" }), info("b", 99, func(r *record.RunInfo) { r.Target = "u" })}, []string{"a"}},
		{"both sides of a trial", []record.RunInfo{info("a", 100, func(r *record.RunInfo) { r.Trial = "x" }), info("b", 99, func(r *record.RunInfo) { r.Trial = "x" }), info("c", 101, func(r *record.RunInfo) { r.Trial = "y" })}, []string{"c"}},
		{"counts for another commit", []record.RunInfo{newest, info("a", 100, nil), info("b", 101, nil), info("c", 80, func(r *record.RunInfo) {
			r.Benchmarks, r.Facts = 0, record.Settings{{Key: record.KeyCarried, Value: "a"}}
		})}, []string{"b"}},
		{"no time", []record.RunInfo{newest, info("a", 0, func(r *record.RunInfo) { r.Start = time.Time{} })}, nil},
		{"time of the commit", []record.RunInfo{newest, info("a", 0, func(r *record.RunInfo) { r.Start, r.Commit.Time = time.Time{}, now.AddDate(0, 0, -200) })}, []string{"a"}},
		{"half an hour ahead", []record.RunInfo{info("ahead", 0, func(r *record.RunInfo) { r.Start = now.Add(time.Hour / 2) }), info("a", 100, nil)}, []string{"a"}},
	} {
		accepted := compare.Accepted{{Target: "t", Commit: "c-accepted"}}
		got, err := expired(tt.infos, accepted, now, 90*24*time.Hour)
		if err != nil || !slices.Equal(got, tt.want) {
			t.Errorf("%s: %v, %v, want %v", tt.name, got, err, tt.want)
		}
	}
	behind := []record.RunInfo{info("ahead", 0, func(r *record.RunInfo) { r.Start = now.Add(2 * time.Hour) }), info("a", 100, nil)}
	if got, err := expired(behind, nil, now, 90*24*time.Hour); err == nil || got != nil {
		t.Errorf("a clock that is behind deletes %v, %v", got, err)
	}
}
