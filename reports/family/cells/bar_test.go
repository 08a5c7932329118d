package cells

import "testing"

func TestBars(t *testing.T) {
	for fraction, want := range map[float64]string{0: "", 0.5: "██████████", 1: "████████████████████", 7: "████████████████████", 1e-9: "▏", 0.06: "█▎"} {
		if got := Bar(fraction).Text; got != want {
			t.Errorf("%g: %q, want %q", fraction, got, want)
		}
	}
	for want, values := range map[string][]float64{"": {1}, "▁█": {1, 2}, "▄▄▄": {5, 5, 5}, "█▁": {3, -1}} {
		if got := Spark(values).Text; got != want {
			t.Errorf("%v: %q, want %q", values, got, want)
		}
	}
	if n := len([]rune(Spark(make([]float64, 10_000)).Text)); n != sparkWidth {
		t.Errorf("%d places", n)
	}
}
