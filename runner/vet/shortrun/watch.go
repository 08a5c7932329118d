package shortrun

import (
	"bytes"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// A Timing is what one benchmark did in one run.
type Timing struct {
	N    int64         // operations
	Op   float64       // ns/op
	Wall time.Duration // from the result before it, or the start of the process, to its own
	CPU  time.Duration // of the whole process, where it ran nothing else
}

// Total is the time that the benchmark says its operations took.
func (t Timing) Total() time.Duration { return time.Duration(float64(t.N) * t.Op) }

// Timings are those of each benchmark by its name, without the prefix Benchmark.
type Timings map[string]Timing

// A watch reads the output of benchmarks as it arrives.
type watch struct {
	now     func() time.Time
	heard   func() // called for each result
	line    bytes.Buffer
	began   time.Time // the start of the process, then the last result
	timings Timings
	names   []string
}

// Write never fails.
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

var resultLine = regexp.MustCompile(`^Benchmark(\S*)\s+(\d+)\s+([0-9.e+-]+) ns/op`)

func (w *watch) result(now time.Time) {
	m := resultLine.FindStringSubmatch(w.line.String())
	if m == nil {
		return
	}
	n, err1 := strconv.ParseInt(m[2], 10, 64)
	op, err2 := strconv.ParseFloat(m[3], 64)
	if err1 != nil || err2 != nil || n <= 0 {
		return
	}
	w.timings[m[1]] = Timing{N: n, Op: op, Wall: now.Sub(w.began)}
	w.began = now
	w.names = append(w.names, m[1])
	w.heard()
}

// running is the name of the benchmark that has begun and given no result, "" where none has
// told its name yet: with b.Loop it does so at its end.
func (w *watch) running() string {
	name, found := strings.CutPrefix(w.line.String(), "Benchmark")
	if !found {
		return ""
	}
	name, _, _ = strings.Cut(name, "\t")
	return strings.TrimSpace(name)
}
