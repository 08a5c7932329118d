package format

import (
	"io"

	"golang.org/x/perf/benchfmt"
)

// scopeTable is a table as scope profilers print it, in markdown or aligned with blanks
// or tabs: a column of names, one of calls and one or more of total, avg, min, max,
// self, alloc and percent in any order, with their units in the header, as in
// "total (ms)", "avg [us]", "alloc_kb". Names are stored as they are: call paths stay
// call paths. Records are as those of profileReport; several tables are merged.
var scopeTable = Format{
	Name:        "scope-table",
	Description: "table of a scope profiler, markdown or plain: name, calls, total (ms), avg (us), min, max, percent",
	Detect:      func(head []byte) bool { return hasTable(string(head), true) },
	Read:        readScopeTable,
	fills:       fillsTable,
}

func readScopeTable(r io.Reader, fileName string, emit func(benchfmt.Record) error) error {
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
