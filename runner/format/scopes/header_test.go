package scopes

import (
	"strings"
	"testing"
)

// A very long line is no header, because a JSON document on one line would take long to split.
func TestLongHeader(t *testing.T) {
	const header = "Method  Calls  Total (ms)  Avg (ms)"
	for _, tt := range []struct {
		line string
		want bool
	}{
		{header, true},
		{header + "  Note" + strings.Repeat("s", maxHeader-len(header)-len("  Note")), true},
		{header + "  Note" + strings.Repeat("s", maxHeader), false},
	} {
		if got := hasTable(tt.line+"\n", true); got != tt.want {
			t.Errorf("a line of %d bytes: got %v, want %v", len(tt.line), got, tt.want)
		}
	}
}
