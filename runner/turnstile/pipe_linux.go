package turnstile

import (
	"errors"
	"fmt"
	"io"
	"os"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// A pipe holds a single packet and reads what a program writes packet by packet.
type pipe struct {
	reader *os.File
	raw    syscall.RawConn
	copies [2]int // both ends of a second pipe, for copies of packets
	buf    []byte
}

// newPipe returns a pipe and the file for the program's output.
func newPipe() (p *pipe, writer *os.File, err error) {
	var fds [2]int
	if err := unix.Pipe2(fds[:], unix.O_DIRECT|unix.O_CLOEXEC); err != nil {
		return nil, nil, fmt.Errorf("create a packet-mode pipe: %w", err)
	}
	p = &pipe{copies: [2]int{-1, -1}, buf: make([]byte, packetSize)}
	writer = os.NewFile(uintptr(fds[1]), "packets")
	err = func() error {
		size, err := unix.FcntlInt(uintptr(fds[0]), unix.F_SETPIPE_SZ, packetSize)
		if err == nil && size != packetSize {
			err = fmt.Errorf("the kernel's smallest buffer has %d bytes", size)
		}
		if err != nil {
			return fmt.Errorf("limit the pipe to one packet: %w", err)
		}
		if err := unix.Pipe2(p.copies[:], unix.O_CLOEXEC|unix.O_NONBLOCK); err != nil {
			return fmt.Errorf("create a pipe: %w", err)
		}
		// The program's end is blocking. Our end uses Go's poller, because it supports deadlines.
		return unix.SetNonblock(fds[0], true)
	}()
	p.reader = os.NewFile(uintptr(fds[0]), "packets")
	if err == nil {
		p.raw, err = p.reader.SyscallConn()
	}
	if err != nil {
		_ = writer.Close()
		p.close()
		return nil, nil, err
	}
	return p, writer, nil
}

// take waits for the next packet and removes it to make room for another one. The packet is valid
// until the next call. At the end of the program, take returns io.EOF.
func (p *pipe) take() ([]byte, error) {
	return p.wait(func(fd int) (int, error) { return unix.Read(fd, p.buf) })
}

// peek waits for the next packet and leaves it in the pipe, so the program stays parked.
func (p *pipe) peek() ([]byte, error) {
	return p.wait(func(fd int) (int, error) {
		n, err := unix.Tee(fd, p.copies[1], packetSize, unix.SPLICE_F_NONBLOCK)
		if n <= 0 || err != nil {
			return int(n), err
		}
		return unix.Read(p.copies[0], p.buf)
	})
}

func (p *pipe) wait(get func(fd int) (int, error)) ([]byte, error) {
	var n int
	var err error
	waitErr := p.raw.Read(func(fd uintptr) bool {
		n, err = get(int(fd))
		for errors.Is(err, unix.EINTR) {
			n, err = get(int(fd))
		}
		return !errors.Is(err, unix.EAGAIN)
	})
	switch {
	case waitErr != nil:
		return nil, waitErr
	case err != nil:
		return nil, fmt.Errorf("read the benchmark's output: %w", err)
	case n == 0:
		return nil, io.EOF
	}
	return p.buf[:n], nil
}

// try checks that the pipe is in packet mode, because some kernels ignore the flag. The pipe must
// be empty.
func (p *pipe) try(writer *os.File) error {
	fd := int(writer.Fd())
	if err := unix.SetNonblock(fd, true); err != nil {
		return err
	}
	for i, want := range []error{nil, unix.EAGAIN} {
		if _, err := unix.Write(fd, []byte("packet")); !errors.Is(err, want) {
			return fmt.Errorf("write packet %d to a pipe: %w", i+1, err)
		}
	}
	for _, read := range []func() ([]byte, error){p.peek, p.peek, p.take} {
		if text, err := read(); err != nil || string(text) != "packet" {
			return fmt.Errorf("read a packet: %q, %w", text, err)
		}
	}
	return nil
}

// deadline makes reads fail at t, including a read in progress. The zero time means never.
func (p *pipe) deadline(t time.Time) { _ = p.reader.SetReadDeadline(t) }

func (p *pipe) close() {
	_ = p.reader.Close()
	for _, fd := range p.copies {
		if fd >= 0 {
			_ = unix.Close(fd)
		}
	}
}
