package retention

import (
	"maps"
	"slices"
	"testing"
	"time"

	"github.com/perftrack/perftrack/runner/record"
)

func TestChooseByAge(t *testing.T) {
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
		needed := Needed{Accepted: map[string]bool{AcceptedKey("t", "c-accepted"): true}}
		got, err := Choose(tt.infos, Rule{Older: 90 * 24 * time.Hour}, needed, now)
		if err != nil || !slices.Equal(got.IDs(), tt.want) {
			t.Errorf("%s: %v, %v, want %v", tt.name, got.IDs(), err, tt.want)
		}
	}
	behind := []record.RunInfo{info("ahead", 0, func(r *record.RunInfo) { r.Start = now.Add(2 * time.Hour) }), info("a", 100, nil)}
	if got, err := Choose(behind, Rule{Older: 90 * 24 * time.Hour}, Needed{}, now); err == nil || got.Delete != nil {
		t.Errorf("a clock that is behind deletes %v, %v", got, err)
	}
}

// Each condition selects its runs, only runs fulfilling all conditions are deleted, and needed runs
// are kept.
func TestChoose(t *testing.T) {
	now := time.Date(2026, 6, 1, 0, 0, 0, 0, time.UTC)
	var infos []record.RunInfo
	add := func(id, branch string, days int) {
		r := record.RunInfo{ID: id, Seq: int64(len(infos)), EnvironmentID: "e", Benchmarks: 1}
		r.Target, r.Status, r.Start = "t", record.Complete, now.AddDate(0, 0, -days)
		r.Commit.Branch, r.Commit.SHA = branch, "c-"+id
		infos = append(infos, r)
	}
	add("m1", "main", 50)
	add("m2", "main", 40)
	add("m3", "main", 30)
	add("m4", "main", 20)
	add("f1", "feature", 45)
	add("f2", "feature", 35)
	all := func(ids ...string) map[string]bool {
		set := map[string]bool{}
		for _, id := range ids {
			set[id] = true
		}
		return set
	}
	reachable := all("c-m1", "c-m2", "c-m3", "c-m4")
	gone := Needed{Branches: all("main"), Reachable: reachable}
	for _, tt := range []struct {
		name   string
		rule   Rule
		needed Needed
		want   []string
		kept   map[Kept]int
	}{
		{"newest two", Rule{Keep: 2}, Needed{}, []string{"m1", "m2"}, nil},
		{"newest one", Rule{Keep: 1}, Needed{}, []string{"m1", "m2", "m3", "f1"}, nil},
		{"both conditions", Rule{Keep: 1, Older: 42 * 24 * time.Hour}, Needed{}, []string{"m1", "f1"}, nil},
		{"a branch", Rule{Branch: "feature"}, Needed{}, []string{"f1"}, map[Kept]int{KeptBaseline: 1}},
		{"a branch that is there", Rule{Branch: "feature"}, Needed{Branches: all("main", "feature")}, []string{"f1"}, map[Kept]int{KeptBaseline: 1}},
		{"a branch that is gone", Rule{Branch: "feature"}, gone, []string{"f1", "f2"}, nil},
		{"unreachable", Rule{Unreachable: true}, gone, []string{"f1", "f2"}, nil},
		{"unreachable and old", Rule{Unreachable: true, Older: 40 * 24 * time.Hour}, gone, []string{"f1"}, nil},
		{"gone, but by age", Rule{Older: 24 * time.Hour}, gone, []string{"m1", "m2", "m3", "f1"}, map[Kept]int{KeptBaseline: 2}},
		{"another branch", Rule{Branch: "other"}, Needed{}, nil, nil},
		{"a tag", Rule{Keep: 1}, Needed{Tagged: all("c-m1")}, []string{"m2", "m3", "f1"}, map[Kept]int{KeptRelease: 1}},
		{"a step", Rule{Keep: 1}, Needed{Steps: all("m2", "m3")}, []string{"m1", "f1"}, map[Kept]int{KeptStep: 2}},
		{"the newest of a benchmark", Rule{Branch: "feature"}, Needed{Branches: all("main"), Newest: all("f2")}, []string{"f1"}, map[Kept]int{KeptNewest: 1}},
		{"an accepted change", Rule{Keep: 1}, Needed{Accepted: all(AcceptedKey("t", "c-m2"), AcceptedKey("u", "c-m1"))}, []string{"m1", "m3", "f1"}, map[Kept]int{KeptAccepted: 1}},
	} {
		got, err := Choose(infos, tt.rule, tt.needed, now)
		if err != nil || !slices.Equal(got.IDs(), tt.want) || got.Of != 6 || !maps.Equal(got.Kept, tt.kept) {
			t.Errorf("%s: %v, kept %v, %v; want %v, %v", tt.name, got.IDs(), got.Kept, err, tt.want, tt.kept)
		}
	}
}

func TestReason(t *testing.T) {
	now := time.Date(2026, 6, 1, 0, 0, 0, 0, time.UTC)
	for want, rule := range map[string]Rule{
		"measured before 2026-03-03, 90 days ago": {Older: 90 * 24 * time.Hour},
		"measured before 2026-05-31, 1 day ago, not among the 5 newest of its series, of branch a b, of a commit that no branch or tag leads to": {Older: 24 * time.Hour, Keep: 5, Branch: "a\nb", Unreachable: true},
	} {
		if got := rule.Reason(now); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// A deletion names at most record.MaxDeletedRuns runs.
func TestDeletions(t *testing.T) {
	c := Choice{Rule: Rule{Keep: 1}, Delete: make([]record.RunInfo, record.MaxDeletedRuns+1)}
	all := c.Deletions(time.Unix(1, 0))
	if len(all) != 2 || len(all[0].Runs) != record.MaxDeletedRuns || len(all[1].Runs) != 1 {
		t.Errorf("%d deletions", len(all))
	}
}
