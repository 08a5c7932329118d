package compare

import (
	"math"
	"testing"
)

// Of a trial the change of a row is of its pairs, also of units that are not tested: where the
// machine changes from round to round the medians of the sides can differ the other way.
func TestChangeOfDerivedIsOfPairs(t *testing.T) {
	const time = "X ns/op 1 2 3 4 5\n"
	b, h := trial(t, time+"X MB/s 10 10 2.5 2.5 2.5", time+"X MB/s 9.5 9.5 9.5 2.4 2.4")
	for r := range Compare(b, h, Options{}).Rows() {
		if r.Derived && !(math.Abs(r.Change()+0.045) < 0.006 && r.Delta > 0) {
			t.Errorf("change %v, delta %v", r.Change(), r.Delta)
		}
	}
}
