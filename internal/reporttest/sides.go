package reporttest

import (
	"strings"

	"github.com/perftrack/perftrack/compare"
	"github.com/perftrack/perftrack/runner/record"
)

// Side makes a run one side of a comparison.
func Side(label string, hex string, r *record.Run) compare.Side {
	r.Commit.SHA = strings.Repeat(hex, 40)
	return compare.Side{Label: label, Runs: []*record.Run{r}}
}

// Trial makes both sides those of one trial, which is decided by its pairs.
func Trial(b, h compare.Side) (compare.Side, compare.Side) {
	for _, s := range []compare.Side{b, h} {
		s.Runs[0].Facts = s.Runs[0].Facts.Set(record.KeyDecision, "typical-and-mean")
	}
	b.Runs[0].Trial, b.Runs[0].Side = "0b6f", record.Base
	h.Runs[0].Trial, h.Runs[0].Side = "0b6f", record.Head
	return b, h
}
