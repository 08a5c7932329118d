package turnstile

import (
	"context"
	"errors"
	"net"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// If the context ends at any of these points, the current call returns its error and no process is
// left.
func TestInterrupted(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, env string
		point     string // reached by the benchmark when the context ends
	}{
		{"Hangs", "", "start"},
		{"Misbehaves", "HOW=hangs", "count"},
		{"Plain", "TESTMAIN=hangs", "end"},
	}
	for _, tt := range tests {
		t.Run(tt.point, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			tr := newTrial(t, tt.name, tt.env, "REACHED="+dir)
			ctx, cancel := context.WithCancelCause(t.Context())
			go func() { cancel(await(dir, tt.point)) }()
			p, err := Open(ctx, tr.Spec)
			for side := range Order(0, 2*tr.Slices) {
				if err == nil {
					_, err = p.Slice(side)
				}
			}
			if p != nil {
				err = errors.Join(err, p.Close())
			}
			if !errors.Is(err, context.Canceled) || !errors.Is(context.Cause(ctx), context.Canceled) {
				t.Errorf("%v, because of %v", err, context.Cause(ctx))
			}
		})
	}
}

// Whenever the context ends, the calls return its error and no process is left.
func TestInterruptedAnywhere(t *testing.T) {
	t.Parallel()
	for i := range 12 {
		tr := newTrial(t, "Children")
		ctx, cancel := context.WithTimeout(t.Context(), time.Duration(i*i)*time.Millisecond)
		p, err := Open(ctx, tr.Spec)
		for side := range Order(0, 2*tr.Slices) {
			if err == nil {
				_, err = p.Slice(side)
			}
		}
		if p != nil {
			err = errors.Join(err, p.Close())
		}
		if err != nil && !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("after %d ms: %v", i*i, err)
		}
		cancel()
	}
}

// If the context ends while both sides are parked, the next slice returns the error.
func TestInterruptedWhileParked(t *testing.T) {
	t.Parallel()
	tr := newTrial(t, "Children")
	ctx, cancel := context.WithCancel(t.Context())
	p, err := Open(ctx, tr.Spec)
	if err != nil {
		t.Fatal(err)
	}
	cancel()
	if _, err := p.Slice(0); !errors.Is(err, context.Canceled) {
		t.Errorf("slice: %v", err)
	}
	if err := p.Close(); err != nil {
		t.Errorf("close: %v", err)
	}
	if err := p.Close(); err != nil {
		t.Errorf("close again: %v", err)
	}
}

// Close kills both sides if they have not run all their slices.
func TestClosedEarly(t *testing.T) {
	t.Parallel()
	tr := newTrial(t, "Children", "TESTMAIN=hangs")
	p := tr.open(t)
	if _, err := p.Slice(1); err != nil {
		t.Error(err)
	}
	if err := p.Close(); err != nil {
		t.Error(err)
	}
	if _, err := p.Slice(1); err == nil {
		t.Error("a slice after the end")
	}
}

// If a side dies while it is parked, the other side can still run a slice. The next slice of the
// dead side returns an error that names it.
func TestParkedSideDies(t *testing.T) {
	t.Parallel()
	tr := newTrial(t, "Plain")
	p := tr.open(t)
	if err := p.sides[1].process.signal(unix.SIGKILL); err != nil {
		t.Fatal(err)
	}
	if _, err := p.Slice(0); err != nil {
		t.Errorf("the side that lives: %v", err)
	}
	_, err := p.Slice(1)
	var e *SliceError
	ok := errors.As(err, &e)
	if !ok || e.Side != 1 || !e.Failed || e.Why != "its process ended: signal: killed" {
		t.Errorf("%v", err)
	}
}

// If a benchmark does not return within the time limit, the result is a SliceError.
func TestTimeout(t *testing.T) {
	t.Parallel()
	tr := newTrial(t, "Hangs")
	tr.Timeout = time.Second
	_, err := Open(t.Context(), tr.Spec)
	var e *SliceError
	ok := errors.As(err, &e)
	if !ok || !e.Failed || e.Why != "it took longer than 1s" {
		t.Errorf("%v", err)
	}
}

// A program that closes its standard output and keeps running is killed after endLimit.
func TestClosedOutput(t *testing.T) {
	defer func(limit time.Duration) { endLimit = limit }(endLimit)
	endLimit = time.Millisecond
	tr := newTrial(t, "Misbehaves", "HOW=closes")
	err := run(t, tr.Spec)
	var e *SliceError
	ok := errors.As(err, &e)
	if !ok || !e.Failed || !strings.HasPrefix(e.Why, "its process ended or closed its standard output") {
		t.Errorf("%v", err)
	}
}

func freePort(t *testing.T) int {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().(*net.TCPAddr).Port
}
