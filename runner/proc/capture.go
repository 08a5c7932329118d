//go:build unix

package proc

import (
	"bytes"
	"fmt"
	"io"
	"sync"
)

// capture keeps the first head and the last tail bytes of a stream and also writes everything to
// copy. Write never returns an error, because reading would then stop and the program would block
// on a full pipe.
type capture struct {
	head, tail int64
	copy       io.Writer // optional

	mu      sync.Mutex
	first   []byte
	last    []byte // up to 2*tail bytes; when full, it is cut back to tail
	total   int64
	copyErr error
}

func (c *capture) Write(p []byte) (int, error) {
	c.mu.Lock()
	c.total += int64(len(p))
	fits := min(int64(len(p)), c.head-int64(len(c.first)))
	c.first = append(c.first, p[:fits]...)
	if c.tail > 0 {
		c.last = append(c.last, p[fits:]...)
		if int64(len(c.last)) > 2*c.tail {
			n := copy(c.last, c.last[int64(len(c.last))-c.tail:])
			c.last = c.last[:n]
		}
	}
	broken := c.copyErr != nil
	c.mu.Unlock()

	if c.copy != nil && !broken { // without the lock, because it may block
		if _, err := c.copy.Write(p); err != nil {
			c.mu.Lock()
			c.copyErr = err
			c.mu.Unlock()
		}
	}
	return len(p), nil
}

// finish returns the kept bytes, the number of bytes left out and the first error from copy. A
// surviving process may still hold the pipe open, but a later Write does not touch the returned
// bytes.
func (c *capture) finish() (kept []byte, dropped int64, copyErr error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	last := c.last
	if int64(len(last)) > c.tail {
		last = last[int64(len(last))-c.tail:]
	}
	dropped = c.total - int64(len(c.first)) - int64(len(last))
	kept = c.first
	if dropped > 0 && c.tail > 0 {
		kept = fmt.Appendf(kept, "\n... %d bytes left out ...\n", dropped)
	}
	kept = append(kept, last...)
	c.first, c.last, c.head, c.tail = nil, nil, 0, 0
	return kept, dropped, c.copyErr
}

// wholeLines cuts off an incomplete last line, because "1234 ns/op" cut to "12" would still be read
// as a number.
func wholeLines(b []byte) []byte {
	if i := bytes.LastIndexByte(b, '\n'); i >= 0 {
		return b[:i+1]
	}
	return b
}
