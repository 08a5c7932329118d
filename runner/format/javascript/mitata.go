package javascript

import (
	"io"
	"math"
	"slices"
	"strings"

	"golang.org/x/perf/benchfmt"

	"github.com/perftrack/perftrack/runner/format/reading"
)

// Mitata is the JSON of mitata. It has no samples with the option {json: {samples: false}}.
var Mitata = reading.Format{
	Name:        "mitata",
	Description: "JSON of mitata: times, for each set of arguments",
	Tool:        "run({format: 'json'})",
	Yields:      reading.Either,
	Shape:       []string{"layout[].types:array", "benchmarks[].runs:array"},
	Read: func(r io.Reader, fileName string, emit func(benchfmt.Record) error) error {
		return reading.ReadJSON(r, fileName, emit, func(d *reading.Document) error {
			m := &mitata{Document: d}
			return m.Object(func(key string) error {
				switch key {
				case "layout":
					return m.Array(m.group)
				case "benchmarks":
					return m.Array(m.benchmark)
				case "context":
					return m.context()
				}
				return m.Skip()
			})
		})
	},
}

type mitata struct {
	*reading.Document
	groups []string // names of groups, "" for a benchmark outside of any
}

// Limits on what is kept in memory: groups of a file, and runs of a benchmark, whose name follows them.
const (
	maxGroups = 10_000
	maxRuns   = 2000
)

func (m *mitata) group() error {
	var name string
	err := m.Object(only(m.Document, "name", func() (err error) {
		name, err = m.Text()
		return err
	}))
	if len(m.groups) < maxGroups {
		m.groups = append(m.groups, name)
	}
	return err
}

// A mitataRun is a benchmark with one set of arguments.
type mitataRun struct {
	times
	line          int
	name, failure string
	failed        bool
	args          []argument
	low, high     float64
}

type argument struct{ name, value string }

func (m *mitata) benchmark() error {
	var runs []mitataRun
	var alias string
	group := math.NaN()
	err := m.Object(func(key string) (err error) {
		switch key {
		case "alias":
			alias, err = m.Text()
		case "group":
			group, err = m.Number()
		case "runs":
			return m.Array(func() error {
				if len(runs) == maxRuns {
					return m.Errorf("a benchmark has more than %d runs", maxRuns)
				}
				run, err := m.run()
				runs = append(runs, run)
				return err
			})
		default:
			return m.Skip()
		}
		return err
	})
	if err != nil {
		return err
	}
	prefix := ""
	if i := reading.Count(group); i < len(m.groups) && m.groups[i] != "" {
		prefix = m.groups[i] + "/"
	}
	for i := range runs {
		if err := m.emit(&runs[i], prefix, alias); err != nil {
			return err
		}
	}
	return nil
}

// emit emits a run. Its name has the arguments that the alias mentions; the others are appended.
func (m *mitata) emit(run *mitataRun, prefix, alias string) error {
	row := reading.Row{Line: run.line, Name: prefix + run.name}
	slices.SortFunc(run.args, func(a, b argument) int { return strings.Compare(a.name, b.name) })
	for _, a := range run.args {
		if !strings.Contains(alias, "$"+a.name) {
			row.Name += "/" + a.name + "=" + a.value
		}
	}
	unit := reading.UnitOf("ns")
	switch {
	case run.failed:
		return m.Fail(row.Line, row.Name, "it failed: %s", run.failure)
	case run.none():
		return m.LeaveOut(row.Line, row.Name, "it has no result")
	case run.samples.N == 0:
		row.Values = []reading.Value{unit.Value(run.mean)}
		return m.Summary(row, reading.Spread{SD: math.NaN(), Low: run.low, High: run.high})
	}
	return run.times.emit(m.Sheet, row, unit)
}

func (m *mitata) run() (mitataRun, error) {
	run := mitataRun{times: newTimes(), low: math.NaN(), high: math.NaN()}
	err := m.Object(func(key string) (err error) {
		switch key {
		case "name":
			run.name, err = m.Text()
		case "error":
			run.failed = m.Next() != 'n'
			if m.Next() != '{' {
				return m.Skip()
			}
			return m.Object(only(m.Document, "message", func() (err error) {
				run.failure, err = m.Text()
				return err
			}))
		case "args":
			return m.arguments(&run)
		case "stats":
			return m.Object(func(key string) error { return m.figure(&run, key) })
		default:
			return m.Skip()
		}
		return err
	})
	run.line = m.Line()
	return run, err
}

// maxArguments is the number of arguments that a name can have.
const maxArguments = 32

func (m *mitata) arguments(run *mitataRun) error {
	return m.Object(func(key string) error {
		if next := m.Next(); next == '{' || next == '[' || len(run.args) == maxArguments {
			return m.Skip()
		}
		value, err := m.Text()
		run.args = append(run.args, argument{key, value})
		return err
	})
}

func (m *mitata) figure(run *mitataRun, key string) (err error) {
	switch key {
	case "samples":
		return run.read(m.JSON)
	case "avg":
		run.mean, err = m.Number()
	case "min":
		run.low, err = m.Number()
	case "max":
		run.high, err = m.Number()
	default:
		return m.Skip()
	}
	return err
}

// context reads the facts about the machine.
func (m *mitata) context() error {
	var arch, cpu string
	err := m.Object(func(key string) (err error) {
		text := ""
		switch key {
		case "arch":
			arch, err = m.Text()
		case "runtime":
			text, err = m.Text()
			m.Fact("runtime", text)
		case "version":
			text, err = m.Text()
			m.Fact("runtime-version", text)
		case "cpu":
			return m.Object(only(m.Document, "name", func() (err error) {
				cpu, err = m.Text()
				return err
			}))
		default:
			return m.Skip()
		}
		return err
	})
	machine, system, _ := strings.Cut(arch, "-")
	m.Machine(system, machine, cpu, 0)
	return err
}
