package scopes

import (
	"io"

	"golang.org/x/perf/benchfmt"
)

// DetectTable reports whether an input that begins with head shows such a table.
func DetectTable(head []byte) bool { return hasTable(string(head), true) }

// ReadTable reads a table as scope profilers print it, in markdown or aligned with blanks
// or tabs: a column of names, one of calls and one or more of total, avg, min, max,
// self, alloc and percent in any order, with their units in the header, as in
// "total (ms)", "avg [us]", "alloc_kb". Names are stored as they are: call paths stay
// call paths. Records are as those of ReadReport; several tables are merged.
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
