package jobs

import (
	"fmt"
	"testing"
)

// The name of a queue consists of the letters that River accepts, and differs by class and procedure.
func TestQueue(t *testing.T) {
	seen := map[string]string{}
	for _, tt := range [][2]string{{"linux-8", "p1"}, {"linux-8", "p2"}, {"linux", "8-p1"}, {"AMD EPYC (Zen 4), 16 cores, 3.1 GHz, turbo off", "p"}, {"é", "p"}, {"", ""}, {"-", "p"}} {
		name := Queue(tt[0], tt[1])
		if other, ok := seen[name]; ok {
			t.Errorf("%q and %s have the queue %s", tt, other, name)
		}
		seen[name] = fmt.Sprintf("%q", tt)
		for i, r := range name {
			if !(r >= 'a' && r <= 'z' || r >= '0' && r <= '9' || r == '-' && i > 0) || len(name) > 64 {
				t.Errorf("%q: %s", tt, name)
			}
		}
	}
}

func TestPriority(t *testing.T) {
	for name, want := range map[string]int{"release": 1, "pull-request": 2, "": 2, "nightly": 3, "backfill": 4, "urgent": 0} {
		if got, err := Priority(name); got != want || (err == nil) != (want > 0) {
			t.Errorf("%q: %d, %v", name, got, err)
		}
	}
}
