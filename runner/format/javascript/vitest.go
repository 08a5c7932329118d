package javascript

import (
	"io"

	"golang.org/x/perf/benchfmt"

	"github.com/perftrack/perftrack/runner/format/reading"
)

// Vitest is the JSON of Vitest's benchmark mode. Vitest itself leaves the samples out, even with the
// option benchmark.includeSamples; a reporter of the project's own may write them.
var Vitest = reading.Format{
	Name:        "vitest",
	Description: "JSON of Vitest's benchmarks: times",
	Tool:        "vitest bench --run --outputJson FILE",
	Yields:      reading.Summaries,
	Shape:       []string{"files[].groups[].fullName:string", "files[].groups[].benchmarks[].name:string"},
	Read: func(r io.Reader, fileName string, emit func(benchfmt.Record) error) error {
		return reading.ReadJSON(r, fileName, emit, func(d *reading.Document) error {
			return d.Object(only(d, "files", func() error {
				return d.Array(func() error {
					return d.Object(only(d, "groups", func() error {
						return d.Array(func() error { return readGroup(d) })
					}))
				})
			}))
		})
	},
}

// only returns a function that reads the member called name with read, and skips the others.
func only(d *reading.Document, name string, read func() error) func(key string) error {
	return func(key string) error {
		if key == name {
			return read()
		}
		return d.Skip()
	}
}

// readGroup reads the benchmarks of a file or of a describe block. The name of the group, such as
// "math.bench.ts > sort", has a path within the project. Benchmarks before it wait for it.
func readGroup(d *reading.Document) error {
	group, named := "", false
	var early reading.Held
	err := d.Object(func(key string) (err error) {
		switch key {
		case "fullName":
			group, err = d.Text()
			named = true
			return err
		case "benchmarks":
			return d.Array(func() error {
				if !named {
					return d.Hold(&early, "")
				}
				return readVitest(d, group)
			})
		}
		return d.Skip()
	})
	if err != nil {
		return err
	}
	return early.Each(d.FileName(), func(j *reading.JSON, _ string) error {
		return readVitest(&reading.Document{JSON: j, Sheet: d.Sheet}, group)
	})
}

func readVitest(d *reading.Document, group string) error {
	name, t := "", newTimes()
	err := d.Object(func(key string) (err error) {
		switch key {
		case "name":
			name, err = d.Text()
		case "samples":
			return t.read(d.JSON)
		case "mean":
			t.mean, err = d.Number()
		case "sd":
			t.sd, err = d.Number()
		case "sampleCount":
			t.n, err = d.Count()
		default:
			return d.Skip()
		}
		return err
	})
	if err != nil {
		return err
	}
	row := reading.Row{Line: d.Line(), Name: name}
	if group != "" && name != "" {
		row.Name = group + " > " + name
	}
	if t.none() {
		return d.LeaveOut(row.Line, row.Name, "it has no result: it failed or was skipped")
	}
	return t.emit(d.Sheet, row, reading.UnitOf("ms"))
}
