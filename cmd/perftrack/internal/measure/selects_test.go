package measure

import (
	"strings"
	"testing"

	"github.com/perftrack/perftrack/runner/naming"
)

func TestSelectedOf(t *testing.T) {
	const none = "neither base nor head has a benchmark matching "
	for _, tt := range []struct {
		bench string
		names []string
		want  string // error
	}{
		{"Markdown/GoldMark", []string{"Markdown"}, ""},
		{"GoldMark", []string{"Markdown"}, none + `"GoldMark": the benchmarks are Markdown; for a sub-benchmark, name its function first, as in Markdown/GoldMark`},
		{"markdwn", []string{"Markdown", "Other"}, none + `"markdwn": did you mean Markdown?`},
		{"Nope$", []string{"A", "B"}, none + `"Nope$": the benchmarks are A, B`},
		{"A", nil, ""}, // the sources do not show the benchmarks
	} {
		pattern, err := naming.ParsePattern(tt.bench)
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		if err := selectedOf(pattern, tt.bench, tt.names, true); err != nil {
			got = err.Error()
		}
		if err := selectedOf(pattern, tt.bench, tt.names, false); (err != nil) != (tt.want != "") || err != nil && !strings.HasPrefix(err.Error(), "no benchmark matches ") {
			t.Errorf("%s, of one source: %v", tt.bench, err)
		}
		if got != tt.want {
			t.Errorf("%s: %q, want %q", tt.bench, got, tt.want)
		}
	}
}
