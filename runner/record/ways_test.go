package record_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/perftrack/perftrack/runner/record"
)

// What is noted of a run is read again, whatever a program printed into a reason.
func TestWays(t *testing.T) {
	ways := []record.Way{
		{Package: "m", Name: "Parse", How: record.WayFresh, Why: "it printed \"ünter<&>  \x01 \U0001F600   \"" + strings.Repeat(" ", 900), Fresh: 12},
		{Package: "m", Name: "Parse/large", How: record.WaySlices, N: 1200, Slices: 50, Length: 2 * time.Millisecond, Clock: "wall", Estimator: "median", Stopped: true, Sliced: 15},
		{Package: "m", Name: "Sort/" + strings.Repeat("x y", 700), How: record.WayFresh},
	}
	var r record.Run
	record.SetWays(&r, []record.Way{ways[2], ways[0], ways[1]})
	if got := record.Ways(&r); !slices.Equal(got, ways) {
		t.Errorf("read %d ways of %d, or others", len(got), len(ways))
	}
	for _, f := range r.Facts {
		if len(f.Value) > record.MaxSettingLen || strings.TrimSpace(f.Value) != f.Value || record.RoleOf(f.Key) != record.FactKey {
			t.Errorf("fact %s is %d bytes: %q", f.Key, len(f.Value), f.Value)
		}
	}
	record.SetWays(&r, ways[1:2])
	if got := record.Ways(&r); !slices.Equal(got, ways[1:2]) {
		t.Errorf("fewer ways leave some behind: %+v", got)
	}
	record.SetWays(&r, nil)
	if len(r.Facts) > 0 || record.Ways(&r) != nil {
		t.Errorf("no ways are %v", r.Facts)
	}
}

// Of more ways than a run has room for it has the first.
func TestWaysAreBounded(t *testing.T) {
	var many []record.Way
	for i := range 1000 {
		many = append(many, record.Way{Name: fmt.Sprintf("B%03d", i), How: record.WayFresh, Why: "its two sides hold one port"})
	}
	var r record.Run
	record.SetWays(&r, many)
	got := record.Ways(&r)
	if len(got) < 50 || !slices.Equal(got, many[:len(got)]) {
		t.Errorf("%d of 1000 ways are stored, or others", len(got))
	}
}

func TestWayOf(t *testing.T) {
	ways := []record.Way{{Why: "all"}, {Package: "m", Name: "F", Why: "function"}, {Package: "m", Name: "F/a/b", Why: "leaf"}, {Name: "G", Why: "without a package"}}
	for _, tt := range []struct{ pkg, name, want string }{
		{"m", "F/a/b", "leaf"}, {"m", "F/a/c", "function"}, {"m", "F", "function"}, {"m", "FF", "all"},
		{"other", "F/a", "all"}, {"m", "G/1", "without a package"}, {"", "", "all"},
	} {
		if w, ok := record.WayOf(ways, tt.pkg, tt.name); !ok || w.Why != tt.want {
			t.Errorf("%s.%s has the way %q, want %q", tt.pkg, tt.name, w.Why, tt.want)
		}
	}
	if w, ok := record.WayOf(ways[1:], "m", "H"); ok {
		t.Errorf("H has the way %+v", w)
	}
}
