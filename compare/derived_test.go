package compare

import (
	"math"
	"testing"
)

// In a trial, a row's change is computed from its pairs, even for untested units. If the machine
// changes from round to round, the sides' medians can differ in the other direction.
func TestChangeOfDerivedIsOfPairs(t *testing.T) {
	const time = "X ns/op 1 2 3 4 5\n"
	b, h := trial(t, time+"X MB/s 10 10 2.5 2.5 2.5", time+"X MB/s 9.5 9.5 9.5 2.4 2.4")
	for r := range Compare(b, h, Options{}).Rows() {
		if r.Derived && !(math.Abs(r.Change()+0.045) < 0.006 && r.Delta > 0) {
			t.Errorf("change %v, delta %v", r.Change(), r.Delta)
		}
	}
}
