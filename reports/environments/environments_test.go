package environments

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/perftrack/perftrack/runner/record"
)

func TestEnvironmentLabels(t *testing.T) {
	runs := []record.RunInfo{}
	for i, env := range []record.Settings{{}, {{Key: "cpu", Value: "A"}, {Key: "simd", Value: "avx2"}}, {{Key: "cpu", Value: "A"}, {Key: "simd", Value: "none"}}, {{Key: "cpu", Value: "B\u202e"}}} {
		runs = append(runs, record.RunInfo{EnvironmentID: fmt.Sprint("id", i), Run: record.Run{Env: env, End: time.Unix(int64(i), 0)}})
	}
	var labels []string
	for _, e := range Of(runs) {
		labels = append(labels, e.ID+" "+e.Label)
	}
	want := []string{"id3 B\u202e", "id2 A, simd none", "id1 A, simd avx2", "id0 unknown environment"}
	if !slices.Equal(labels, want) {
		t.Errorf("labels %q, want %q", labels, want)
	}
}

// Labels say nothing about gomaxprocs if it only states that names are complete.
func TestEnvironmentLabelsWithoutProcs(t *testing.T) {
	inNames, eight := record.Setting{Key: "gomaxprocs", Value: record.ProcsInNames}, record.Setting{Key: "gomaxprocs", Value: "8"}
	cpu := record.Setting{Key: "cpu", Value: "A"}
	for _, tt := range []struct {
		envs []record.Settings
		want []string
	}{
		{[]record.Settings{{inNames}}, []string{"machine unknown"}},
		{[]record.Settings{{cpu, inNames}}, []string{"A"}},
		{[]record.Settings{{cpu, inNames}, {cpu, eight}}, []string{"A", "gomaxprocs 8"}},
		{[]record.Settings{{inNames}, {cpu}}, []string{"machine unknown", "A"}},
		{[]record.Settings{{inNames}, {{Key: "simd", Value: ""}}}, []string{"machine unknown", "machine unknown, gomaxprocs unknown"}},
	} {
		var runs []record.RunInfo
		for i, env := range tt.envs {
			runs = append(runs, record.RunInfo{EnvironmentID: fmt.Sprint("id", i), Run: record.Run{Env: env}})
		}
		var labels []string
		for _, e := range Of(runs) {
			labels = append(labels, e.Label)
		}
		if !slices.Equal(labels, tt.want) {
			t.Errorf("%q: labels %q, want %q", tt.envs, labels, tt.want)
		}
	}
}
