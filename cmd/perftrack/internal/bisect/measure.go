package bisect

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/perf/benchfmt"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/fault"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/measure"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/remote"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/workspace"
	"github.com/perftrack/perftrack/runner"
	"github.com/perftrack/perftrack/runner/build"
	"github.com/perftrack/perftrack/runner/config"
	"github.com/perftrack/perftrack/runner/gitrepo"
	"github.com/perftrack/perftrack/runner/gobench"
	"github.com/perftrack/perftrack/runner/machine"
	"github.com/perftrack/perftrack/runner/program"
	"github.com/perftrack/perftrack/runner/record"
	"github.com/perftrack/perftrack/runner/slicing"
	"github.com/perftrack/perftrack/store"
)

// A bisection is the common part of both kinds of bisection: the subject, the measurement of two
// commits against each other, and the log.
type bisection struct {
	Session  *workspace.Session
	Where    workspace.Place
	ground   workspace.Place // where the target and the environment are determined: Where, or a checkout
	Opt      Options
	Target   config.Target // limited to the package of the benchmark
	Subject  Subject
	source   string // the benchmark's name in the source
	DB       *store.DB
	Database string // path of DB
	Dir      string // .perftrack/bisect
	env      string // key of the measured environment, or of the class of workers
	log      *eventLog
	ways     map[program.Slot]slicing.Method // sampling methods, chosen with the first two commits and used for all
	fleet    *remote.Fleet                   // nil until workers are needed
}

// An unmeasurableError reports a commit that does not build, lacks the benchmark, or has a failing
// benchmark.
type unmeasurableError struct {
	commit string
	err    error
}

func (e *unmeasurableError) Error() string {
	return fmt.Sprintf("%s: %v", record.ShortHash(e.commit), e.err)
}
func (e *unmeasurableError) Unwrap() error { return e.err }

// errSameProgram ends a measurement before it begins, because both sides are the same program.
var errSameProgram = errors.New("both commits have the same program")

// isBench reports whether a result belongs to the benchmark. The name of the result may end with
// the number of processors.
func isBench(result, name string, cpus config.CPUs) bool {
	return result == name || result == name+"-"+strconv.Itoa(machine.Procs(cpus))
}

// environmentKey returns a short hash of the settings of an environment.
func environmentKey(s record.Settings) string {
	text := ""
	for _, f := range s {
		text += f.Key + "=" + f.Value + "\n"
	}
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:6])
}

// keep returns the directory for the binaries of a commit.
func (b *bisection) keep(sha string) string { return filepath.Join(b.Dir, "binaries", sha, b.env) }

// A commitPair is two commits to measure against each other.
type commitPair struct {
	bisection  *bisection
	base, head gitrepo.Commit
	limit      int         // largest number of rounds
	more       func() bool // reports whether another round is wanted
}

// measure measures pairs of two commits while more returns true, and logs each pair. The samples
// are stored as a trial.
func (b *bisection) measure(ctx context.Context, base, head gitrepo.Commit, limit int, more func() bool) error {
	p := &commitPair{bisection: b, base: base, head: head, limit: limit, more: more}
	flags := b.Opt.Flags
	flags.Bench, flags.Suite = gobench.Expression(b.source), ""
	flags.Benchtime, flags.Rounds = b.Subject.Benchtime, limit
	trial := fmt.Sprintf("%s-%.7s-%.7s", b.Subject.Trial, base.SHA, head.SHA)
	if b.Subject.Workers != "" {
		return p.measureOnWorkers(ctx, flags, trial)
	}
	spec := b.spec(measure.Sources{Rev: head.SHA, Beside: base.SHA, Keep: b.keep})
	spec.Trial = trial
	spec.Plan = flags.Plan(b.Target, 0, "")
	spec.Facts = func(r *record.Run) { r.Protocol.Selection = flags.Selection(b.Target) }
	if b.ways == nil {
		b.ways = map[program.Slot]slicing.Method{}
	}
	spec.Plan.Chosen = b.ways
	spec.Empty = func(runner.Outcome) bool { return true } // the log has the reason
	_, err := spec.Drive(ctx, func(m *measure.Measurement) error { return p.measure(ctx, m) })
	return p.blame(err)
}

// measure measures the rounds and logs the pair of each round.
func (p *commitPair) measure(ctx context.Context, m *measure.Measurement) error {
	first, err := p.firstRound()
	if err != nil {
		return err
	}
	m.Number(first, p.limit)
	for r, err := range m.Rounds(ctx, runner.Schedule{Open: func(program.Slot) bool { return p.more() }}) {
		if err := errors.Join(err, p.log(r)); err != nil {
			return err
		}
	}
	return p.failed(m.Outcome())
}

// spec returns the specification of the measurement, without the plan.
func (b *bisection) spec(sources measure.Sources) measure.Spec {
	return measure.Spec{Session: b.Session, Where: b.Where, DB: b.DB, Database: b.Database, Target: b.Target, Sources: sources, Counts: b.counts()}
}

// blame returns err as an unmeasurableError for the commit at fault if a commit cannot be measured.
// It returns any other error unchanged.
func (p *commitPair) blame(err error) error {
	var failed *build.Error
	var absent *program.NoBenchmarksError
	if !errors.As(err, &failed) && !errors.As(err, &absent) {
		return err
	}
	commit := p.head.SHA
	if elsewhere := new(measure.NoDirectoryError); errors.As(err, &elsewhere) {
		commit = elsewhere.Commit
	}
	if side := new(runner.SideError); errors.As(err, &side) {
		err = side.Err
		if side.Side == string(record.Base) {
			commit = p.base.SHA
		}
	}
	return &unmeasurableError{commit, err}
}

// failed returns an error blaming the commit with a failed benchmark, unless there are enough
// samples.
func (p *commitPair) failed(out runner.Outcome) error {
	if !p.more() || len(out.Failures) == 0 {
		return nil
	}
	first := out.Failures[0]
	commit := p.head.SHA
	if first.Side == 0 {
		commit = p.base.SHA
	}
	return &unmeasurableError{commit, fmt.Errorf("%s: %s", first.Slot, first.Reason)}
}

// firstRound returns the number of the first round. It returns errSameProgram if both commits have
// the same program: the same hash of the code, and no difference in any file the benchmark may
// read.
func (p *commitPair) firstRound() (int, error) {
	if same, err := p.bisection.same(p.base.SHA, p.head.SHA); err != nil || same {
		return 0, cmp.Or(err, errSameProgram)
	}
	return p.bisection.log.lastRound(p.base.SHA, p.head.SHA) + 1, nil
}

// same reports whether two built commits have the same program.
func (b *bisection) same(first, second string) (bool, error) {
	if b.Target.Kind != config.GoTest || first == second {
		return false, nil
	}
	one := program.KeptHash(b.keep(first), b.Subject.Package)
	if one == "" || one != program.KeptHash(b.keep(second), b.Subject.Package) {
		return false, nil
	}
	files, err := b.Where.Repo.ChangedFiles(context.Background(), [][2]string{{first, second}})
	if err != nil {
		return false, fault.Git(err)
	}
	return !slices.ContainsFunc(files[0], isRead), nil
}

// isRead reports whether a benchmark may read the file while it runs, or its build may depend on
// the file in a way not shown by its code.
func isRead(file string) bool {
	switch filepath.Ext(file) {
	case ".go", ".md", ".s", ".yml", ".yaml", ".toml":
		return strings.Contains(file, "testdata/")
	}
	return true
}

// log adds the pair of a round to the log.
func (p *commitPair) log(r runner.Round) error {
	var values [2]float64
	var have [2]int
	var units []string
	for _, s := range r.Samples {
		if !isBench(string(s.Result.Name), p.bisection.Subject.Bench, p.bisection.Where.CPUs) {
			continue
		}
		have[s.Side]++
		value, ok := unitValue(s.Result, p.bisection.Subject.Unit)
		if !ok {
			for _, v := range s.Result.Values {
				units = append(units, cmp.Or(v.OrigUnit, v.Unit))
			}
			return p.noUnit(units)
		}
		values[s.Side] = value
	}
	if !r.Complete {
		return nil
	}
	for side, commit := range []string{p.base.SHA, p.head.SHA} {
		if err := p.one(commit, have[side]); err != nil {
			return err
		}
	}
	return p.logPair(r.N, values)
}

// one returns an error unless the benchmark has exactly one result at a commit.
func (p *commitPair) one(commit string, results int) error {
	switch {
	case results == 0:
		return &unmeasurableError{commit, fmt.Errorf("it has no benchmark %s", p.bisection.Subject.Bench)}
	case results > 1:
		return fault.Usagef("%d results have the name %s: choose one with --package", results, p.bisection.Subject.Bench)
	}
	return nil
}

// logPair adds the values of both sides to the log.
func (p *commitPair) logPair(round int, values [2]float64) error {
	return p.bisection.log.add(Event{Event: eventPair, Time: p.bisection.Session.Now().UTC(), Base: p.base.SHA, Head: p.head.SHA, Round: round, Values: &values, Env: p.bisection.env})
}

func (p *commitPair) noUnit(units []string) error {
	return fault.Usagef("%s has no unit %q: its units are %s", p.bisection.Subject.Bench, p.bisection.Subject.Unit, strings.Join(units, ", "))
}

// unitValue returns a result's value in a unit, given by its original or its tidied name.
func unitValue(res *benchfmt.Result, unit string) (float64, bool) {
	for _, v := range res.Values {
		if v.OrigUnit == unit {
			return v.OrigValue, true
		}
		if v.Unit == unit {
			return v.Value, true
		}
	}
	return 0, false
}
