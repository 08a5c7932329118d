package python

import (
	"io"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"golang.org/x/perf/benchfmt"

	"github.com/perftrack/perftrack/runner/format/reading"
	"github.com/perftrack/perftrack/runner/record"
)

// ASV is a file of results of airspeed velocity, in version 1 or 2 of its form: those of one commit in
// one environment. Each environment is a package, because its results are a series of their own.
var ASV = reading.Format{
	Name:        "asv",
	Description: "results of airspeed velocity (asv): one commit in one environment",
	Tool:        "asv run [--record-samples], which writes results/MACHINE/COMMIT-ENVIRONMENT.json",
	Yields:      reading.Either,
	Detect: func(h *reading.Head) bool {
		return h.Has("commit_hash:string") && h.Has("requirements:object") && (h.Has("results:object") || h.Has("result_columns:array")) ||
			h.Has("results.*.result") && h.Has("results.*.params") || // the commit may follow many results
			isASVMachine(h) || h.Has("*.param_names:array") && h.Has("*.code:string")
	},
	Marks: []string{"commit_hash", "requirements", "result_columns"},
	Read:  readASV,
}

// isASVMachine recognizes machine.json. It is no result, but the error for it says so.
func isASVMachine(h *reading.Head) bool {
	return h.Has("machine:string") && h.Has("arch:string") && h.Has("ram") && h.Has("os:string") && !h.Has("results")
}

func readASV(r io.Reader, fileName string, emit func(benchfmt.Record) error) error {
	return reading.ReadJSON(r, fileName, emit, func(d *reading.Document) error {
		a := &asv{Document: d}
		if err := a.Object(a.member); err != nil {
			return err
		}
		switch {
		case a.results:
			if a.more {
				a.facts()
			}
			return a.later()
		case a.machine:
			return a.Errorf("%w: this is the machine.json of asv: name the COMMIT-ENVIRONMENT.json files beside it", reading.ErrCompanion)
		case a.suite:
			return a.Errorf("%w: this is the benchmarks.json of asv: name the MACHINE/COMMIT-ENVIRONMENT.json files beside it", reading.ErrCompanion)
		}
		return a.Errorf("the file of asv has no results")
	})
}

type asv struct {
	*reading.Document
	commit       string
	at           time.Time
	python       string
	environment  string
	requirements map[string]string
	columns      []string     // of the rows in version 2
	rows         reading.Held // rows before the columns

	results, machine, suite bool // parts found in the file
	more                    bool // facts follow the results
}

// asvFacts are the members that all results need.
var asvFacts = []string{"commit_hash", "date", "python", "env_name", "requirements", "params"}

// member reads a member of the document. asv writes the results last, and its older versions write
// them first, because an object has no order.
func (a *asv) member(key string) (err error) {
	if a.results && slices.Contains(asvFacts, key) {
		if a.Late() {
			return a.Errorf("%s comes after too many results: put it before them", key)
		}
		a.more = true
	}
	switch key {
	case "commit_hash":
		a.commit, err = a.Text()
	case "date":
		var ms float64
		if ms, err = a.Number(); ms > 0 && ms < 1e15 {
			a.at = time.UnixMilli(int64(ms))
		}
	case "python":
		a.python, err = a.Text()
	case "env_name":
		a.environment, err = a.Text()
	case "requirements":
		err = a.Into(&a.requirements)
	case "params":
		err = a.parameters()
	case "result_columns":
		err = a.Into(&a.columns)
	case "results":
		a.results = true
		a.facts()
		err = a.Object(a.benchmark)
	case "machine":
		a.machine = true
		err = a.Skip()
	default:
		if a.Next() != '{' {
			return a.Skip()
		}
		return a.Object(func(key string) error {
			a.suite = a.suite || key == "param_names"
			return a.Skip()
		})
	}
	return err
}

// parameters reads the facts about the machine.
func (a *asv) parameters() error {
	m := map[string]string{}
	err := a.Object(func(key string) (err error) {
		switch key {
		case "arch", "cpu", "machine", "os", "num_cpu":
			m[key], err = a.Text()
			return err
		}
		return a.Skip()
	})
	system, _, _ := strings.Cut(m["os"], " ") // Linux 6.1.0-18-amd64
	cpus, _ := strconv.Atoi(m["num_cpu"])     // 0 if unknown
	a.Machine(system, m["arch"], m["cpu"], cpus)
	a.Fact("host", m["machine"])
	return err
}

// facts sets what is known so far.
func (a *asv) facts() {
	a.Commit(a.commit, "", a.at)
	a.Fact("python-version", a.python)
	environment := a.environment
	if environment == "" { // older than the names of environments
		environment = "py" + a.python
		for _, name := range slices.Sorted(maps.Keys(a.requirements)) {
			environment += "-" + name + a.requirements[name]
		}
	}
	a.Fact(record.KeyPackage, environment)
}

// later reads the rows that came before their columns.
func (a *asv) later() error {
	return a.rows.Each(a.FileName(), func(j *reading.JSON, name string) error {
		row := &asv{Document: &reading.Document{JSON: j, Sheet: a.Sheet}, columns: a.columns}
		if row.columns == nil {
			return row.Errorf("the columns of the results are not declared")
		}
		return row.benchmark(name)
	})
}

// asvUnit returns the unit of a benchmark, which asv derives from its name, too.
func asvUnit(name string) reading.Unit {
	name, _, _ = strings.Cut(name, "(")
	method := strings.ToLower(name[strings.LastIndexByte(name, '.')+1:])
	switch kind, _, _ := strings.Cut(method, "_"); {
	case strings.HasPrefix(kind, "time"):
		return reading.UnitOf("seconds")
	case strings.HasPrefix(kind, "mem"), strings.HasPrefix(kind, "peakmem"):
		return reading.UnitOf("bytes")
	}
	return reading.Unit{Go: "unit", Factor: 1}
}

// emit emits the results of a benchmark, one for each combination of parameters.
func (a *asv) emit(name string, r *asvResult) error {
	line := a.Line()
	combinations := 1
	for _, values := range r.params {
		if combinations *= len(values); combinations > maxCombinations {
			return a.Errorf("%s has more than %d combinations of parameters, the limit", name, maxCombinations)
		}
	}
	switch {
	case len(r.values) == 0:
		return a.LeaveOut(line, name, "it failed or was skipped")
	case len(r.values) == 1 && math.IsNaN(r.values[0]) && combinations > 1: // as a whole
		return a.Fail(line, name, "it failed")
	case len(r.values) != combinations:
		return a.Bad(line, "%s has %d results for %d combinations of parameters", name, len(r.values), combinations)
	}
	for i, v := range r.values {
		if err := a.combination(r.name(name, i), line, v, r, i); err != nil {
			return err
		}
	}
	return nil
}

func (a *asv) combination(name string, line int, v float64, r *asvResult, i int) error {
	if math.IsNaN(v) {
		return a.LeaveOut(line, name, "it failed or was skipped")
	}
	unit := asvUnit(name)
	row := reading.Row{Line: line, Name: name, Values: []reading.Value{unit.Value(v)}}
	if unit.Go == "B" {
		if err := a.Declare(unit.Go, "lower"); err != nil {
			return err
		}
	}
	row.Iters = reading.Count(at(r.number, i))
	if i < len(r.samples) && r.samples[i].N > 0 {
		row.Values = nil
		return a.Samples(row, unit, &r.samples[i])
	}
	spread := reading.NoSpread()
	spread.Low, spread.High = unit.Value(at(r.low, i)).V, unit.Value(at(r.high, i)).V
	spread.N = reading.Count(at(r.repeat, i))
	if spread.N == 0 && math.IsNaN(spread.Low) && math.IsNaN(spread.High) {
		return a.Result(row)
	}
	row.Iters = 0 // the value is the median of samples
	return a.Summary(row, spread)
}

// at returns a value of a list, or NaN if there is none.
func at(values []float64, i int) float64 {
	if i < len(values) {
		return values[i]
	}
	return math.NaN()
}
