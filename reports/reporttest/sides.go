package reporttest

import (
	"strings"

	"github.com/perftrack/perftrack/compare"
	"github.com/perftrack/perftrack/runner/record"
)

// Side makes r a side of a comparison. The hash of its commit is hex repeated.
func Side(label string, hex string, r *record.Run) compare.Side {
	r.Commit.SHA = strings.Repeat(hex, 40)
	return compare.Side{Label: label, Runs: []*record.Run{r}}
}

// Trial makes b and h the two sides of one trial, whose verdicts are based on pairs.
func Trial(b, h compare.Side) (compare.Side, compare.Side) {
	for _, s := range []compare.Side{b, h} {
		s.Runs[0].Protocol.Decision = "typical-and-mean"
	}
	b.Runs[0].Trial, b.Runs[0].Side = "0b6f", record.Base
	h.Runs[0].Trial, h.Runs[0].Side = "0b6f", record.Head
	return b, h
}
