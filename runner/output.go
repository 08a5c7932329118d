package runner

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"golang.org/x/perf/benchfmt"

	"github.com/perftrack/perftrack/runner/config"
	"github.com/perftrack/perftrack/runner/format/reading"
	"github.com/perftrack/perftrack/runner/gobench"
	"github.com/perftrack/perftrack/runner/proc"
	"github.com/perftrack/perftrack/runner/program"
	"github.com/perftrack/perftrack/runner/record"
)

// PeakVariable is the environment variable that controls whether a program prints the line
// peak-gflops with the machine's peak performance. Its value is "asked", or "known" if the run
// already has this line. Measuring the peak in every process of a run would take longer than the
// benchmarks.
const PeakVariable = "PERFTRACK_PEAK"

// withPeak adds PeakVariable to env. Its two values have the same length, so the environment has
// the same size on both sides.
func withPeak(env []string, known bool) []string {
	value := "asked"
	if known {
		value = "known"
	}
	return append(slices.Clone(env), PeakVariable+"="+value)
}

// environment returns the environment for the slot's next process on a side.
func (m *measurement) environment(side int, s program.Slot) []string {
	return withPeak(atProcs(m.env, s), m.facts[side].Get(record.KeyPeak) != "")
}

// atProcs replaces the plan's GOMAXPROCS with the slot's own value, if it has one.
func atProcs(env []string, s program.Slot) []string {
	if s.Procs == 0 {
		return env
	}
	env = slices.DeleteFunc(slices.Clone(env), func(kv string) bool { return strings.HasPrefix(kv, "GOMAXPROCS=") })
	return append(env, "GOMAXPROCS="+strconv.Itoa(s.Procs))
}

// An output collects the records printed by one process.
type output struct {
	m        *measurement
	side     int
	slot     program.Slot
	results  []*benchfmt.Result
	bad      error
	wrong    string   // why a result is unusable, for example because other output corrupted it
	refused  string   // why an unexpected result was left out
	texts    [][]byte // the results as they were written, of this process
	filtered bool     // the plan's filters excluded some results
	// processes holds what a profiled program reports about its own process, with one entry per
	// suite.
	processes []record.Process
}

// sampleKeys are the configuration keys that belong to a single result. All others describe the
// side.
var sampleKeys = record.ProgramKeys(record.SampleKey)

// processKeys are the configuration keys in a profile with a different value for each process.
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
	case *reading.LeftOut:
		o.leaveOut(rec)
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

// twice returns an error message if two benchmarks have the same name, which happens if the name of
// one ends like the GOMAXPROCS suffix of the other. Their samples could not be distinguished.
// Otherwise twice returns "".
func (m *measurement) twice(s program.Slot, name string) string {
	if s.Procs == 0 {
		return ""
	}
	if m.procsOf == nil {
		m.procsOf = map[string]int{}
	}
	key := s.Package + "." + name
	if at, known := m.procsOf[key]; known && at != s.Procs {
		return fmt.Sprintf("two benchmarks have the name %s, one at GOMAXPROCS %d and one at %d: remove one of these from --procs, or measure them in two runs", name, min(at, s.Procs), max(at, s.Procs))
	}
	m.procsOf[key] = s.Procs
	return ""
}

// Limits on the configuration lines that are accepted from a program, so that the run can be
// stored.
const (
	maxFacts   = 32
	maxFactLen = 200
)

var factKey = regexp.MustCompile(`^[a-z][a-z0-9._/-]{0,63}$`)

// fact records a configuration line printed by the program. It keeps the first value of each key,
// because a run has a single environment, and a line that changes with every process, such as a
// time stamp, does not describe it. A program cannot override the facts recorded by perftrack
// itself, even if it prints the output of another perftrack. Facts that only the program can know,
// such as the code path in use, are accepted.
//
// A program that does not know GOMAXPROCS says that its names are whole. Its environment then says
// so, too.
func (o *output) fact(key, value string) {
	if key == record.KeyGOMAXPROCS && value == record.ProcsInNames && o.m.Target.Kind == config.Command {
		env := &o.m.out.Environments[o.side]
		*env = env.Set(key, value)
		return
	}
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

// failure describes why the process failed, or returns "" if it did not.
func (o *output) failure(res proc.Result) string {
	text := string(res.Stderr) + string(res.Stdout)
	switch {
	case res.TimedOut && o.m.Target.Kind == config.Command:
		return res.Err().Error() + ": raise --timeout, or timeout in perftrack.toml"
	case res.TimedOut:
		return res.Err().Error() + ": raise --timeout or lower --benchtime"
	case res.Err() != nil && o.m.Target.Kind == config.Command:
		return commandFailure(res)
	case res.Err() != nil:
		return strings.TrimSuffix(res.Err().Error()+": "+gobench.ReasonLine(text), ": ")
	case res.Truncated:
		return "printed too much: perftrack truncated its output"
	case o.wrong != "":
		return o.wrong
	case o.refused != "":
		return o.refused
	case o.bad != nil && o.looksLike() != "":
		return o.nothing()
	case o.bad != nil:
		return "unreadable output: " + o.bad.Error()
	case len(o.results) > 0 || o.filtered || o.m.Profile != "":
		return ""
	}
	if o.slot.Bench == "" {
		return o.nothing()
	}
	return Skipped
}

// Skipped is the reason given for a benchmark that succeeded without a result, for example because
// it skipped itself. It did not fail, but it was not measured either.
const Skipped = "printed no result: it was skipped"
