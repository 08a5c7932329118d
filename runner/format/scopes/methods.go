package scopes

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"

	"golang.org/x/perf/benchfmt"

	"github.com/perftrack/perftrack/runner/format/bounds"
	"github.com/perftrack/perftrack/runner/record"
)

// A method is one scope of a profile, put together from all tables that name it.
type method struct {
	row         row
	name        string // what it is stored as: the bare name, or its call path
	line        int    // where it stands first
	table       int    // in which it stood last
	perCall     []figure
	sizePerCall []figure
	bad         bool // an error stands in the place of its record
}

// methods merges the tables of one file. Errors are emitted where they are found,
// records at the end: only then is known all that the file tells of a method.
type methods struct {
	fileName string
	emit     func(benchfmt.Record) error
	byName   map[string]*method
	ordered  []*method
	config   []benchfmt.Config // of every record
	damaged  bool              // an error was reported
	err      error             // of emit, or a limit: ends the reading
}

func newMethods(fileName string, emit func(benchfmt.Record) error) *methods {
	return &methods{fileName: fileName, emit: emit, byName: make(map[string]*method)}
}

// syntaxError reports what is wrong in a line.
func (ms *methods) syntaxError(line int, err error) {
	ms.damaged = true
	if ms.err == nil {
		ms.err = ms.emit(&benchfmt.SyntaxError{FileName: ms.fileName, Line: line, Msg: err.Error()})
	}
}

// readLines hands each line of a profile with its number to take, until the end or
// an error that ends the reading, and returns the number of the last one.
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

// setConfig gives all records a configuration line. It may stand in the input twice,
// but not with two values.
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
		return fmt.Errorf("more than %d configuration keys, the limit", record.MaxSettings)
	}
	ms.config = append(ms.config, benchfmt.Config{Key: key, Value: []byte(value), File: true})
	return nil
}

// add takes a line of a table. rowErr is why it could not be read whole.
func (ms *methods) add(r row, rowErr error, line, table int) {
	m := ms.byName[r.name]
	if r.name != "" && m == nil {
		if len(ms.ordered) == bounds.MaxBenchmarks {
			ms.err = fmt.Errorf("%s:%d: more than %d benchmarks, the limit of an input", ms.fileName, line, bounds.MaxBenchmarks)
			return
		}
		m = &method{row: row{name: r.name}, name: r.name, line: line}
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

// merge adds what another table tells of the method, and reports a contradiction.
func (m *method) merge(r row, table int) error {
	have := m.row
	switch {
	case m.table == table:
		return fmt.Errorf("%s stands twice in this table: the first time in line %d", bounds.Quote(r.name), m.line)
	case have.calls != 0 && have.calls != r.calls:
		return fmt.Errorf("%s has %d calls here and %d in line %d", bounds.Quote(r.name), r.calls, have.calls, m.line)
	}
	m.table, m.row.calls = table, r.calls
	for _, of := range []role{totalTime, averageTime, leastTime, mostTime, selfTime, totalSize, averageSize} {
		f, kept := *r.place(of), m.row.place(of)
		switch {
		case f == nil:
			continue
		case *kept != nil && f.contradicts(**kept):
			return fmt.Errorf("%s contradicts what line %d tells of it", bounds.Quote(r.name), m.line)
		case *kept == nil || f.step < (*kept).step:
			*kept = f
		}
		// An average is as good as it is printed, a total as it is divided.
		var err error
		switch of {
		case averageTime:
			m.perCall, err = agree(m.perCall, *f)
		case totalTime:
			m.perCall, err = agree(m.perCall, f.per(r.calls))
		case averageSize:
			m.sizePerCall, err = agree(m.sizePerCall, *f)
		case totalSize:
			m.sizePerCall, err = agree(m.sizePerCall, f.per(r.calls))
		}
		if err != nil {
			return fmt.Errorf("%s: %w (line %d)", bounds.Quote(r.name), err, m.line)
		}
	}
	return nil
}

// agree adds f to figures of the same quantity.
func agree(figures []figure, f figure) ([]figure, error) {
	for _, other := range figures {
		if f.contradicts(other) {
			return figures, errors.New("its average is not its total divided by its calls")
		}
	}
	return append(figures, f), nil
}

// finest returns the figure that rounding has changed least. A quantity is printed as
// total, as average and with several units: 0.53 ms over 10 calls is known to 0.001 ms
// a call, 12,345 calls in 1.000 ms to 0.08 ns, an average of 53.612 us to 1 ns.
func finest(figures []figure) figure {
	return slices.MinFunc(figures, func(a, b figure) int {
		switch {
		case a.step < b.step:
			return -1
		case a.step > b.step:
			return +1
		}
		return 0
	})
}

// emitAll emits a record for every method. benchfmt reads them from their text, in the
// lines in which the methods stand, so that they are as every other record is.
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
			ms.configure(result) // the reader keeps it for the results that follow
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
	if len(m.perCall) > 0 {
		value(finest(m.perCall).value, "ns/op")
	}
	if m.row.least != nil {
		value(m.row.least.value, "min-ns/op")
	}
	if m.row.most != nil {
		value(m.row.most.value, "max-ns/op")
	}
	if s, ok := self[m]; ok {
		value(s, "self-ns/op")
	} else if m.row.self != nil {
		value(m.row.self.per(m.row.calls).value, "self-ns/op")
	}
	if m.row.total != nil {
		value(m.row.total.value, "total-ns")
	}
	if len(m.sizePerCall) > 0 {
		value(finest(m.sizePerCall).value, "B/op")
	}
}
