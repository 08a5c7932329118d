package formattest

import (
	"io"
	"runtime"
	"strings"
	"testing"

	"golang.org/x/perf/benchfmt"

	"github.com/perftrack/perftrack/runner/format"
)

// Grow returns an input of about size bytes: head, then element repeatedly with separator between,
// then tail. It is made while it is read.
func Grow(head, element, separator, tail string, size int64) io.Reader {
	g := &grown{rest: head, element: separator + element, left: size, tail: tail}
	g.rest += element
	return g
}

type grown struct {
	rest, element, tail string
	left                int64
}

func (g *grown) Read(p []byte) (n int, err error) {
	for n < len(p) {
		if g.rest == "" {
			switch {
			case g.left > 0:
				g.rest = g.element
			case g.tail != "":
				g.rest, g.tail = g.tail, ""
			case n == 0:
				return 0, io.EOF
			default:
				return n, nil
			}
		}
		k := copy(p[n:], g.rest)
		g.rest, n, g.left = g.rest[k:], n+k, g.left-int64(k)
	}
	return n, nil
}

// Peak reads in with the format called name and returns the largest heap, in bytes, that was in use
// meanwhile, and the error of the reader.
func Peak(t testing.TB, name string, in io.Reader) (heap uint64, err error) {
	f, err := format.ByName(name)
	if err != nil {
		t.Fatal(err)
	}
	runtime.GC()
	err = f.Read(&watched{in, 0, &heap}, "f", func(benchfmt.Record) error { return nil })
	return heap, err
}

// A watched reader looks at the heap once for every 4 MiB.
type watched struct {
	io.Reader
	since int
	heap  *uint64
}

func (w *watched) Read(p []byte) (int, error) {
	n, err := w.Reader.Read(p)
	if w.since += n; w.since > 4<<20 {
		w.since = 0
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		*w.heap = max(*w.heap, m.HeapInuse)
	}
	return n, err
}

// Bench measures the reader of a format with an input made by [Grow], of about 2 MiB. The element may
// have at least 200 bytes, because a file may have at most 10,000 samples of one benchmark.
func Bench(b *testing.B, name, head, element, separator, tail string) {
	f, err := format.ByName(name)
	if err != nil {
		b.Fatal(err)
	}
	text, err := io.ReadAll(Grow(head, element, separator, tail, 2<<20))
	if err != nil {
		b.Fatal(err)
	}
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		if err := f.Read(strings.NewReader(string(text)), "f", func(benchfmt.Record) error { return nil }); err != nil {
			b.Fatal(err)
		}
	}
}
