package scopes

import (
	"io"

	"golang.org/x/perf/benchfmt"
)

// DetectTable reports whether head contains the header of a table that ReadTable can read.
func DetectTable(head []byte) bool { return hasTable(string(head), true) }

// ReadTable reads a table of a scope profiler, either in markdown or with columns aligned by spaces
// or tabs. The table must have a column of names, a column of calls, and one or more of total, avg,
// min, max, self, alloc and percent, in any order. The units are in the header, as in "total (ms)",
// "avg [us]" or "alloc_kb". Names are stored unchanged, so call paths remain call paths. Records
// are like those of ReadReport; several tables are merged.
func ReadTable(r io.Reader, fileName string, emit func(benchfmt.Record) error) error {
	ms := newMethods(fileName, emit)
	ts := &tables{methods: ms, plain: true}
	last, err := ms.readLines(r, func(text string, number int, complete bool) { ts.line(text, number, complete) })
	if err != nil {
		return err
	}
	if ts.end(last); ts.found == 0 && !ms.damaged {
		ms.syntaxError(max(last, 1), noTable("input"))
	}
	if ms.err != nil {
		return ms.err
	}
	return ms.emitAll(nil)
}
