package disturbtest

import (
	"io"
	"testing"
	"time"
)

// A load ends at the end of its reader, since it would otherwise outlive the test.
func TestUntil(t *testing.T) {
	r, w := io.Pipe()
	ended := make(chan bool)
	go func() {
		Load{Seed: 1, On: time.Millisecond, Off: time.Millisecond, PerCPU: 1}.Until(r)
		close(ended)
	}()
	select {
	case <-ended:
		t.Fatal("it ended before it was told to")
	case <-time.After(20 * time.Millisecond):
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	<-ended
}
