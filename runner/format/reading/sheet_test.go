package reading

import (
	"fmt"
	"strings"
	"testing"

	"golang.org/x/perf/benchfmt"

	"github.com/perftrack/perftrack/runner/record"
)

// A unit that is a number could not be read back from the benchmark format, and a row of very many
// values takes very long to check.
func TestSheetRefuses(t *testing.T) {
	var got []string
	s := NewSheet("f", func(rec benchfmt.Record) error {
		if e, ok := rec.(*benchfmt.SyntaxError); ok {
			got = append(got, e.Error())
		}
		return nil
	})
	if err := s.Result(Row{Line: 3, Name: "A", Values: []Value{{V: 1, Unit: "ns/op"}, {V: 2, Unit: "50"}}}); err != nil {
		t.Fatal(err)
	}
	if err := s.Result(Row{Line: 4, Name: "B", Values: make([]Value, record.MaxUnits+1)}); err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	want := fmt.Sprintf("f:3: \"A\" has the unit \"50\", a number\nf:4: \"B\" has more than %d figures, the limit", record.MaxUnits)
	if strings.Join(got, "\n") != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
