package javascript

import (
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/perf/benchfmt"

	"github.com/perftrack/perftrack/runner/format/reading"
)

// Tinybench is the JSON of tinybench's tasks, of versions 2 to 6. Version 6 keeps samples only with
// the option retainSamples, and its tasks are empty in JSON unless a program copies them.
var Tinybench = reading.Format{
	Name:        "tinybench",
	Description: "JSON of tinybench's tasks (samples with the option retainSamples), or of its table",
	Tool:        "JSON.stringify(bench.tasks.map(t => ({name: t.name, ...t.result}))), or bench.table()",
	Yields:      reading.Either,
	Shape:       []string{"[].name:string", "[].result.latency.mean:number"},
	Detect:      isTinybench,
	Read: func(r io.Reader, fileName string, emit func(benchfmt.Record) error) error {
		return reading.ReadJSON(r, fileName, emit, func(d *reading.Document) error {
			return d.Array(func() error { return readTask(d) })
		})
	},
}

// tinybenchShapes are the shapes of tasks, of results, and of the rows of the table, by version.
var tinybenchShapes = [][]string{
	{"[].result.latency.mean:number"},
	{"[].result.period:number"},
	{"[].latency.mean:number", "[].latency.rme:number"},
	{"[].period:number", "[].rme:number"},
	{"[].Task name:string", "[].Samples:number"},
	{"[].Task Name:string", "[].Average Time (ns):number"},
}

func isTinybench(h *reading.Head) bool { return slices.ContainsFunc(tinybenchShapes, h.HasAll) }

// A task is an element of the list.
type task struct {
	times
	name, state, failure string
	latency              bool // times are from the object latency, which repeats the older members
	margin               float64
	unit                 reading.Unit
}

func readTask(d *reading.Document) error {
	t := &task{times: newTimes(), margin: math.NaN(), unit: reading.UnitOf("ms")}
	if err := d.Object(func(key string) error { return t.member(d, key) }); err != nil {
		return err
	}
	row := reading.Row{Line: d.Line(), Name: t.name}
	switch {
	case t.name == "":
		return d.Bad(row.Line, "a task has no name: print bench.tasks.map(t => ({name: t.name, ...t.result}))")
	case t.failure != "" || t.state == "errored":
		return d.Fail(row.Line, t.name, "it failed: %s", t.failure)
	case t.none():
		return d.LeaveOut(row.Line, t.name, "it has no result: %s", t.state)
	case !math.IsNaN(t.margin): // a row of the table
		row.Values = []reading.Value{t.unit.Value(t.mean)}
		spread := reading.NoSpread()
		spread.N = t.n
		margin(&spread, row.Values[0].V, t.margin)
		return d.Summary(row, spread)
	}
	return t.emit(d.Sheet, row, t.unit)
}

// member reads a member of a task, or of its result.
func (t *task) member(d *reading.Document, key string) (err error) {
	switch key {
	case "name", "Task name", "Task Name":
		t.name, err = d.Text()
	case "state":
		t.state, err = d.Text()
	case "error", "Error":
		return t.failed(d)
	case "runtime", "runtimeVersion":
		var text string
		text, err = d.Text()
		d.Fact(map[string]string{"runtime": "runtime", "runtimeVersion": "runtime-version"}[key], text)
	case "result":
		if d.Next() != '{' {
			return d.Skip()
		}
		return d.Object(func(key string) error { return t.member(d, key) })
	case "latency":
		if d.Next() != '{' {
			return d.Skip()
		}
		t.times, t.latency = newTimes(), true
		return d.Object(func(key string) error { return t.figure(d, key) })
	case "samples", "mean", "sd", "samplesCount":
		if t.latency {
			return d.Skip()
		}
		return t.figure(d, key)
	default:
		return t.column(d, key)
	}
	return err
}

// failed reads the error of a task. An Error of JavaScript is an empty object in JSON.
func (t *task) failed(d *reading.Document) (err error) {
	switch d.Next() {
	case 'n', 'f':
		return d.Skip()
	case '"':
		t.failure, err = d.Text()
		return err
	}
	t.failure = "see the output of the program"
	return d.Skip()
}

func (t *task) figure(d *reading.Document, key string) (err error) {
	switch key {
	case "samples":
		return t.read(d.JSON)
	case "mean":
		t.mean, err = d.Number()
	case "sd":
		t.sd, err = d.Number()
	case "samplesCount":
		t.n, err = d.Count()
	default:
		return d.Skip()
	}
	return err
}

// column reads a column of the table, such as "Latency avg (ns)": "75819 ± 37.77%".
func (t *task) column(d *reading.Document, key string) error {
	title, unit, _ := strings.Cut(key, " (")
	isMean := title == "Latency avg" || title == "Latency average" || title == "Average Time"
	if !isMean && title != "Margin" && title != "Samples" {
		return d.Skip()
	}
	text, err := d.Text()
	if err != nil {
		return err
	}
	value, spread, _ := strings.Cut(text, "±")
	v, err := strconv.ParseFloat(strings.TrimSpace(value), 64)
	if err != nil {
		v = math.NaN()
	}
	if p, err := strconv.ParseFloat(strings.Trim(spread, " %"), 64); err == nil {
		t.margin = p
	}
	switch {
	case isMean:
		t.mean, t.unit = v, reading.UnitOf(strings.TrimSuffix(unit, ")"))
	case title == "Samples":
		t.n = reading.Count(v)
	}
	return nil
}
