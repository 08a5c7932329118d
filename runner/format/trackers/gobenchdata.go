package trackers

import (
	"cmp"
	"io"
	"math"
	"strings"
	"time"

	"golang.org/x/perf/benchfmt"

	"github.com/perftrack/perftrack/runner/format/reading"
	"github.com/perftrack/perftrack/runner/record"
)

// Gobenchdata is the history of gobenchdata: an array of runs of `go test -bench`, each with the
// commit as its version.
var Gobenchdata = reading.Format{
	Name:        "gobenchdata",
	Description: "history of gobenchdata: its benchmarks.json, a run for each commit",
	Tool:        "gobenchdata --json FILE, and its action",
	Yields:      reading.Samples,
	Shape:       []string{"[].Suites[].Benchmarks[].NsPerOp:number", "[].Suites[].Benchmarks[].Name:string"},
	Read:        readGobenchdata,
}

func readGobenchdata(r io.Reader, fileName string, emit func(benchfmt.Record) error) error {
	return reading.ReadJSON(r, fileName, emit, func(d *reading.Document) error {
		d.GoNames(true)
		if err := d.Ready(); err != nil {
			return err
		}
		g := &gobenchdata{history{Document: d}}
		return g.Array(g.run)
	})
}

type gobenchdata struct{ history }

// A goRun is an element of the history.
type goRun struct {
	line            int
	version, branch string
	date            float64 // in seconds
	suites          []goSuite
	counted         bool // memory: some benchmark has allocations, so zeros are counts too
}

type goSuite struct {
	goos, goarch, pkg string
	benchmarks        []goBenchmark
}

type goBenchmark struct {
	line                   int
	name                   string
	runs                   int
	nsPerOp, bytes, allocs float64
	mbPerSecond            float64
	custom                 []metric
}

func (g *gobenchdata) run() error {
	var run goRun
	g.held = 0
	err := g.Object(func(key string) (err error) {
		switch key {
		case "Version":
			run.version, err = g.Text()
			run.line = g.Line()
		case "Date":
			run.date, err = g.Number()
		case "Tags":
			return g.Array(func() error {
				tag, err := g.Text()
				if branch, ok := strings.CutPrefix(tag, "ref=refs/heads/"); ok {
					run.branch = branch
				}
				return err
			})
		case "Suites":
			return g.Array(func() error { return g.suite(&run) })
		default:
			return g.Skip()
		}
		return err
	})
	if err != nil {
		return err
	}
	if run.line == 0 {
		run.line = g.Line()
	}
	var when time.Time
	if run.date > 0 && run.date < math.MaxInt32*100.0 {
		when = time.Unix(int64(run.date), 0) // of the measurement, shortly after the commit
	}
	if ok, err := g.at(run.line, run.version, run.branch, when); !ok {
		return err
	}
	for _, s := range run.suites {
		g.Machine(s.goos, s.goarch, "", 0)
		for _, b := range s.benchmarks {
			if err := g.emit(&run, &s, &b); err != nil {
				return err
			}
		}
	}
	return nil
}

func (g *gobenchdata) suite(run *goRun) error {
	var s goSuite
	err := g.Object(func(key string) (err error) {
		switch key {
		case "Goos":
			s.goos, err = g.Text()
		case "Goarch":
			s.goarch, err = g.Text()
		case "Pkg":
			s.pkg, err = g.Text()
		case "Benchmarks":
			return g.Array(func() error { return g.benchmark(run, &s) })
		default:
			return g.Skip()
		}
		return err
	})
	run.suites = append(run.suites, s)
	return cmp.Or(err, g.hold(s.goos, s.goarch, s.pkg))
}

func (g *gobenchdata) benchmark(run *goRun, s *goSuite) error {
	var b goBenchmark
	err := g.Object(func(key string) (err error) {
		switch key {
		case "Name":
			b.name, err = g.Text()
		case "Runs":
			b.runs, err = g.Count()
		case "NsPerOp":
			b.nsPerOp, err = g.Number()
		case "Mem":
			return g.memory(&b)
		case "Custom":
			return g.Object(func(unit string) error {
				v, err := g.Number()
				b.custom = append(b.custom, metric{v, unit})
				return cmp.Or(err, g.hold(unit))
			})
		default:
			return g.Skip()
		}
		return err
	})
	if err != nil {
		return err
	}
	b.line = g.Line()
	run.counted = run.counted || b.bytes != 0 || b.allocs != 0
	s.benchmarks = append(s.benchmarks, b)
	return g.hold(b.name)
}

func (g *gobenchdata) memory(b *goBenchmark) error {
	return g.Object(func(key string) (err error) {
		switch key {
		case "BytesPerOp":
			b.bytes, err = g.Number()
		case "AllocsPerOp":
			b.allocs, err = g.Number()
		case "MBPerSec":
			b.mbPerSecond, err = g.Number()
		default:
			return g.Skip()
		}
		return err
	})
}

// emit emits a benchmark. A figure of 0 may be one that was not measured.
func (g *gobenchdata) emit(run *goRun, s *goSuite, b *goBenchmark) error {
	row := reading.Row{Line: b.line, Name: strings.TrimPrefix(b.name, "Benchmark"), Package: s.pkg, Iters: b.runs}
	add := func(v float64, unit string, known bool) {
		if known {
			row.Values = append(row.Values, reading.Value{V: v, Unit: unit})
		}
	}
	measured := run.counted || len(b.custom) > 0 || b.mbPerSecond != 0
	add(b.nsPerOp, "ns/op", b.nsPerOp != 0 || !measured)
	add(b.mbPerSecond, "MB/s", b.mbPerSecond != 0)
	add(b.bytes, "B/op", run.counted)
	add(b.allocs, "allocs/op", run.counted)
	for _, m := range b.custom {
		unit := reading.UnitOf(m.unit).Go
		add(m.value, unit, unit != "" && len(row.Values) < record.MaxUnits)
	}
	return g.row(row, reading.NoSpread(), false)
}
