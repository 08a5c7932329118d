package record_test

import (
	"reflect"
	"testing"

	"github.com/perftrack/perftrack/runner/record"
)

// Processes are read back sorted by round, and unknown figures stay unknown.
func TestProcesses(t *testing.T) {
	zero, some := int64(0), int64(1<<40)
	all := []record.Process{
		{Package: "m", Suite: "s", Round: 1, Resident: 1 << 30, Cycles: &zero, Pause: &some, Heap: &some},
		{Package: "m", Suite: "t", Round: 1},
		{Package: "m", Suite: "s", Round: 2, Pause: &zero},
	}
	var r record.Run
	record.SetProcesses(&r, []record.Process{all[2], all[0], all[1]})
	if got := record.Processes(&r); !reflect.DeepEqual(got, all) {
		t.Errorf("read %+v", got)
	}
	record.SetProcesses(&r, nil)
	if len(r.Facts) > 0 || record.Processes(&r) != nil {
		t.Errorf("no processes are %v", r.Facts)
	}
}

// A run without room for all rounds stores the first rounds.
func TestProcessesAreBounded(t *testing.T) {
	var many []record.Process
	for i := range 1000 {
		many = append(many, record.Process{Package: "example.com/m", Suite: "deep", Round: i + 1, Resident: 1 << 30})
	}
	var r record.Run
	record.SetProcesses(&r, many)
	if got := record.Processes(&r); len(got) < 50 || !reflect.DeepEqual(got, many[:len(got)]) {
		t.Errorf("%d of 1000 are stored, or others", len(got))
	}
}

// An imported file may contain anything, so invalid processes are ignored.
func TestProcessesOfAnybody(t *testing.T) {
	for _, text := range []string{"x", "[", "{}", "null", `[{"n":"1"}]`, `[{"n":1,"gc":1.5}]`, `[{"n":1e99}]`, `[{"n":0,"rss":5}]`, `[{"n":1,"rss":-5}]`, `[{"n":1,"gc":-1}]`, `[{"n":1,"heap":-1}]`, `[{"n":1,"pause":-1}]`} {
		r := record.Run{Facts: record.Settings{{Key: record.KeyProcess, Value: text}}}
		if got := record.Processes(&r); len(got) > 0 {
			t.Errorf("%s are %+v", text, got)
		}
	}
}
