package current

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/perftrack/perftrack/reports"
)

// An entry is an element of the JSON array that github-action-benchmark reads with its tools
// customSmallerIsBetter and customBiggerIsBetter.
type entry struct {
	Name  string  `json:"name"`
	Unit  string  `json:"unit"`
	Value float64 `json:"value"`
	Range string  `json:"range,omitempty"`
	Extra string  `json:"extra,omitempty"`
}

// The directions of a file for github-action-benchmark.
const (
	Smaller = -1 // smaller is better
	Bigger  = +1 // bigger is better
)

// GitHubAction writes the values whose unit has the direction better, because a file for
// github-action-benchmark has only one direction. left has a sentence for each reason why values
// were left out, except for values of the other direction.
func GitHubAction(values []Value, better int) (text []byte, left []string, err error) {
	entries := []entry{}
	known := map[string]bool{}
	var out tally
	for i := range values {
		v := &values[i]
		name := v.fullName()
		if v.Unit != "ns/op" { // the tool compares values with the same name
			name += " - " + v.Unit
		}
		switch {
		case v.Better == 0:
			out.add("it is unknown whether more is better", name)
			continue
		case v.Better != better:
			continue
		case known[name]:
			out.add("another value has the same name", name)
			continue
		}
		known[name] = true
		e := entry{Name: name, Unit: v.Unit, Value: v.Center, Extra: fmt.Sprintf("median of %d samples", v.N)}
		if v.N == 1 {
			e.Extra = "1 sample"
		}
		if v.bounded() {
			if percent := v.Summary.Range(); strings.HasSuffix(percent, "%") { // a median of 0 has none
				e.Range = "± " + percent
			}
			e.Extra += fmt.Sprintf("\n%.0f%% interval: %s to %s %s", 100*reports.Confidence, shortest(v.Lo), shortest(v.Hi), v.Unit)
		}
		if v.Commit != "" {
			e.Extra += "\ncommit " + v.Commit
		}
		entries = append(entries, e)
	}
	text, err = marshal(entries)
	return text, out.notes(), err
}

func shortest(x float64) string { return strconv.FormatFloat(x, 'g', 6, 64) }
