package tools

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/perftrack/perftrack/mcp/command"
)

// What is undecided is never called unchanged or fine.
func TestVerdictMeaning(t *testing.T) {
	for _, tt := range []struct {
		status   int
		document string
		want     string
	}{
		{0, `{"trial": true, "verdicts": {"unchanged": 3}, "tables": [{}]}`, "nothing regressed, and all was decided"},
		{0, `{"trial": true, "verdicts": {"regressed": 1}, "tables": [{}]}`, "nothing regressed but what was accepted, and all was decided"},
		{0, `{"trial": true, "verdicts": {}, "tables": [], "same_code": [{}]}`, "nothing to measure: no benchmark can have changed; nothing regressed"},
		{0, `{"trial": true, "verdicts": {}, "tables": [], "unreached": [{}]}`, "nothing to measure: no benchmark can have changed; nothing regressed"},
		{1, `{"trial": true, "verdicts": {"regressed": 1}}`, "regressed: something got worse, or misses a limit"},
		{1, `{"trial": true, "verdicts": {"regressed": 1, "inconclusive": 2}}`, "misses a limit; besides, 2 inconclusive: neither slower nor unchanged was shown, which is not the same as unchanged"},
		{3, `{"trial": true, "verdicts": {"inconclusive": 2, "unchanged": 5}}`, "undecided, not unchanged: 2 inconclusive: neither"},
		{3, `{"trial": true, "verdicts": {"suspect": 1}, "missing": [{}, {}], "failures": [{}]}`, "undecided, not unchanged: 1 suspect; 2 in missing; 1 in failures"},
		{3, `{"trial": false, "verdicts": {"suspect": 1}}`, "undecided, not unchanged: the sides were measured apart"},
		{3, `{"trial": true}`, "undecided, not unchanged"},
	} {
		out := command.Output{Status: tt.status}
		d := json.NewDecoder(strings.NewReader(tt.document))
		d.UseNumber()
		if err := d.Decode(&out.Document); err != nil {
			t.Fatal(err)
		}
		if got := verdictMeaning(out); !strings.Contains(got, tt.want) || strings.HasSuffix(got, " ") || strings.HasSuffix(got, ";") {
			t.Errorf("%d %s: %q, want %q", tt.status, tt.document, got, tt.want)
		}
	}
}
