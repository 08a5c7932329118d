package tools

import (
	"io"
	"math"
	"strconv"

	"golang.org/x/perf/benchfmt"

	"github.com/perftrack/perftrack/runner/format/reading"
)

// Hyperfine is the JSON that hyperfine exports. Each run of a command is a sample.
var Hyperfine = reading.Format{
	Name:        "hyperfine",
	Description: "JSON of hyperfine: the time of each run, user and system time, memory",
	Tool:        "hyperfine --export-json FILE",
	Yields:      reading.Either,
	Shape:       []string{"results[].command:string", "results[].user", "results[].system", "results[].median"},
	Read:        readHyperfine,
}

func readHyperfine(r io.Reader, fileName string, emit func(benchfmt.Record) error) error {
	return reading.ReadJSON(r, fileName, emit, func(d *reading.Document) error {
		h := &hyperfine{Document: d}
		if err := h.Ready(); err != nil { // the file has no facts
			return err
		}
		return h.Object(func(key string) error {
			if key == "results" {
				return h.Array(h.result)
			}
			return h.Skip()
		})
	})
}

// A hyperfine reads one command at a time.
type hyperfine struct {
	*reading.Document
	c hyperfineCommand
}

type hyperfineCommand struct {
	line                      int
	command, params           string
	mean, median, sd          float64 // in seconds, as all times
	user, system              float64 // means
	times, memory             reading.Series
	otherTimes, otherMemories int    // elements that are no numbers
	failed                    string // how the first run that failed ended
}

func (h *hyperfine) result() error {
	unknown := math.NaN()
	c := &h.c
	*c = hyperfineCommand{mean: unknown, median: unknown, sd: unknown, user: unknown, system: unknown, times: c.times, memory: c.memory}
	c.times.Reset()
	c.memory.Reset()
	if err := h.Object(h.member); err != nil {
		return err
	}
	c.line = h.Line()
	if c.failed != "" {
		return h.Fail(c.line, c.command, "a run ended %s: if that is expected, measure `COMMAND || true`", c.failed)
	}
	return h.emit()
}

func (h *hyperfine) member(key string) (err error) {
	c := &h.c
	switch key {
	case "command":
		c.command, err = h.Text()
	case "mean":
		c.mean, err = h.Number()
	case "median":
		c.median, err = h.Number()
	case "stddev":
		c.sd, err = h.Number()
	case "user":
		c.user, err = h.Number()
	case "system":
		c.system, err = h.Number()
	case "times":
		c.otherTimes, err = h.Numbers(&c.times)
	case "memory_usage_byte":
		c.otherMemories, err = h.Numbers(&c.memory)
	case "exit_codes":
		err = h.Array(h.exitCode)
	case "parameters":
		err = h.Object(func(key string) error {
			value, err := h.Text()
			if len(c.params) < maxParams {
				c.params += reading.Param(key, value)
			}
			return err
		})
	default:
		err = h.Skip()
	}
	return err
}

// maxParams is the length from which parameters are no longer added to a name, which is then too long.
const maxParams = 64 << 10

// exitCode notes a run that failed, which hyperfine accepts with --ignore-failure. A failing command
// often ends early, so its times would look like an improvement. A run that a signal ended has null.
func (h *hyperfine) exitCode() error {
	if h.Next() != '0' {
		if h.c.failed == "" {
			h.c.failed = "by a signal"
		}
		return h.Skip()
	}
	code, err := h.Number()
	if code != 0 && h.c.failed == "" {
		h.c.failed = "with exit code " + strconv.FormatFloat(code, 'f', -1, 64)
	}
	return err
}

// emit emits the runs of a command. The times in user and system mode are means of all runs.
func (h *hyperfine) emit() error {
	c := &h.c
	unit := reading.UnitOf("s")
	row := reading.Row{Line: c.line, Name: c.command + c.params}
	for _, more := range []reading.Value{{V: unit.Value(c.user).V, Unit: "user-ns/op"}, {V: unit.Value(c.system).V, Unit: "system-ns/op"}} {
		if math.IsNaN(more.V) {
			continue
		}
		row.Values = append(row.Values, more)
		if err := h.Declare(more.Unit, "lower"); err != nil {
			return err
		}
	}
	if c.times.N == 0 || c.otherTimes > 0 {
		row.Values = append([]reading.Value{unit.Value(c.mean)}, row.Values...)
		spread := reading.NoSpread()
		spread.SD, spread.N = unit.Value(c.sd).V, c.times.N+c.otherTimes
		return h.Summary(row, spread)
	}
	if c.otherMemories > 0 || c.memory.N != c.times.N || c.times.Batch > 1 {
		return h.Samples(row, unit, &c.times)
	}
	if err := h.Declare("peak-B", "lower"); err != nil {
		return err
	}
	means := row.Values
	for i, v := range c.times.Values {
		row.Values = append([]reading.Value{unit.Value(v), {V: c.memory.Values[i], Unit: "peak-B"}}, means...)
		if err := h.Result(row); err != nil {
			return err
		}
		means = nil // as in Samples
	}
	return nil
}
