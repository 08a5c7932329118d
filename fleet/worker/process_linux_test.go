package worker

import "testing"

func TestParseCPUs(t *testing.T) {
	for list, want := range map[string]int{"0": 1, "2-5,8": 5, "": -1, "5-2": -1, "a": -1, "0-5000": -1, "-1": -1} {
		set, err := parseCPUs(list)
		if got := set.Count(); err == nil && got != want || (err == nil) != (want > 0) {
			t.Errorf("%q: %d, %v", list, got, err)
		}
	}
}
