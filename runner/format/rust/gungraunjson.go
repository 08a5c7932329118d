package rust

import (
	"io"
	"math"

	"golang.org/x/perf/benchfmt"

	"github.com/perftrack/perftrack/runner/format/reading"
	"github.com/perftrack/perftrack/runner/record"
)

func isGungraunJSON(h *reading.Head) bool {
	return h.Has("module_path:string") && h.Has("function_name:string") && h.Has("package_dir:string")
}

// readGungraunJSON reads one document for each benchmark.
func readGungraunJSON(r io.Reader, fileName string, emit func(benchfmt.Record) error) error {
	return readDocuments(r, fileName, emit, func(d *reading.Document) error {
		g := &gungraunJSON{Document: d}
		return g.benchmark()
	})
}

type gungraunJSON struct {
	*reading.Document
	gungraunFigures
}

func (g *gungraunJSON) benchmark() error {
	var module, id, details string
	profiles := false
	err := g.Object(func(key string) (err error) {
		switch key {
		case "module_path":
			module, err = g.Text()
		case "id":
			id, err = g.Text()
		case "details":
			details, err = g.Text()
		case "profiles":
			profiles = true
			err = g.Array(g.profile)
		default:
			err = g.Skip()
		}
		return err
	})
	if err != nil || module == "" && !profiles {
		return err // another document, such as a message of cargo
	}
	g.row.Line, g.row.Name = g.Line(), module // as in the text: MODULE ID:DETAILS
	if id != "" {
		g.row.Name += " " + id
	}
	if details != "" && id != "" {
		g.row.Name += ":" + details
	}
	if len(g.row.Values) == 0 {
		return g.LeaveOut(g.row.Line, g.row.Name, "it has no figures of a known tool")
	}
	return g.emit(g.Sheet)
}

// profile reads the figures of one tool.
func (g *gungraunJSON) profile() error {
	tool := ""
	var figures []figure
	err := g.Object(func(key string) (err error) {
		switch key {
		case "tool":
			tool, err = g.Text()
		case "summaries":
			err = g.Object(func(key string) error {
				if key != "total" {
					return g.Skip()
				}
				return g.Object(func(key string) error {
					if key != "summary" || g.Next() != '{' {
						return g.Skip()
					}
					return g.Object(func(string) error { return g.metrics(&figures) })
				})
			})
		default:
			err = g.Skip()
		}
		return err
	})
	g.begin(tool)
	for _, f := range figures {
		if err == nil && !g.add(f.unit, f.v) {
			err = g.Bad(g.Line(), "a second figure in %s", f.unit)
		}
	}
	return err
}

type figure struct {
	unit string
	v    float64
}

// metrics reads the figures of a kind of tool.
func (g *gungraunJSON) metrics(figures *[]figure) error {
	return g.Object(func(name string) error {
		v := math.NaN()
		err := g.Object(func(key string) (err error) {
			if key != "metrics" {
				return g.Skip()
			}
			v, err = g.sides()
			return err
		})
		if err != nil || math.IsNaN(v) {
			return err
		}
		if len(*figures)+len(g.row.Values) == record.MaxUnits {
			return g.Errorf("more than %d figures, the limit for one benchmark", record.MaxUnits)
		}
		*figures = append(*figures, figure{gungraunUnit(name), v})
		return nil
	})
}

// sides returns the value of this run: {"Left": NEW}, or {"Both": [NEW, OLD]}. It is NaN if only an
// earlier run has it.
func (g *gungraunJSON) sides() (v float64, err error) {
	v = math.NaN()
	read := func() error {
		if !math.IsNaN(v) {
			return g.Skip()
		}
		return g.Object(func(string) error { // Int or Float
			v, err = g.Number()
			return err
		})
	}
	err = g.Object(func(key string) error {
		switch key {
		case "Left":
			return read()
		case "Both":
			return g.Array(read)
		}
		return g.Skip()
	})
	return v, err
}
