package command

import (
	"bytes"
	"fmt"
	"strings"
	"unicode"
)

// clipped keeps the beginning of a stream and counts the bytes after it.
type clipped struct {
	most int
	text bytes.Buffer
	lost int
}

func (c *clipped) Write(p []byte) (int, error) {
	keep := min(len(p), c.most-c.text.Len())
	c.text.Write(p[:keep])
	c.lost += len(p) - keep
	return len(p), nil
}

func (c *clipped) String() string {
	text := clean(c.text.String())
	if c.lost > 0 {
		text += fmt.Sprintf("\n(%d bytes of text left out)", c.lost)
	}
	return text
}

// lines passes each written line to told and keeps the last few.
type lines struct {
	told func(line string)
	rest []byte
	last []string
}

func (l *lines) Write(p []byte) (int, error) {
	for _, b := range p {
		if b == '\n' {
			l.end()
		} else if len(l.rest) < 4<<10 {
			l.rest = append(l.rest, b)
		}
	}
	return len(p), nil
}

// end completes the current line.
func (l *lines) end() {
	line := strings.TrimSpace(strings.TrimPrefix(clean(string(l.rest)), "perftrack: "))
	l.rest = l.rest[:0]
	if line == "" {
		return
	}
	if l.last = append(l.last, line); len(l.last) > mostRemarks {
		l.last = l.last[1:]
	}
	if l.told != nil {
		l.told(line)
	}
}

// clean removes control characters, which can occur in the quoted output of a program.
func clean(s string) string {
	return strings.Map(func(r rune) rune {
		if r != '\n' && r != '\t' && unicode.IsControl(r) {
			return -1
		}
		return r
	}, strings.ToValidUTF8(s, "\uFFFD"))
}
