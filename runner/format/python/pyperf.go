package python

import (
	"cmp"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"golang.org/x/perf/benchfmt"

	"github.com/perftrack/perftrack/runner/format/bounds"
	"github.com/perftrack/perftrack/runner/format/reading"
)

// Pyperf is the JSON of pyperf and pyperformance. Each value of a worker process is a sample.
var Pyperf = reading.Format{
	Name:        "pyperf",
	Description: "JSON of pyperf and pyperformance: the values of all processes, without warmups",
	Tool:        "python -m pyperf ... -o FILE, pyperformance run -o FILE",
	Yields:      reading.Samples,
	Shape:       []string{"benchmarks[].runs[].values[]:number"},
	Read:        readPyperf,
}

func readPyperf(r io.Reader, fileName string, emit func(benchfmt.Record) error) error {
	return reading.ReadJSON(r, fileName, emit, func(d *reading.Document) error {
		p := &pyperf{Document: d}
		err := p.Object(func(key string) error {
			switch key {
			case "metadata":
				return p.metadata(&p.suite)
			case "benchmarks":
				return p.Array(p.benchmark)
			}
			return p.Skip()
		})
		if err != nil {
			return err
		}
		return p.finish()
	})
}

// A pyperf suite keeps all values until its end, because the metadata that its benchmarks have in
// common follow them: the unit, the loops, and even the name if there is just one benchmark.
type pyperf struct {
	*reading.Document
	suite      pyperfMetadata
	benchmarks []pyperfBenchmark
	values     int
}

type pyperfBenchmark struct {
	line   int
	meta   pyperfMetadata
	series reading.Series
}

// pyperfMetadata belong to a suite, a benchmark, or a run of one. The facts are set for a suite only.
type pyperfMetadata struct {
	name, unit, commit, branch, commitTime string
	loops, innerLoops                      float64
	facts                                  map[string]string
}

// pyperfFacts are the keys of metadata that are kept, other than those about the machine.
var pyperfFacts = map[string]string{
	"hostname": "host", "python_version": "python-version", "python_implementation": "python-implementation",
	"perf_version": "pyperf-version", "performance_version": "pyperformance-version", "timer": "timer",
}

func (p *pyperf) metadata(m *pyperfMetadata) error {
	return p.Object(func(key string) (err error) {
		switch key {
		case "name":
			m.name, err = p.Text()
		case "unit":
			m.unit, err = p.Text()
		case "commit_id":
			m.commit, err = p.Text()
		case "commit_branch":
			m.branch, err = p.Text()
		case "commit_date":
			m.commitTime, err = p.Text()
		case "loops":
			m.loops, err = p.Number()
		case "inner_loops":
			m.innerLoops, err = p.Number()
		case "platform", "cpu_model_name", "cpu_count":
			err = p.fact(m, key)
		default:
			if pyperfFacts[key] == "" {
				return p.Skip()
			}
			err = p.fact(m, key)
		}
		return err
	})
}

func (p *pyperf) fact(m *pyperfMetadata, key string) error {
	text, err := p.Text()
	if m == &p.suite {
		if m.facts == nil {
			m.facts = map[string]string{}
		}
		m.facts[key] = text
	}
	return err
}

func (p *pyperf) benchmark() error {
	var b pyperfBenchmark
	err := p.Object(func(key string) error {
		switch key {
		case "metadata":
			return p.metadata(&b.meta)
		case "runs":
			return p.Array(func() error { return p.run(&b) })
		}
		return p.Skip()
	})
	if err != nil {
		return err
	}
	b.line = p.Line()
	if p.values += 1 + len(b.series.Values); p.values > bounds.MaxValues { // a benchmark alone has at most MaxSeries
		return p.Errorf("the suite has more than %d values, the limit", bounds.MaxValues)
	}
	p.benchmarks = append(p.benchmarks, b)
	return nil
}

// run adds the values of a process. The first process only finds the number of loops, and has none.
func (p *pyperf) run(b *pyperfBenchmark) error {
	var m pyperfMetadata
	n := b.series.N
	err := p.Object(func(key string) error {
		switch key {
		case "metadata":
			return p.metadata(&m)
		case "values":
			others, err := p.Numbers(&b.series)
			if err == nil && others > 0 {
				return p.Errorf("%d of the values are no numbers", others)
			}
			return err
		}
		return p.Skip()
	})
	if b.series.N > n {
		b.meta.name = cmp.Or(b.meta.name, m.name)
		b.meta.unit = cmp.Or(b.meta.unit, m.unit)
		b.meta.loops = cmp.Or(b.meta.loops, m.loops)
		b.meta.innerLoops = cmp.Or(b.meta.innerLoops, m.innerLoops)
	}
	return err
}

// finish emits the benchmarks with the metadata of the suite.
func (p *pyperf) finish() error {
	p.machine()
	if err := p.Ready(); err != nil {
		return err
	}
	for i := range p.benchmarks {
		b := &p.benchmarks[i]
		name := cmp.Or(b.meta.name, p.suite.name)
		if b.series.N == 0 {
			if err := p.LeaveOut(b.line, name, "it has no values"); err != nil {
				return err
			}
			continue
		}
		loops := cmp.Or(b.meta.loops, p.suite.loops, 1) * cmp.Or(b.meta.innerLoops, p.suite.innerLoops, 1)
		unit := reading.UnitOf(cmp.Or(b.meta.unit, p.suite.unit, "second"))
		if unit.Go == "B" { // the peak memory of a process
			if err := p.Declare(unit.Go, "lower"); err != nil {
				return err
			}
		}
		row := reading.Row{Line: b.line, Name: name, Iters: reading.Count(loops)}
		if err := p.Samples(row, unit, &b.series); err != nil {
			return err
		}
	}
	return nil
}

// machine sets the facts of the suite. A platform reads Linux-6.1.0-x86_64-with-glibc2.36.
func (p *pyperf) machine() {
	m := p.suite
	system, rest, _ := strings.Cut(m.facts["platform"], "-")
	arch := ""
	for _, known := range []string{"x86_64", "aarch64", "arm64", "AMD64", "i686"} {
		if strings.Contains("-"+rest+"-", "-"+known+"-") {
			arch = known
		}
	}
	cpus, _ := strconv.Atoi(m.facts["cpu_count"]) // 0 if unknown
	p.Machine(system, arch, m.facts["cpu_model_name"], cpus)
	for _, key := range slices.Sorted(maps.Keys(pyperfFacts)) {
		p.Fact(pyperfFacts[key], m.facts[key])
	}
	at, _ := time.Parse(time.RFC3339, m.commitTime) // without a time, the commit itself is still known
	p.Commit(m.commit, m.branch, at)
}
