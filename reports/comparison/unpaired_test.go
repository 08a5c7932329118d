package comparison

import (
	"fmt"
	"testing"

	"github.com/perftrack/perftrack/compare"
	"github.com/perftrack/perftrack/runner/record"
	"github.com/perftrack/perftrack/runner/record/runtest"
)

// The summary of unpaired runs names the differences. If all benchmarks have too few samples to
// become suspect, the summary mentions this.
func TestUnpairedLine(t *testing.T) {
	for _, tt := range []struct {
		name               string
		benchmarks, rounds int
		faster             float64 // of Scan
		want               string
	}{
		{"too few samples", 54, 6, 0.6, "54 unpaired benchmarks, no verdict: 2 differ by the threshold or more, most Scan sec/op -40.0 %; 6 samples per side are too few for 54 tests, so no difference can be suspect"},
		{"enough", 54, 12, 0.6, "54 unpaired benchmarks: 2 suspect"},
		{"nothing differs", 54, 6, 1, "54 unpaired benchmarks, no verdict: 1 differs by the threshold or more, most Delete sec/op +35.0 %; 6 samples per side are too few for 54 tests, so no difference can be suspect"},
		{"one sample", 3, 1, 0.6, "3 unpaired benchmarks, no verdict: 2 differ by the threshold or more, most Scan sec/op -40.0 %; only 1 sample per side, so nothing can be tested"},
	} {
		side := func(sha string, del, scan float64) compare.Side {
			text := runtest.Vary(tt.rounds, "Delete", 1, 100*del, "ns/op") + runtest.Vary(tt.rounds, "Scan", 1, 200*scan, "ns/op")
			for n := 2; n < tt.benchmarks; n++ {
				text += runtest.Vary(tt.rounds, fmt.Sprintf("B%d", n), 1, 100.0, "ns/op")
			}
			r := runtest.Read(t, "pkg: example.com/p\n"+text)
			r.Commit.SHA, r.Target = sha, "p"
			return compare.Side{Label: sha, Runs: []*record.Run{r}}
		}
		c := compare.Compare(side("aaaaaaa", 1, 1), side("bbbbbbb", 1.35, tt.faster), compare.Options{})
		if got := Counted(c); got != tt.want {
			t.Errorf("%s:\n%s\nwant\n%s", tt.name, got, tt.want)
		}
	}
}
