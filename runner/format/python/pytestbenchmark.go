package python

import (
	"cmp"
	"io"
	"math"
	"time"

	"golang.org/x/perf/benchfmt"

	"github.com/perftrack/perftrack/runner/format/reading"
)

// PytestBenchmark is the JSON of pytest-benchmark. Each round is a sample if the file has them all,
// which takes the option --benchmark-save-data or --benchmark-json. Otherwise a benchmark is a summary.
var PytestBenchmark = reading.Format{
	Name:        "pytest-benchmark",
	Description: "JSON of pytest-benchmark: the time of each round, commit, machine",
	Tool:        "pytest --benchmark-json=FILE, or --benchmark-autosave --benchmark-save-data",
	Yields:      reading.Either,
	Shape:       []string{"machine_info:object", "benchmarks[].fullname:string", "benchmarks[].stats.rounds:number"},
	Read:        readPytestBenchmark,
}

func readPytestBenchmark(r io.Reader, fileName string, emit func(benchfmt.Record) error) error {
	return reading.ReadJSON(r, fileName, emit, func(d *reading.Document) error {
		p := &pytest{Document: d}
		return p.Object(func(key string) error {
			switch key {
			case "machine_info":
				p.facts++
				return p.machine()
			case "commit_info":
				p.facts++
				return p.commit()
			case "benchmarks":
				if p.facts == 2 {
					if err := p.Ready(); err != nil {
						return err
					}
				}
				return p.Array(p.benchmark)
			}
			return p.Skip()
		})
	})
}

type pytest struct {
	*reading.Document
	facts int // parts of the file with facts, of two, that have been read
	data  reading.Series
}

func (p *pytest) machine() error {
	var m struct {
		Node    string `json:"node"`
		Machine string `json:"machine"`
		System  string `json:"system"`
		Kernel  string `json:"release"`
		Python  string `json:"python_version"`
		Kind    string `json:"python_implementation"`
		CPU     cpu    `json:"cpu"`
	}
	if err := p.Into(&m); err != nil {
		return err
	}
	p.Machine(m.System, m.Machine, cmp.Or(m.CPU.Brand, m.CPU.BrandRaw), reading.Count(m.CPU.Count))
	p.Fact("host", m.Node)
	p.Fact("kernel", m.Kernel)
	p.Fact("python-version", m.Python)
	p.Fact("python-implementation", m.Kind)
	return nil
}

// A cpu is the result of py-cpuinfo, whose newer versions write brand_raw.
type cpu struct {
	Brand    string  `json:"brand"`
	BrandRaw string  `json:"brand_raw"`
	Count    float64 `json:"count"`
}

// commit keeps the commit. Results of a modified work tree are not those of its commit.
func (p *pytest) commit() error {
	var c struct {
		ID     string `json:"id"`
		Time   string `json:"time"`
		Branch string `json:"branch"`
		Dirty  bool   `json:"dirty"`
	}
	if err := p.Into(&c); err != nil {
		return err
	}
	if c.Dirty {
		p.Fact("dirty-commit", c.ID)
		return nil
	}
	if c.Branch == "(detached head)" || c.Branch == "(unknown)" {
		c.Branch = ""
	}
	at, _ := time.Parse(time.RFC3339, c.Time) // without a time, the commit itself is still known
	p.Commit(c.ID, c.Branch, at)
	return nil
}

// roundStats are the statistics of a benchmark, in seconds for one iteration.
type roundStats struct {
	mean, sd, rounds, iterations float64
	complete                     bool // the data has numbers only
}

func (p *pytest) benchmark() error {
	var name, fullName string
	var found bool
	stats := roundStats{mean: math.NaN(), sd: math.NaN()}
	p.data.Reset()
	err := p.Object(func(key string) (err error) {
		switch key {
		case "name":
			name, err = p.Text()
		case "fullname":
			fullName, err = p.Text()
		case "stats":
			found = p.Next() == '{'
			err = p.Object(func(key string) error { return p.stat(&stats, key) })
		default:
			err = p.Skip()
		}
		return err
	})
	if err != nil {
		return err
	}
	row := reading.Row{Line: p.Line(), Name: cmp.Or(fullName, name), Iters: reading.Count(stats.iterations)}
	seconds := reading.UnitOf("s")
	switch {
	case !found:
		return p.LeaveOut(row.Line, row.Name, "it has no statistics")
	case stats.complete && p.data.N > 0 && float64(p.data.N) == stats.rounds:
		return p.Samples(row, seconds, &p.data)
	case math.IsNaN(stats.mean):
		return p.LeaveOut(row.Line, row.Name, "it has no mean")
	}
	row.Values = []reading.Value{seconds.Value(stats.mean)}
	spread := reading.NoSpread()
	spread.SD = seconds.Value(stats.sd).V
	spread.N = reading.Count(stats.rounds)
	return p.Summary(row, spread)
}

func (p *pytest) stat(s *roundStats, key string) (err error) {
	switch key {
	case "mean":
		s.mean, err = p.Number()
	case "stddev":
		s.sd, err = p.Number()
	case "rounds":
		s.rounds, err = p.Number()
	case "iterations":
		s.iterations, err = p.Number()
	case "data":
		var others int
		others, err = p.Numbers(&p.data)
		s.complete = others == 0
	default:
		err = p.Skip()
	}
	return err
}
