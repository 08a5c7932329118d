package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

// maxLine is the size of the largest message accepted from the client, in bytes.
const maxLine = 4 << 20

// These are the answers to invalid lines; see JSON-RPC 2.0, section 5.1.
const (
	parseError     = `{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"parse error: a line must be one JSON value of at most 4 MiB"}}` + "\n"
	invalidRequest = `{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"invalid request: not a JSON-RPC 2.0 message"}}` + "\n"
)

// A lineReader passes JSON-RPC messages to the SDK. It answers all other lines itself, because the
// SDK would end the session at the first invalid line.
type lineReader struct {
	lines  *bufio.Reader
	answer io.Writer
	rest   []byte // unread part of the current line
}

func newLineReader(r io.Reader, answer io.Writer) *lineReader {
	return &lineReader{lines: bufio.NewReaderSize(r, 64<<10), answer: answer}
}

func (r *lineReader) Read(p []byte) (int, error) {
	for len(r.rest) == 0 {
		line, err := r.line()
		if len(bytes.TrimSpace(line)) > 0 {
			if answer := refusal(line); answer == "" {
				r.rest = line
				break
			} else if _, err := io.WriteString(r.answer, answer); err != nil {
				return 0, err
			}
		}
		if err != nil {
			return 0, err
		}
	}
	n := copy(p, r.rest)
	r.rest = r.rest[n:]
	return n, nil
}

func (r *lineReader) Close() error { return nil }

// line returns the next line including its line break. If the line is longer than maxLine, it
// returns only the beginning.
func (r *lineReader) line() (line []byte, err error) {
	for {
		part, err := r.lines.ReadSlice('\n')
		if len(line) <= maxLine {
			line = append(line, part...)
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			return line, err
		}
	}
}

// refusal returns the answer to an invalid line, or "" if the line is valid.
func refusal(line []byte) string {
	if len(line) > maxLine || !json.Valid(line) {
		return parseError
	}
	messages := []json.RawMessage{line}
	if bytes.TrimSpace(line)[0] == '[' { // a batch
		messages = nil // otherwise Unmarshal would write into line
		if err := json.Unmarshal(line, &messages); err != nil || len(messages) == 0 {
			return invalidRequest
		}
	}
	for _, message := range messages {
		if _, err := jsonrpc.DecodeMessage(message); err != nil {
			return invalidRequest
		}
	}
	return ""
}

// A sharedWriter lets the SDK and a lineReader write whole lines to the same stream.
type sharedWriter struct {
	mu sync.Mutex
	w  io.Writer
}

func (w *sharedWriter) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.w.Write(p)
}

func (w *sharedWriter) Close() error { return nil }
