package main

import (
	"os"
	"syscall"
	"testing"
	"time"
)

// timeout(1) signals the process and then its group: both signals are one request to end. A later
// signal means the user is impatient.
func TestSameSignal(t *testing.T) {
	for _, tt := range []struct {
		at        []time.Duration // the time when each signal is handled
		impatient bool
	}{
		{nil, false},
		{[]time.Duration{0}, false},
		{[]time.Duration{0, 20 * time.Microsecond}, false},
		{[]time.Duration{0, 20 * time.Microsecond, 999 * time.Millisecond}, false},
		{[]time.Duration{0, time.Second}, true},
		{[]time.Duration{0, time.Millisecond, 5 * time.Second}, true},
	} {
		signals := make(chan os.Signal, len(tt.at))
		for range tt.at {
			signals <- syscall.SIGTERM
		}
		close(signals)
		began, looks, canceled := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC), 0, 0
		now := func() time.Time { looks++; return began.Add(tt.at[looks-1]) }
		if got := impatient(signals, now, func() { canceled++ }); got != tt.impatient || canceled != min(1, len(tt.at)) {
			t.Errorf("signals after %v: impatient %v, canceled %d times", tt.at, got, canceled)
		}
	}
}
