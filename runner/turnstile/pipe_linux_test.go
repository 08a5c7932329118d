package turnstile

import (
	"bytes"
	"errors"
	"io"
	"os"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// Each write is read as one packet, or as several if it is too long for one. The pipe holds one
// packet at a time.
func TestPipe(t *testing.T) {
	p, writer, err := newPipe()
	if err != nil {
		t.Fatal(err)
	}
	defer p.close()
	long := bytes.Repeat([]byte("0123456789abcdef"), packetSize/16+1)
	go func() {
		defer writer.Close()
		for _, text := range [][]byte{[]byte("one"), []byte("two\n"), long} {
			_, _ = writer.Write(text)
		}
	}()
	for _, want := range []string{"one", "two\n", string(long[:packetSize]), string(long[packetSize:])} {
		for _, read := range []func() ([]byte, error){p.peek, p.peek, p.take} {
			if got, err := read(); err != nil || string(got) != want {
				t.Fatalf("%q, %v; want %q", got, err, want)
			}
		}
	}
	for _, read := range []func() ([]byte, error){p.peek, p.take} {
		if got, err := read(); !errors.Is(err, io.EOF) {
			t.Errorf("%q, %v; want the end", got, err)
		}
	}
}

// A wait ends at the deadline, even if the deadline is set during the wait.
func TestPipeDeadline(t *testing.T) {
	p, writer, err := newPipe()
	if err != nil {
		t.Fatal(err)
	}
	defer p.close()
	defer writer.Close()
	time.AfterFunc(10*time.Millisecond, func() { p.deadline(time.Unix(1, 0)) })
	if _, err := p.peek(); !errors.Is(err, os.ErrDeadlineExceeded) {
		t.Error(err)
	}
}

// try notices a pipe that can hold more than one packet.
func TestPipeIsTried(t *testing.T) {
	p, writer, err := newPipe()
	if err != nil {
		t.Fatal(err)
	}
	defer p.close()
	defer writer.Close()
	if err := p.try(writer); err != nil {
		t.Error(err)
	}
	if _, err := unix.FcntlInt(writer.Fd(), unix.F_SETPIPE_SZ, 4*packetSize); err != nil {
		t.Skip(err)
	}
	if err := p.try(writer); err == nil {
		t.Error("a pipe of four packets passes for one")
	}
}

func TestParseState(t *testing.T) {
	state := parseState([]byte("Name:\tState:\tx\nState:\tT (stopped)\nTgid:\t1\n"))
	if state != 'T' {
		t.Errorf("state %c", state)
	}
}

func TestParseWaited(t *testing.T) {
	if waited, ok := parseWaited([]byte("1095615 11058930 6\n")); !ok || waited != 11058930 {
		t.Errorf("%v, %v", waited, ok)
	}
	for _, text := range []string{"", "0 0", "1 x 2"} {
		if waited, ok := parseWaited([]byte(text)); ok {
			t.Errorf("%q: %v", text, waited)
		}
	}
}
