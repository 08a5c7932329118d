package tools

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/perftrack/perftrack/mcp/command"
)

// An undecided result is never described as unchanged or fine.
func TestVerdictMeaning(t *testing.T) {
	for _, tt := range []struct {
		status   int
		document string
		want     string
	}{
		{0, `{"gate": {"result": "pass"}, "verdicts": {"unchanged": 3}, "tables": [{}]}`, "nothing regressed, and everything was decided"},
		{0, `{"gate": {"result": "pass"}, "verdicts": {"regressed": 1}, "tables": [{}]}`, "nothing regressed except accepted changes, and everything was decided"},
		{0, `{"gate": {"result": "pass"}, "verdicts": {}, "tables": [], "same_code": [{}]}`, "nothing to measure: no benchmark can have changed; nothing regressed"},
		{0, `{"gate": {"result": "pass"}, "verdicts": {}, "tables": [], "unreached": [{}]}`, "nothing to measure: no benchmark can have changed; nothing regressed"},
		{1, `{"gate": {"result": "fail", "cause": "worse"}, "verdicts": {"regressed": 1}}`, "regressed: something got worse, or misses a limit"},
		{1, `{"gate": {"result": "fail", "cause": "worse"}, "verdicts": {"regressed": 1, "inconclusive": 2}}`, "misses a limit; in addition, 2 inconclusive: neither slower nor unchanged was shown, so do not report them as unchanged"},
		{3, `{"gate": {"result": "fail", "cause": "gap"}, "verdicts": {"inconclusive": 2, "unchanged": 5}}`, "undecided, not unchanged: 2 inconclusive: neither"},
		{3, `{"gate": {"result": "fail", "cause": "gap"}, "verdicts": {"suspect": 1}, "missing": [{}, {}], "failures": [{}]}`, "undecided, not unchanged: 1 suspect; 2 in missing; 1 in failures"},
		{3, `{"gate": {"result": "no-result", "cause": "unpaired"}, "verdicts": {"suspect": 1}}`, "undecided, not unchanged: the runs are unpaired"},
		{3, `{"gate": {"result": "fail", "cause": "gap"}}`, "undecided, not unchanged"},
		{0, `{}`, "no result, not unchanged"},
	} {
		out := command.Output{Status: tt.status, Document: document(t, tt.document)}
		if got := verdictMeaning(out); !strings.Contains(got, tt.want) || strings.HasSuffix(got, " ") || strings.HasSuffix(got, ";") {
			t.Errorf("%d %s: %q, want %q", tt.status, tt.document, got, tt.want)
		}
	}
}

// For the comparisons in agreement.json, the meaning matches the exit status of the command.
func TestMeaningAgrees(t *testing.T) {
	text, err := os.ReadFile(filepath.FromSlash("../../cmd/perftrack/testdata/agreement.json"))
	if err != nil {
		t.Fatal(err)
	}
	var cases []struct {
		Name     string
		Status   int
		Document json.RawMessage
	}
	if err := json.Unmarshal(text, &cases); err != nil || len(cases) < 30 {
		t.Fatalf("%d cases: %v", len(cases), err)
	}
	for _, tt := range cases {
		meaning := verdictMeaning(command.Output{Status: tt.Status, Document: document(t, string(tt.Document))})
		if passes := strings.HasPrefix(meaning, "nothing"); passes != (tt.Status == command.OK) {
			t.Errorf("%s: exit status %d means %q", tt.Name, tt.Status, meaning)
		}
		if slower := strings.HasPrefix(meaning, "regressed"); slower != (tt.Status == command.Regressed) {
			t.Errorf("%s: exit status %d means %q", tt.Name, tt.Status, meaning)
		}
	}
}

func document(t *testing.T, text string) (document map[string]any) {
	t.Helper()
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	if err := d.Decode(&document); err != nil {
		t.Fatal(err)
	}
	return document
}
