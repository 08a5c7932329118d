package unpaired

import (
	"os"
	"strings"
	"testing"

	"github.com/perftrack/perftrack/compare/evaluation"
	"github.com/perftrack/perftrack/compare/evaluation/figures"
)

// TestSimulateUnpaired writes the table of the gates on unpaired runs:
//
//	PERFTRACK_SIMULATE=full go test -C compare/evaluation -run SimulateUnpaired -v ./unpaired
func TestSimulateUnpaired(t *testing.T) {
	n, out := 5, &strings.Builder{}
	if evaluation.Full() {
		n = 5000
	}
	Table(out, n, 20260301)
	if n > 5 {
		if _, err := os.Stdout.WriteString(out.String()); err != nil {
			t.Fatal(err)
		}
	}
	for l := range strings.Lines(out.String()) {
		if strings.Contains(l, "NaN") || !strings.HasSuffix(l, "|\n") {
			t.Errorf("odd line in the table: %s", l)
		}
	}
}

// If samples meet the assumptions of the test, the corrected gate stays within alpha, 1 %. The
// gates mistake any other difference between the runs for a change, and the documentation warns
// about it.
func TestSimulateUnpairedGoals(t *testing.T) {
	n := 600
	if evaluation.Handful() {
		n = 20
	}
	s := Scenarios()
	ideal, off := Run(s[0], n, 1), Run(s[7], n, 2)
	t.Logf("wrong of %d: %v where samples are independent, %v where each benchmark is off by 5 %%", n, ideal.Wrong, off.Wrong)
	if evaluation.Handful() {
		return
	}
	if figures.AtLeast(ideal.Wrong[0], n) > 0.01 {
		t.Errorf("independent samples: wrong in %d of %d", ideal.Wrong[0], n)
	}
	if figures.AtLeast(ideal.Wrong[1], n) < 0.3 {
		t.Errorf("the plain gate is wrong in %d of %d only: it has become another one", ideal.Wrong[1], n)
	}
	if figures.AtLeast(off.Wrong[0], n) < 0.5 {
		t.Errorf("each benchmark off by 5 %%: wrong in %d of %d only: the documentation warns too much", off.Wrong[0], n)
	}
}
