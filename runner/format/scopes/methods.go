package scopes

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"

	"golang.org/x/perf/benchfmt"

	"github.com/perftrack/perftrack/runner/format/bounds"
	"github.com/perftrack/perftrack/runner/record"
)

// A method is one scope in a profile, with its figures merged from all tables.
type method struct {
	row         row
	name        string // name in the records: the bare name or the call path
	line        int    // line of its first row
	table       int    // number of the table with its last row
	perCall     []figure
	sizePerCall []figure
	bad         bool // an error was emitted instead of a record
}

// methods merges the tables in one file. It emits errors as they are found, and records at the end,
// when all methods are complete.
type methods struct {
	fileName string
	emit     func(benchfmt.Record) error
	byName   map[string]*method
	ordered  []*method
	config   []benchfmt.Config // configuration shared by all records
	damaged  bool              // an error was emitted
	err      error             // error from emit, or an exceeded limit; stops reading
}

func newMethods(fileName string, emit func(benchfmt.Record) error) *methods {
	return &methods{fileName: fileName, emit: emit, byName: make(map[string]*method)}
}

// syntaxError emits an error for a line.
func (ms *methods) syntaxError(line int, err error) {
	ms.damaged = true
	if ms.err == nil {
		ms.err = ms.emit(&benchfmt.SyntaxError{FileName: ms.fileName, Line: line, Msg: err.Error()})
	}
}

// readLines calls take with each line of a profile and its number, until the end or until an error
// stops reading. It returns the number of the last line.
func (ms *methods) readLines(r io.Reader, take func(text string, number int, complete bool)) (last int, err error) {
	if err := ms.setConfig(record.KeyProfile, record.ProfileScopes); err != nil {
		return 0, err
	}
	lines := bounds.NewLines(r, ms.fileName)
	for ms.err == nil {
		line, complete, err := lines.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return lines.Number, err
		}
		take(string(line), lines.Number, complete)
	}
	return lines.Number, ms.err
}

// setConfig sets a configuration line for all records. The input may repeat a line, but not with
// another value.
func (ms *methods) setConfig(key, value string) error {
	if err := bounds.CheckConfig(key, []byte(value)); err != nil {
		return err
	}
	for _, c := range ms.config {
		if c.Key == key && string(c.Value) != value {
			return fmt.Errorf("%s is %s here and %s before", key, bounds.Quote(value), bounds.Quote(string(c.Value)))
		}
		if c.Key == key {
			return nil
		}
	}
	if len(ms.config) == record.MaxSettings {
		return fmt.Errorf("more than %d configuration keys", record.MaxSettings)
	}
	ms.config = append(ms.config, benchfmt.Config{Key: key, Value: []byte(value), File: true})
	return nil
}

// add adds a row from a table. If rowErr is not nil, it explains why the row could not be read
// completely.
func (ms *methods) add(r row, rowErr error, line, table int) {
	m := ms.byName[r.name]
	if r.name != "" && m == nil {
		if len(ms.ordered) == bounds.MaxBenchmarks {
			ms.err = fmt.Errorf("%s:%d: input exceeds the limit of %d benchmarks", ms.fileName, line, bounds.MaxBenchmarks)
			return
		}
		m = &method{row: row{name: r.name, figures: make(map[role]figure)}, name: r.name, line: line}
		ms.byName[r.name] = m
		ms.ordered = append(ms.ordered, m)
	}
	if rowErr == nil {
		rowErr = m.merge(r, table)
	}
	if rowErr != nil {
		if m != nil {
			m.bad = true
		}
		ms.syntaxError(line, rowErr)
	}
}

// merge adds another row to the method. It returns an error if the row contradicts an earlier row.
func (m *method) merge(r row, table int) error {
	have := m.row
	switch {
	case m.table == table:
		return fmt.Errorf("%s is a duplicate in this table: see line %d", bounds.Quote(r.name), m.line)
	case have.calls != 0 && have.calls != r.calls:
		return fmt.Errorf("%s has %d calls here and %d in line %d", bounds.Quote(r.name), r.calls, have.calls, m.line)
	}
	m.table, m.row.calls = table, r.calls
	for _, of := range []role{totalTime, averageTime, leastTime, mostTime, selfTime, totalSize, averageSize} {
		f, ok := r.figures[of]
		if !ok {
			continue
		}
		kept, known := have.figures[of]
		switch {
		case known && f.contradicts(kept):
			return fmt.Errorf("%s contradicts its values in line %d", bounds.Quote(r.name), m.line)
		case !known || f.step < kept.step:
			have.figures[of] = f
		}
		// A printed average is already per call. A printed total is divided by the number of calls,
		// and so is its step.
		var err error
		switch of {
		case averageTime:
			m.perCall, err = agree(m.perCall, f)
		case totalTime:
			m.perCall, err = agree(m.perCall, f.per(r.calls))
		case averageSize:
			m.sizePerCall, err = agree(m.sizePerCall, f)
		case totalSize:
			m.sizePerCall, err = agree(m.sizePerCall, f.per(r.calls))
		}
		if err != nil {
			return fmt.Errorf("%s: %w (line %d)", bounds.Quote(r.name), err, m.line)
		}
	}
	return nil
}

// agree adds f to figures for the same quantity. It returns an error if f contradicts one of them.
func agree(figures []figure, f figure) ([]figure, error) {
	for _, other := range figures {
		if f.contradicts(other) {
			return figures, errors.New("its average is not its total divided by its number of calls")
		}
	}
	return append(figures, f), nil
}

// finest returns the figure with the smallest rounding error. A quantity may be printed as a total,
// as an average and in several units. For example, 0.53 ms over 10 calls is known to 0.001 ms per
// call, 1.000 ms over 12,345 calls to 0.08 ns, and an average of 53.612 us to 1 ns.
func finest(figures []figure) figure {
	return slices.MinFunc(figures, func(a, b figure) int { return cmp.Compare(a.step, b.step) })
}

// emitAll emits a record for every method without an error. It lets benchfmt read the records from
// a text with each method on its original line number, so that they are like all other records.
func (ms *methods) emitAll(self map[*method]float64) error {
	var text bytes.Buffer
	at := 1
	slices.SortStableFunc(ms.ordered, func(a, b *method) int { return a.line - b.line })
	for _, m := range ms.ordered {
		if m.bad || ms.err != nil {
			continue
		}
		for ; at < m.line; at++ {
			text.WriteByte('\n')
		}
		at++
		fmt.Fprintf(&text, "Benchmark%s %d", m.name, m.row.calls)
		m.print(&text, self)
		text.WriteByte('\n')
	}
	reader := benchfmt.NewReader(&text, ms.fileName)
	for ms.err == nil && reader.Scan() {
		if result, ok := reader.Result().(*benchfmt.Result); ok && len(result.Config) == 0 {
			ms.configure(result) // the reader keeps the configuration for later results
		}
		ms.err = ms.emit(reader.Result())
	}
	if ms.err == nil {
		ms.err = reader.Err()
	}
	return ms.err
}

func (ms *methods) configure(r *benchfmt.Result) {
	for _, c := range ms.config {
		bounds.SetConfig(r, c)
	}
}

func (m *method) print(w io.Writer, self map[*method]float64) {
	value := func(v float64, unit string) {
		fmt.Fprintf(w, " %s %s", strconv.FormatFloat(v, 'g', -1, 64), unit)
	}
	printed := func(of role, unit string) {
		if f, ok := m.row.figures[of]; ok {
			value(f.value, unit)
		}
	}
	if len(m.perCall) > 0 {
		value(finest(m.perCall).value, "ns/op")
	}
	printed(leastTime, "min-ns/op")
	printed(mostTime, "max-ns/op")
	if s, ok := self[m]; ok {
		value(s, "self-ns/op")
	} else if f, ok := m.row.figures[selfTime]; ok {
		value(f.per(m.row.calls).value, "self-ns/op")
	}
	printed(totalTime, "total-ns")
	if len(m.sizePerCall) > 0 {
		value(finest(m.sizePerCall).value, "B/op")
	}
}
