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

// A pipe gives what a program writes to it packet by packet, and holds one.
type pipe struct {
	reader *os.File
	raw    syscall.RawConn
	copies [2]int // the ends of a second pipe, into which packets are copied to be looked at
	buf    []byte
}

// newPipe returns the end that is read and the file that the program is to write to.
func newPipe() (p *pipe, writer *os.File, err error) {
	var fds [2]int
	if err := unix.Pipe2(fds[:], unix.O_DIRECT|unix.O_CLOEXEC); err != nil {
		return nil, nil, fmt.Errorf("make a pipe of packets: %w", err)
	}
	p = &pipe{copies: [2]int{-1, -1}, buf: make([]byte, packetSize)}
	writer = os.NewFile(uintptr(fds[1]), "packets")
	err = func() error {
		size, err := unix.FcntlInt(uintptr(fds[0]), unix.F_SETPIPE_SZ, packetSize)
		if err == nil && size != packetSize {
			err = fmt.Errorf("the kernel gives no less than %d bytes", size)
		}
		if err != nil {
			return fmt.Errorf("make the pipe hold one packet: %w", err)
		}
		if err := unix.Pipe2(p.copies[:], unix.O_CLOEXEC|unix.O_NONBLOCK); err != nil {
			return fmt.Errorf("make a pipe: %w", err)
		}
		// The program's end blocks; ours waits in Go's poller, which knows deadlines.
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

// take waits for the next packet and takes it out, which makes room for another. It is
// valid until the next call. The end of the program is io.EOF.
func (p *pipe) take() ([]byte, error) {
	return p.wait(func(fd int) (int, error) { return unix.Read(fd, p.buf) })
}

// peek waits for the next packet and leaves it where it is: the program stays parked behind it.
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
		return nil, fmt.Errorf("read what the benchmark writes: %w", err)
	case n == 0:
		return nil, io.EOF
	}
	return p.buf[:n], nil
}

// try holds the kernel to what a pipe of packets is: some only pretend. Nothing may have
// been written before.
func (p *pipe) try(writer *os.File) error {
	fd := int(writer.Fd())
	if err := unix.SetNonblock(fd, true); err != nil {
		return err
	}
	for i, want := range []error{nil, unix.EAGAIN} {
		if _, err := unix.Write(fd, []byte("packet")); !errors.Is(err, want) {
			return fmt.Errorf("write packet %d into a pipe that holds one: %w", i+1, err)
		}
	}
	for _, read := range []func() ([]byte, error){p.peek, p.peek, p.take} {
		if text, err := read(); err != nil || string(text) != "packet" {
			return fmt.Errorf("read a packet: %q, %w", text, err)
		}
	}
	return nil
}

// deadline ends every wait at t, also one that has begun; the zero time never does.
func (p *pipe) deadline(t time.Time) { _ = p.reader.SetReadDeadline(t) }

func (p *pipe) close() {
	_ = p.reader.Close()
	for _, fd := range p.copies {
		if fd >= 0 {
			_ = unix.Close(fd)
		}
	}
}
