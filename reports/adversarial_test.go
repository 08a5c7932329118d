package reports

import (
	"bytes"
	"encoding/csv"
	"math/rand/v2"
	"strings"
	"testing"
)

// adversarialParts are pieces of names with a special meaning to terminals, the runner of GitHub
// Actions, spreadsheets or CSV.
var adversarialParts = append(strings.Split("|,`,\\,<,>,[,],(,),!,*,_,~,@,#,&,:,::,##[,]],/,$,-,=,+,%,%0A,%0D,0,1e9,a,é,日本語,::error::,::set-output name=x::,::add-mask::a", ","),
	",", "\"", "\"\"", "'", "\n", "\r", "\r\n", "\t", " ", "\u00a0", "\u3000", "\u2028", "\u0085", "\x00", "\x07", "\x1b[2J", "\x1b]0;x\x07", "\u009b31m", "\u202e", "\u200b", "\xff", "\ufeff")

// This test writes 200,000 names at the start of a line. None of them starts a command in the
// runner's log, affects a terminal, becomes a formula or breaks a row of CSV.
func TestAdversarialNames(t *testing.T) {
	n := 200_000
	if raced || testing.Short() {
		n = 20_000
	}
	const batch = 200
	rng := rand.New(rand.NewPCG(3, 4))
	for range n / batch {
		table := Table{Columns: []Column{{Title: "benchmark", Code: true}, {Title: "value", Right: true}}}
		var names []string
		for range batch {
			var name strings.Builder
			for range 1 + rng.IntN(6) {
				name.WriteString(adversarialParts[rng.IntN(len(adversarialParts))])
			}
			names = append(names, name.String())
			table.Rows = append(table.Rows, []Cell{{Text: name.String()}, {Text: "1.5"}})
			harmlessLines(t, Message(name.String()))
			harmlessLines(t, Message("read "+name.String()))
		}
		r := Listing("names", table)
		r.Facts = []Fact{{Key: "name", Value: names[0]}}
		r.Remarks = []Note{{Text: "a remark", Detail: names[1]}}
		harmlessLines(t, render(t, r, TextOptions{}))
		var b bytes.Buffer
		if err := CSV(&b, r); err != nil {
			t.Fatal(err)
		}
		records, err := csv.NewReader(&b).ReadAll() // returns an error unless all rows have the same number of cells
		if err != nil || len(records) != 1+batch {
			t.Fatalf("%d rows, %v", len(records), err)
		}
		for _, rec := range records {
			if formula(rec[0]) {
				t.Fatalf("a formula: %q", rec[0])
			}
		}
	}
}

func harmlessLines(t *testing.T, text string) {
	t.Helper()
	for line := range strings.SplitSeq(text, "\n") {
		// The runner trims all Unicode white space.
		if strings.ContainsFunc(line, invisible) || strings.HasPrefix(strings.TrimSpace(line), "::") || strings.Contains(line, "##[") {
			t.Fatalf("line %q", line)
		}
	}
}

func render(t *testing.T, r Report, opt TextOptions) string {
	t.Helper()
	var b bytes.Buffer
	if err := Text(&b, r, opt); err != nil {
		t.Fatal(err)
	}
	return b.String()
}
