package jobs

import (
	"testing"
	"time"
)

// A worker rests longer after each failure in a row, and not at all after a success.
func TestRest(t *testing.T) {
	var r rest
	if r.rests() {
		t.Error("a worker that did nothing rests")
	}
	last := time.Duration(0)
	for n := range 12 {
		r.Failed()
		long := time.Until(r.until)
		if !r.rests() || long < last-time.Second || long > longRest {
			t.Errorf("failure %d: %v, after %v", n+1, long, last)
		}
		last = long
	}
	if r.Succeeded(); r.rests() {
		t.Error("a worker that succeeded rests")
	}
}
