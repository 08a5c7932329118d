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
