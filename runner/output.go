package runner

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"golang.org/x/perf/benchfmt"

	"github.com/perftrack/perftrack/runner/childenv"
	"github.com/perftrack/perftrack/runner/machine"
	"github.com/perftrack/perftrack/runner/proc"
	"github.com/perftrack/perftrack/runner/record"
)

// ProfileVariable is the variable of the environment that asks a benchmark
// program for the scopes of its profile, under the line profile: scopes,
// instead of its benchmarks. It names the suite, or DefaultSuite.
const (
	ProfileVariable = "PERFTRACK_PROFILE"
	DefaultSuite    = "default"
)

// childEnvironment is the benchmarks' environment: what the user's own has that is no secret,
// with GOMAXPROCS spelled out, so that both sides of a trial have the same one
// even if their go.mod asks for different defaults.
func (p *Plan) childEnvironment() []string {
	env := append(childenv.Measured(p.Target.Env), "GOMAXPROCS="+strconv.Itoa(machine.Procs(p.CPUs)))
	if p.Profile != "" {
		env = append(env, ProfileVariable+"="+p.Profile)
	}
	return env
}

// PeakVariable is the variable of the environment that tells a benchmark program whether what
// its machine can reach, the line peak-gflops, has been measured for the run: the value known, or
// else asked. Measuring it in each of a run's many processes would take longer than the benchmarks.
const PeakVariable = "PERFTRACK_PEAK"

// withPeak adds the variable. Both of its values have the same length, so that nothing that
// depends on the size of the environment differs between two sides.
func withPeak(env []string, known bool) []string {
	value := "asked"
	if known {
		value = "known"
	}
	return append(slices.Clone(env), PeakVariable+"="+value)
}

// environment is that of the slot's next process on a side.
func (m *measurement) environment(side int, s Slot) []string {
	return withPeak(atProcs(m.env, s), m.facts[side].Get(record.KeyPeak) != "")
}

// atProcs puts the slot's own GOMAXPROCS, where it has one, in the place of the plan's.
func atProcs(env []string, s Slot) []string {
	if s.Procs == 0 {
		return env
	}
	env = slices.DeleteFunc(slices.Clone(env), func(kv string) bool { return strings.HasPrefix(kv, "GOMAXPROCS=") })
	return append(env, "GOMAXPROCS="+strconv.Itoa(s.Procs))
}

// An output takes the records of one process.
type output struct {
	m        *measurement
	side     int
	slot     Slot
	results  []*benchfmt.Result
	bad      error
	wrong    string // with what was printed between the results
	refused  string // why a result was left out that the process should not have printed
	filtered bool   // there were results that the plan leaves out
	// processes are what a profiled program says of itself, a suite each.
	processes []record.Process
}

// sampleKeys are the configuration lines that belong to a result; all others
// are facts of the side.
var sampleKeys = record.ProgramKeys(record.SampleKey)

// processKeys are the configuration lines of a profile that differ from process to process.
var processKeys = []string{record.KeyCycles, record.KeyPause, record.KeyHeap, record.KeyResident}

func (o *output) add(rec benchfmt.Record) error {
	switch rec := rec.(type) {
	case *benchfmt.Result:
		o.addResult(rec)
	case *benchfmt.UnitMetadata:
		if o.m.units == nil {
			o.m.units = map[benchfmt.UnitMetadataKey]bool{}
		}
		if !o.m.units[rec.UnitMetadataKey] {
			o.m.units[rec.UnitMetadataKey] = true
			o.m.out.Units = append(o.m.out.Units, rec)
		}
	case *benchfmt.SyntaxError:
		if o.bad == nil {
			o.bad = rec
		}
	}
	return nil
}

func (o *output) addResult(rec *benchfmt.Result) {
	for _, c := range rec.Config {
		if !slices.Contains(sampleKeys, c.Key) && !(o.m.Profile != "" && slices.Contains(processKeys, c.Key)) {
			o.fact(c.Key, string(c.Value))
		}
	}
	isScope := rec.GetConfig(record.KeyProfile) != ""
	if o.m.Suite != "" && rec.GetConfig(record.KeySuite) != o.m.Suite || o.m.Profile != "" && !isScope ||
		o.slot.Bench == "" && !o.m.pattern.Matches(string(rec.Name)) {
		o.filtered = true
		return
	}
	if o.benchmarkProcess() {
		if why := o.unasked(rec); why != "" {
			o.refuse(why)
			return
		}
	}
	kept := &benchfmt.Result{Name: slices.Clone(rec.Name), Iters: rec.Iters, Values: slices.Clone(rec.Values)}
	for _, key := range sampleKeys {
		kept.SetConfig(key, rec.GetConfig(key))
	}
	if o.slot.Package != "" && o.slot.Bench != "" {
		kept.SetConfig(record.KeyPackage, o.slot.Package)
	}
	if o.wrong == "" {
		o.wrong = o.m.twice(o.slot, string(rec.Name))
	}
	if o.wrong != "" && o.slot.Procs > 0 {
		return
	}
	o.results = append(o.results, kept)
	if isScope && o.m.Profile != "" {
		o.noteProcess(rec)
	}
}

// twice says what is wrong with a name that two benchmarks have, because that of one ends like the
// GOMAXPROCS of the other; "" for nothing. Their samples could not be told apart.
func (m *measurement) twice(s Slot, name string) string {
	if s.Procs == 0 {
		return ""
	}
	if m.procsOf == nil {
		m.procsOf = map[string]int{}
	}
	key := s.Package + "." + name
	if at, known := m.procsOf[key]; known && at != s.Procs {
		return fmt.Sprintf("%s is the name of two benchmarks, at GOMAXPROCS %d and at %d: leave one of these out of --procs, or measure them in two runs", name, min(at, s.Procs), max(at, s.Procs))
	}
	m.procsOf[key] = s.Procs
	return ""
}

// Configuration lines of the program beyond these are not worth a run that
// cannot be stored.
const (
	maxFacts   = 32
	maxFactLen = 200
)

var factKey = regexp.MustCompile(`^[a-z][a-z0-9._/-]{0,63}$`)

// fact records a configuration line that the program printed, with the first value of
// each key: a run is one environment, and a line that changes with every process (a time
// stamp) says nothing about it. A program cannot change what perftrack states itself,
// even if it prints another perftrack's output; but only the program knows which code
// path is in use.
func (o *output) fact(key, value string) {
	if !record.FromProgram(key) || !factKey.MatchString(key) ||
		len(value) > maxFactLen || strings.ContainsFunc(value, unicode.IsControl) {
		return
	}
	list := &o.m.facts[o.side]
	if record.RoleOf(key) == record.EnvironmentKey {
		list = &o.m.out.Environments[o.side]
	}
	known := slices.ContainsFunc(*list, func(s record.Setting) bool { return s.Key == key })
	if !known && len(*list) < maxFacts {
		*list = append(*list, record.Setting{Key: key, Value: value})
	}
}

// failure returns what went wrong in a process, "" if nothing did.
func (o *output) failure(res proc.Result) string {
	text := string(res.Stderr) + string(res.Stdout)
	switch {
	case res.TimedOut:
		return res.Err().Error() + ": raise --timeout or lower --benchtime"
	case res.Err() != nil:
		return strings.TrimSuffix(res.Err().Error()+": "+ReasonLine(text), ": ")
	case res.Truncated:
		return "printed too much: the end of its output is lost"
	case o.wrong != "":
		return o.wrong
	case o.refused != "":
		return o.refused
	case o.bad != nil:
		return "unreadable output: " + o.bad.Error()
	case len(o.results) > 0 || o.filtered || o.m.Profile != "":
		return ""
	}
	if o.slot.Bench == "" {
		return "printed no line in the Go benchmark format, such as BenchmarkX 100 1234 ns/op"
	}
	return Skipped
}

// Skipped is the reason given for a benchmark that succeeded without a result, as one
// does that skips itself: it did not fail, but it was not measured.
const Skipped = "gave no result: it skipped itself"

var resultLine = regexp.MustCompile(`^Benchmark\S*\s+\d+\s`)

// ReasonLine returns the line of a failing benchmark's output that says why it failed.
func ReasonLine(text string) string {
	var last string
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		switch {
		case line == "" || line == "FAIL" || line == "PASS" || strings.HasPrefix(line, "exit status"), resultLine.MatchString(line):
			continue
		case strings.HasPrefix(line, "panic:"), strings.HasPrefix(line, "fatal error:"):
			return line
		case strings.Contains(line, "_test.go:"):
			return line
		}
		last = line
	}
	if len(last) > 200 {
		last = last[:200]
	}
	return last
}
