package reports

import (
	"testing"
	"time"
)

func TestAbout(t *testing.T) {
	for _, tt := range []struct {
		d    time.Duration
		want string
	}{
		{0, "1 s"}, {-time.Second, "1 s"}, {1500 * time.Millisecond, "2 s"}, {89 * time.Second, "89 s"}, {90 * time.Second, "2 min"},
		{4*time.Minute + 29*time.Second, "4 min"}, {89 * time.Minute, "89 min"}, {90 * time.Minute, "1 h 30 min"}, {2*time.Hour - time.Minute, "2 h"}, {26 * time.Hour, "26 h"},
	} {
		if got := About(tt.d); got != tt.want {
			t.Errorf("About(%v) = %q, want %q", tt.d, got, tt.want)
		}
	}
}
