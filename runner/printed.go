package runner

import (
	"bytes"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/perftrack/perftrack/runner/gobench"
)

// printedEvery is the least time between two reports about the output of a process.
const printedEvery = time.Second

// maxLast is the maximum number of bytes of a printed line to show.
const maxLast = 60

// A printed watches the output of a process that may run for an hour, and reports its progress. Its
// methods may be called by several goroutines.
type printed struct {
	tell func(lines int, last string)

	mu    sync.Mutex
	cut   []byte // the line without its line break so far, at most maxLast bytes
	lines int
	last  string
	told  time.Time
	timer *time.Timer // set while a report is due
	ended bool
}

// Write never returns an error.
func (p *printed) Write(text []byte) (int, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	before := p.lines
	for line := range bytes.Lines(text) {
		p.cut = append(p.cut, line[:min(len(line), maxLast-len(p.cut))]...)
		if line[len(line)-1] == '\n' {
			p.line(bytes.TrimSpace(p.cut))
			p.cut = p.cut[:0]
		}
	}
	if p.lines > before && p.timer == nil && !p.ended {
		p.timer = time.AfterFunc(max(0, printedEvery-time.Since(p.told)), p.report)
	}
	return len(text), nil
}

// line counts a complete line, and keeps it if it tells a person something. In the Go benchmark
// format, the name of the benchmark is kept.
func (p *printed) line(line []byte) {
	if len(line) == 0 {
		return
	}
	p.lines++
	if name, ok := bytes.CutPrefix(line, []byte(gobench.Prefix)); ok {
		line, _, _ = bytes.Cut(bytes.ReplaceAll(name, []byte{'\t'}, []byte{' '}), []byte{' '})
	}
	for !utf8.Valid(line) && len(line) > maxLast-utf8.UTFMax {
		line = line[:len(line)-1] // cut within a character
	}
	if p.last = string(line); isFragment(p.last) {
		p.last = ""
	}
}

func (p *printed) report() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.timer, p.told = nil, time.Now()
	if !p.ended {
		p.tell(p.lines, p.last)
	}
}

// end stops the reports. Afterwards, tell is not running and is not called again.
func (p *printed) end() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.ended = true
	if p.timer != nil {
		p.timer.Stop()
	}
}
