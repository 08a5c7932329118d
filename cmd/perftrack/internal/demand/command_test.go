package demand

import (
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	_ "github.com/perftrack/perftrack/internal/drawtest"
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
		{"/perftrack --bench $(id);`id`&&x>y", Command{"$(id);`id`&&x>y", ten}, ""}, // a text like any other

		{"/perftracker", Command{}, "this is no command"},
		{"perftrack", Command{}, "this is no command"},
		{"please /perftrack", Command{}, "this is no command"},
		{"/perftrack\nand thanks", Command{}, "this is no command"},
		{"/perftrack --bench 'open", Command{}, "this is no command"},
		{"/perftrack --bench \x1b[31m", Command{}, "this is no command"},
		{"/perftrack --bench Ünïcode", Command{}, "this is no command"},
		{"/perftrack Decode", Command{}, "not what may be asked for"},
		{"/perftrack --bench", Command{}, "not what may be asked for"},
		{"/perftrack --bench A --bench B", Command{}, "not what may be asked for"},
		{"/perftrack --strict", Command{}, "not what may be asked for"},
		{"/perftrack --base x --budget 1m", Command{}, "not what may be asked for"},
		{"/perftrack --bench ''", Command{}, "--bench is empty"},
		{"/perftrack --bench=", Command{}, "--bench is empty"},
		{"/perftrack --bench --budget", Command{}, "the first of them no dash"},
		{"/perftrack --bench (", Command{}, "--bench is no regular expression"},
		{"/perftrack --bench " + strings.Repeat("x", 201), Command{}, "at most 200"},
		{"/perftrack --budget 3h", Command{}, "--budget is a time from 1s to 2h0m0s"},
		{"/perftrack --budget -5m", Command{}, "--budget is a time"},
		{"/perftrack --budget 0", Command{}, "--budget is a time"},
		{"/perftrack --budget 10", Command{}, "--budget is a time"},
	} {
		got, err := ParseComment(tt.text)
		if tt.err == "" && (err != nil || got != tt.want) || tt.err != "" && (err == nil || !strings.Contains(err.Error(), tt.err)) {
			t.Errorf("%q: %+v, %v, want %+v, %q", tt.text, got, err, tt.want, tt.err)
		}
	}
}

// What means to ask for something is answered, also where it is not the grammar.
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

// Whatever somebody writes, what comes out is of the grammar.
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
