package family

import (
	"fmt"
	"testing"
)

// A benchmark missing in the newest five runs is lost, even though neither side of the newest
// comparison has it.
func TestLostForFiveRuns(t *testing.T) {
	s := &Subject{Compared: trial(engine(t, 1), engine(t, 1))}
	times := func(n int) (out []float64) {
		for i := range n {
			out = append(out, 100+float64(i%3))
		}
		return out
	}
	for i := range 30 {
		addHistory(t, s, fmt.Sprint("Kept", i), times(20))
	}
	if got := lost(newView(s)); len(got) != 0 {
		t.Fatalf("%+v of which nothing is lost", got)
	}
	addHistory(t, s, "Walk", times(15))
	want := action{on: "codec example.com/codec Walk", evidence: "last measured at 15c0ffeec0ff, but missing from its target's newest run"}
	if got := lost(newView(s)); len(got) != 1 || got[0] != want {
		t.Errorf("%+v, want %+v", got, want)
	}
	if got := newView(s).coverage(); got.word != "no" || got.evidence != "1 lost" {
		t.Errorf("%+v", got)
	}
}
