package trackers

import (
	"bytes"
	"errors"
	"io"
)

// A statement reads the rest of a script that is one assignment. It drops the semicolon at the end.
type statement struct {
	r    io.Reader
	tail []byte // a semicolon and white space, which may be the end
	next []byte // read and not yet returned, part of buf
	buf  []byte // reused
	err  error
}

// maxTail is the number of bytes of white space after the semicolon.
const maxTail = 4 << 10

func (s *statement) Read(p []byte) (int, error) {
	for len(s.next) == 0 {
		switch {
		case errors.Is(s.err, io.EOF):
			s.next, s.tail = bytes.TrimLeft(s.tail, ";"), nil
			if len(s.next) == 0 {
				return 0, io.EOF
			}
		case s.err != nil:
			return 0, s.err
		default:
			s.fill()
		}
	}
	n := copy(p, s.next)
	s.next = s.next[n:]
	return n, nil
}

func (s *statement) fill() {
	if s.buf == nil {
		s.buf = make([]byte, 64<<10)
	}
	kept := copy(s.buf, s.tail)
	n, err := s.r.Read(s.buf[kept:])
	all := s.buf[:kept+n]
	end := len(bytes.TrimRight(all, " \t\r\n"))
	if end > 0 && all[end-1] == ';' && len(all)-end <= maxTail {
		end--
	} else {
		end = len(all)
	}
	s.next, s.tail, s.err = all[:end], bytes.Clone(all[end:]), err
}
