package bounds

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
)

// usualBuffer is the number of bytes read at once, unless a line is longer.
const usualBuffer = 64 << 10

// Lines reads lines of at most MaxLine bytes.
type Lines struct {
	scanner  *bufio.Scanner
	fileName string
	Number   int // number of the last line from Next, from 1
}

// NewLines returns a reader for the lines in r; fileName is used in error messages.
func NewLines(r io.Reader, fileName string) *Lines {
	scanner := bufio.NewScanner(r)
	// Leave room for a byte order mark and a line break in addition to the longest line.
	scanner.Buffer(make([]byte, 0, usualBuffer), MaxLine+5)
	// Unlike bufio.ScanLines, this function shows whether the last line ends with a line break.
	scanner.Split(func(data []byte, atEOF bool) (int, []byte, error) {
		end := bytes.IndexByte(data, '\n') + 1
		if end == 0 && atEOF {
			end = len(data)
		}
		if end == 0 {
			return 0, nil, nil
		}
		return end, data[:end], nil
	})
	return &Lines{scanner: scanner, fileName: fileName}
}

// Next returns the next line without its line break (LF or CRLF). The line is valid until the next
// call. complete is false if the last line of the input has no line break. At the end of the input,
// the error is io.EOF.
func (l *Lines) Next() (line []byte, complete bool, err error) {
	if !l.scanner.Scan() {
		switch err := l.scanner.Err(); {
		case err == nil:
			return nil, false, io.EOF
		case errors.Is(err, bufio.ErrTooLong):
			return nil, false, l.tooLong(l.Number + 1)
		default:
			return nil, false, err
		}
	}
	l.Number++
	line = l.scanner.Bytes()
	if l.Number == 1 {
		if bytes.HasPrefix(line, []byte("\xff\xfe")) || bytes.HasPrefix(line, []byte("\xfe\xff")) {
			return nil, false, fmt.Errorf("%s:1: the file is UTF-16: save it as UTF-8 (in PowerShell: | Out-File -Encoding utf8)", l.fileName)
		}
		line = bytes.TrimPrefix(line, []byte("\uFEFF"))
	}
	line, complete = bytes.CutSuffix(line, []byte("\n"))
	line = bytes.TrimSuffix(line, []byte("\r"))
	if len(line) > MaxLine {
		return nil, false, l.tooLong(l.Number)
	}
	return line, complete, nil
}

func (l *Lines) tooLong(number int) error {
	return fmt.Errorf("%s:%d: line is longer than the limit of %d MiB", l.fileName, number, MaxLine>>20)
}
