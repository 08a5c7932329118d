package trackers

import (
	"bufio"
	"fmt"
	"io"
	"math"
	"strconv"

	"golang.org/x/perf/benchfmt"

	"github.com/perftrack/perftrack/runner/format/bounds"
	"github.com/perftrack/perftrack/runner/format/reading"
)

// The custom JSON of github-action-benchmark. The file does not say whether higher values are better.
// The two forced formats do, like the tools customSmallerIsBetter and customBiggerIsBetter.
var (
	Custom        = custom("github-action-benchmark", "custom JSON of github-action-benchmark: any unit, perhaps with a range", "")
	CustomSmaller = custom("github-action-benchmark-smaller", "the same file, in which smaller values are better", "lower")
	CustomBigger  = custom("github-action-benchmark-bigger", "the same file, in which bigger values are better", "higher")
)

func custom(name, description, better string) reading.Format {
	return reading.Format{
		Name:        name,
		Description: description,
		Tool:        "any program for github-action-benchmark",
		Yields:      reading.Either,
		Shape:       []string{"[].name:string", "[].unit:string", "[].value"},
		Forced:      better != "",
		Read: func(r io.Reader, fileName string, emit func(benchfmt.Record) error) error {
			in := bufio.NewReader(r)
			if text, _ := in.Peek(256); assigned(text) > 0 { // an error comes again
				return fmt.Errorf("%s:1: this is data.js, not an array: name the format %s", fileName, GitHubActionData.Name)
			}
			return reading.ReadJSON(in, fileName, emit, func(d *reading.Document) error {
				if d.Next() == '{' {
					return d.Errorf("expected an array, found an object: for the history, data.js, name the format %s", GitHubActionData.Name)
				}
				return d.Array(func() error { return readCustom(d, better) })
			})
		},
	}
}

func readCustom(d *reading.Document, better string) error {
	var name, unit, value, within string
	err := d.Object(func(key string) (err error) {
		switch key {
		case "name":
			name, err = d.Text()
		case "unit":
			unit, err = d.Text()
		case "value":
			value, err = d.Text()
		case "range":
			within, err = d.Text()
		default:
			return d.Skip()
		}
		return err
	})
	if err != nil {
		return err
	}
	line := d.Line()
	if value == "" {
		return d.Bad(line, "%s has no value", bounds.Quote(name))
	}
	v, err := strconv.ParseFloat(value, 64)
	if err != nil || math.IsNaN(v) {
		return d.Bad(line, "%s has the value %s: not a number", bounds.Quote(name), bounds.Quote(value))
	}
	u := reading.UnitOf(unit)
	if u.Go == "" {
		return d.Bad(line, "%s has no unit", bounds.Quote(name))
	}
	if better != "" {
		if err := d.Declare(u.Go, better); err != nil {
			return err
		}
	}
	row := reading.Row{Line: line, Name: name, Values: []reading.Value{u.Value(v)}}
	if within == "" {
		return d.Result(row)
	}
	return d.Summary(row, spreadOf(within, v, u))
}
