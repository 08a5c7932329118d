package dynamic

import (
	"io"
	"math"
	"strings"

	"golang.org/x/perf/benchfmt"

	"github.com/perftrack/perftrack/runner/format/reading"
)

// Julia is the JSON of Julia's BenchmarkTools. A trial has samples. An estimate is a single value, and
// the file does not say of what: the minimum, the median or the mean.
var Julia = reading.Format{
	Name:        "benchmarktools",
	Description: "JSON of Julia's BenchmarkTools: times, memory and allocations",
	Tool:        "BenchmarkTools.save(FILE, results)",
	Yields:      reading.Samples,
	Shape:       []string{"[].Julia:string", "[].BenchmarkTools", "[][][]:object"},
	Read: func(r io.Reader, fileName string, emit func(benchfmt.Record) error) error {
		return reading.ReadJSON(r, fileName, emit, func(d *reading.Document) error {
			j := &julia{Document: d}
			return d.Array(func() error { // the versions, then the saved values
				if d.Next() == '[' {
					return d.Array(func() error { return j.value("", 0) })
				}
				return d.Object(j.version)
			})
		})
	},
}

type julia struct{ *reading.Document }

func (j *julia) version(key string) error {
	if key != "Julia" || j.Next() != '"' {
		return j.Skip()
	}
	text, err := j.Text()
	j.Fact("julia-version", text)
	return err
}

// maxGroups is the depth of nested groups.
const maxGroups = 64

// value reads a value of BenchmarkTools: an array of its type and its fields. A group has further
// values under their names.
func (j *julia) value(name string, depth int) error {
	if depth > maxGroups {
		return j.Errorf("groups are nested more than %d deep", maxGroups)
	}
	kind := ""
	return j.Array(func() (err error) {
		switch next := j.Next(); {
		case next == '"' && kind == "":
			kind, err = j.Text()
			kind = strings.TrimPrefix(kind, "BenchmarkTools.") // of older versions
			return err
		case next != '{':
			return j.Skip()
		case kind == "BenchmarkGroup":
			return j.group(name, depth)
		case kind == "Trial" || kind == "TrialEstimate":
			return j.trial(name)
		}
		return j.Skip()
	})
}

func (j *julia) group(name string, depth int) error {
	return j.Object(func(key string) error {
		if key != "data" {
			return j.Skip()
		}
		return j.Object(func(key string) error {
			if name != "" {
				key = name + "/" + key
			}
			return j.value(key, depth+1)
		})
	})
}

// trial reads a trial or an estimate. Its times are nanoseconds of one evaluation.
func (j *julia) trial(name string) error {
	var series reading.Series
	estimate, memory, allocs, evals, others := math.NaN(), math.NaN(), math.NaN(), 1.0, 0
	err := j.Object(func(key string) (err error) {
		switch key {
		case "times":
			others, err = j.Numbers(&series)
		case "time":
			estimate, err = j.Number()
		case "memory":
			memory, err = j.Number()
		case "allocs":
			allocs, err = j.Number()
		case "params":
			return j.Array(func() error {
				if j.Next() != '{' {
					return j.Skip()
				}
				return j.Object(func(key string) (err error) {
					if key != "evals" {
						return j.Skip()
					}
					evals, err = j.Number()
					return err
				})
			})
		default:
			return j.Skip()
		}
		return err
	})
	if err != nil {
		return err
	}
	row := reading.Row{Line: j.Line(), Name: name, Iters: reading.Count(evals)}
	if !math.IsNaN(memory) {
		row.Values = append(row.Values, reading.Value{V: memory, Unit: "B/op", From: "bytes"})
	}
	if !math.IsNaN(allocs) {
		row.Values = append(row.Values, reading.Value{V: allocs, Unit: "allocs/op"})
	}
	unit := reading.UnitOf("ns")
	switch {
	case name == "":
		return j.Bad(row.Line, "a trial has no name: save a BenchmarkGroup")
	case others > 0:
		return j.Bad(row.Line, "%s has times that are no numbers", name)
	case series.N > 0:
		return j.Samples(row, unit, &series)
	case math.IsNaN(estimate):
		return j.LeaveOut(row.Line, name, "it has no times")
	}
	row.Values = append([]reading.Value{unit.Value(estimate)}, row.Values...)
	return j.Result(row)
}
