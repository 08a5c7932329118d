package compare

import "testing"

func TestWithin(t *testing.T) {
	for bound, want := range map[float64]string{0.0104: "within 1.1%", 0.04: "within 4%", 0.996: "within 100%", 1.7: "within 2.7x", 98.5: "within 100x", 200: ""} {
		if got := within(bound); got != want {
			t.Errorf("within(%v) = %q, want %q", bound, got, want)
		}
	}
}
