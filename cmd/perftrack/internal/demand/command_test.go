package demand

import (
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	_ "github.com/perftrack/perftrack/runner/drawtest"
)

func TestParseComment(t *testing.T) {
	const ten = 10 * time.Minute
	for _, tt := range []struct {
		text string
		want Command
		err  string
	}{
		{"/perftrack", Command{Budget: ten}, ""},
		{"  /perftrack \r\n", Command{Budget: ten}, ""},
		{"/perftrack --budget 5m", Command{Budget: 5 * time.Minute}, ""},
		{"/perftrack\t--budget\t5m", Command{Budget: 5 * time.Minute}, ""},
		{"/perftrack --budget=90s --bench=^Decode", Command{"^Decode", 90 * time.Second}, ""},
		{`/perftrack --bench 'Decode/(a|b) c' --budget 2h`, Command{"Decode/(a|b) c", 2 * time.Hour}, ""},
		{`/perftrack --bench "it's \d+"`, Command{`it's \d+`, ten}, ""},
		{"/perftrack --bench $(id);`id`&&x>y", Command{"$(id);`id`&&x>y", ten}, ""}, // not special, because no shell is involved

		{"/perftracker", Command{}, "not a command"},
		{"perftrack", Command{}, "not a command"},
		{"please /perftrack", Command{}, "not a command"},
		{"/perftrack\nand thanks", Command{}, "not a command"},
		{"/perftrack --bench 'open", Command{}, "not a command"},
		{"/perftrack --bench \x1b[31m", Command{}, "not a command"},
		{"/perftrack --bench Ünïcode", Command{}, "not a command"},
		{"/perftrack Decode", Command{}, "wrong arguments"},
		{"/perftrack --bench", Command{}, "wrong arguments"},
		{"/perftrack --bench A --bench B", Command{}, "wrong arguments"},
		{"/perftrack --strict", Command{}, "wrong arguments"},
		{"/perftrack --base x --budget 1m", Command{}, "wrong arguments"},
		{"/perftrack --bench ''", Command{}, "--bench is empty"},
		{"/perftrack --bench=", Command{}, "--bench is empty"},
		{"/perftrack --bench --budget", Command{}, "must not begin with a dash"},
		{"/perftrack --bench (", Command{}, "--bench is not a regular expression"},
		{"/perftrack --bench " + strings.Repeat("x", 201), Command{}, "at most 200"},
		{"/perftrack --budget 3h", Command{}, "--budget must be a duration from 1s to 2h0m0s"},
		{"/perftrack --budget -5m", Command{}, "--budget must be a duration"},
		{"/perftrack --budget 0", Command{}, "--budget must be a duration"},
		{"/perftrack --budget 10", Command{}, "--budget must be a duration"},
	} {
		got, err := ParseComment(tt.text)
		if tt.err == "" && (err != nil || got != tt.want) || tt.err != "" && (err == nil || !strings.Contains(err.Error(), tt.err)) {
			t.Errorf("%q: %+v, %v, want %+v, %q", tt.text, got, err, tt.want, tt.err)
		}
	}
}

// IsCommand accepts a comment meant as a command even if the rest of it is malformed, so its author
// gets an answer.
func TestIsCommand(t *testing.T) {
	for text, want := range map[string]bool{
		"/perftrack": true, "  /perftrack \r\n": true, "/perftrack --bench X": true, "/perftrack\t--bench X": true, "/perftrack\u00a0--bench X": true,
		"/perftrack\nand thanks": true, "/perftracker": false, "please /perftrack": false, "": false, " \n": false,
	} {
		if got := IsCommand(text); got != want {
			t.Errorf("%q: %v, want %v", text, got, want)
		}
	}
}

// A command parsed from any comment stays within the limits and contains no control characters.
func TestParsedIsHarmless(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := "/perftrack " + rapid.OneOf(rapid.String(), rapid.StringMatching(`(--bench|--budget)[ =][ -~]{0,20}( --b[a-z]+ ?[ -~]{0,9})?`)).Draw(t, "text")
		c, err := ParseComment(text)
		if err != nil {
			return
		}
		if c.Budget < time.Second || c.Budget > MaxBudget || len(c.Bench) > MaxBench || strings.HasPrefix(c.Bench, "-") || strings.ContainsAny(c.Bench, "\r\n\x00\x1b") {
			t.Fatalf("%q: %+v", text, c)
		}
	})
}
