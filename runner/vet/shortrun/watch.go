package shortrun

import (
	"bytes"
	"strings"
	"time"

	"github.com/perftrack/perftrack/runner/gobench"
)

// A Timing is the result of one benchmark in one run.
type Timing struct {
	N    int64         // number of operations
	Op   float64       // ns/op
	Wall time.Duration // time since the previous result or since the start of the process
	CPU  time.Duration // CPU time of the process, if it ran nothing else
}

// Total returns the measured time of all operations.
func (t Timing) Total() time.Duration { return time.Duration(float64(t.N) * t.Op) }

// Timings maps the name of a benchmark, without the prefix Benchmark, to its result.
type Timings map[string]Timing

// A watch parses the output of benchmarks as it arrives.
type watch struct {
	now     func() time.Time
	heard   func() // called for each result
	line    bytes.Buffer
	began   time.Time // start of the process, or time of the last result
	timings Timings
	names   []string
}

// Write parses results from the output. It never fails.
func (w *watch) Write(p []byte) (int, error) {
	now := w.now()
	n := len(p)
	for len(p) > 0 {
		end := bytes.IndexByte(p, '\n')
		if end < 0 {
			w.line.Write(p)
			break
		}
		w.line.Write(p[:end])
		p = p[end+1:]
		w.result(now)
		w.line.Reset()
	}
	return n, nil
}

func (w *watch) result(now time.Time) {
	r, ok := gobench.ParseResult(w.line.String())
	if !ok {
		return
	}
	w.timings[r.Name] = Timing{N: r.N, Op: r.Op, Wall: now.Sub(w.began)}
	w.began = now
	w.names = append(w.names, r.Name)
	w.heard()
}

// running returns the name of the benchmark that has no result yet, or "" if it has not printed its
// name. With b.Loop, the name is printed only at the end.
func (w *watch) running() string {
	name, found := strings.CutPrefix(w.line.String(), gobench.Prefix)
	if !found {
		return ""
	}
	name, _, _ = strings.Cut(name, "\t")
	return strings.TrimSpace(name)
}
