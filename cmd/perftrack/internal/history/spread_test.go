package history

import (
	"testing"

	"github.com/perftrack/perftrack/compare/anchors"
	"github.com/perftrack/perftrack/runner/record"
)

// The runs of a spread trial are points of a history only if their environment names the machine,
// or an anchor was measured beside them.
func TestSpreadRunsAreNoPoints(t *testing.T) {
	for _, tt := range []struct {
		name      string
		spread    *record.Spread
		label     string
		procedure string
		want      bool
	}{
		{"one machine", nil, "", "", true},
		{"one machine with a label", nil, "lab", "", true},
		{"any machine of a class", &record.Spread{Class: "ci", Machine: "w1"}, "", "", false},
		{"a machine with a label", &record.Spread{Class: "ci", Machine: "w1"}, "lab", "", true},
		{"any machine, beside an anchor", &record.Spread{Class: "ci"}, "", anchors.Procedure, true},
	} {
		info := record.RunInfo{Run: record.Run{Status: record.Complete, Side: record.Head, Trial: "t", Env: record.Settings{}.Set(record.KeyMachine, tt.label)}}
		info.Protocol.Spread, info.Protocol.Procedure, info.Benchmarks = tt.spread, tt.procedure, 1
		points, _ := withoutAnchors([]record.HistoryPoint{{Run: &info}})
		if got := len(points) == 1; got != tt.want {
			t.Errorf("%s: a point is kept: %v, want %v", tt.name, got, tt.want)
		}
		if got := isPoint(info); got != tt.want {
			t.Errorf("%s: counts as a point: %v, want %v", tt.name, got, tt.want)
		}
	}
}
