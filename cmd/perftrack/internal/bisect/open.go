package bisect

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/fault"
	"github.com/perftrack/perftrack/runner/config"
	"github.com/perftrack/perftrack/runner/gitrepo"
	"github.com/perftrack/perftrack/runner/record"
)

// open continues the stored search or begins a new one.
func (s *Search) open(ctx context.Context, rng string) error {
	if err := s.read(ctx); err != nil {
		return err
	}
	ends, err := s.askedEnds(ctx, rng)
	if err != nil {
		return err
	}
	if known := s.log.subject(); known != nil {
		if goesOn, err := s.goesOn(ctx, ends, *known); goesOn || err != nil {
			return err
		}
	}
	if s.Opt.Flags.Bench == "" {
		return fault.Usagef("--bench is missing: name the benchmark")
	}
	return s.begin(ctx, ends[0], ends[1])
}

// askedEnds returns the ends of GOOD..BAD or, if rng is empty, those of the stored search.
func (s *Search) askedEnds(ctx context.Context, rng string) (ends [2]gitrepo.Commit, err error) {
	good, bad, ok := strings.Cut(rng, "..")
	switch {
	case rng == "" && s.log.subject() == nil:
		return ends, fault.Usagef("there is no bisection to continue: start one with GOOD..BAD and --bench")
	case rng == "":
		first := s.log.firstLine()
		good, bad = first.Good, first.Bad
	case !ok || good == "" || strings.HasPrefix(bad, "."):
		return ends, fault.Usagef("%q does not have the form GOOD..BAD", rng)
	}
	for i, rev := range []string{good, cmp.Or(bad, "HEAD")} {
		if ends[i], err = s.Where.Repo.Resolve(ctx, rev); err != nil {
			return ends, fault.Git(err)
		}
	}
	return ends, nil
}

// goesOn opens the stored search and returns true if it is the requested one. Otherwise it removes
// the stored search and returns false, or returns an error if the stored search has not finished
// and its ends may be distinguishable.
func (s *Search) goesOn(ctx context.Context, ends [2]gitrepo.Commit, known Subject) (bool, error) {
	asked, cpus, first := s.Opt, s.Where.CPUs, s.log.firstLine()
	sameEnds := first.Good == ends[0].SHA && first.Bad == ends[1].SHA
	otherCPUs := asked.Flags.CPUs != "" && cpus.String() != known.CPUs
	s.Opt.Flags.CPUs = ""
	opened := s.choose(ctx, s.bad)
	if sameEnds && !asked.differs(known) && !(otherCPUs && s.refused()) {
		if otherCPUs {
			s.Opt, s.Where.CPUs = asked, cpus
			return true, s.choose(ctx, s.bad) // returns the error about different CPUs
		}
		return true, opened
	}
	if asked.Flags.Bench == "" && !sameEnds {
		return false, fault.Usagef("--bench is missing: name the benchmark")
	}
	if opened == nil && s.underWay() {
		return false, fault.Usagef("the bisection of %s (%s, --benchtime %s) between %s and %s is not finished: continue with `perftrack bisect-helper auto`, "+
			"or forget it with `perftrack bisect-helper reset`", known.Bench, known.Unit, known.Benchtime, record.ShortHash(first.Good), record.ShortHash(first.Bad))
	}
	s.Opt = asked
	if asked.Flags.Bench == "" {
		s.Opt = asked.or(known)
	}
	if asked.Flags.Bench != "" || asked.Flags.CPUs != "" {
		s.Where.CPUs = cpus
	}
	return false, s.forget(ctx, sameEnds)
}

// differs reports whether the options select a subject other than known. Unset options default to
// the values in known, but with a named benchmark, the unit defaults to defaultUnit.
func (o Options) differs(known Subject) bool {
	bench, unit := strings.TrimPrefix(o.Flags.Bench, "Benchmark"), o.Unit
	if bench != "" {
		unit = cmp.Or(unit, defaultUnit)
	}
	for _, of := range [][2]string{{bench, known.Bench}, {unit, known.Unit}, {o.Target, known.Target}, {o.Package, known.Package}, {o.Flags.Benchtime, known.Benchtime}, {o.Workers.Class, known.Workers}} {
		if of[0] != "" && of[0] != of[1] {
			return true
		}
	}
	return false
}

// or fills in unset options from the subject of a search.
func (o Options) or(known Subject) Options {
	o.Flags.Bench, o.Unit, o.Target = known.Bench, cmp.Or(o.Unit, known.Unit), cmp.Or(o.Target, known.Target)
	o.Package, o.Flags.Benchtime = cmp.Or(o.Package, known.Package), cmp.Or(o.Flags.Benchtime, known.Benchtime)
	o.Workers.Class, o.Workers.URL = cmp.Or(o.Workers.Class, known.Workers), cmp.Or(o.Workers.URL, known.Repo)
	return o
}

// refused reports whether the ends are still indistinguishable after the largest number of pairs.
func (s *Search) refused() bool {
	ends, open := s.logged(s.good, s.bad)
	return !open && !distinguishes(ends.Decision())
}

// underWay reports whether pairs were measured and more pairs could find the culprit.
func (s *Search) underWay() bool {
	return !s.Finished && !s.refused() && slices.ContainsFunc(s.log.valid(), func(e Event) bool { return e.Event == eventPair })
}

// forget removes the stored search. It also removes the builds, unless keepBuilt is set because
// they can be used again.
func (s *Search) forget(ctx context.Context, keepBuilt bool) error {
	s.log.events = nil
	if !keepBuilt {
		return Reset(ctx, s.Session)
	}
	for _, name := range []string{autoLog, ExplanationFile} {
		if err := os.Remove(filepath.Join(s.Dir, name)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fault.IO(fmt.Errorf("forget bisection: %w", err))
		}
	}
	return nil
}

// begin starts a search.
func (s *Search) begin(ctx context.Context, good, bad gitrepo.Commit) error {
	line, err := s.Where.Repo.Line(ctx, good, bad)
	if err != nil {
		return fault.Git(err)
	}
	if len(line) == 0 {
		return fault.Usagef("there is no commit between %s and %s", record.ShortHash(good.SHA), record.ShortHash(bad.SHA))
	}
	if err := s.choose(ctx, bad); err != nil {
		return err
	}
	first, err := s.Where.FirstModule(ctx, []config.Target{s.Target}, append([]gitrepo.Commit{good}, line...))
	if err != nil {
		return err
	}
	if first > 0 && first < len(line) {
		return fault.Usagef("the good end %s has no go.mod; the newest %d of %d commits can be measured: perftrack bisect-helper auto %s..%s --bench %s",
			record.ShortHash(good.SHA), len(line)-first+1, len(line)+1, record.ShortHash(line[first-1].SHA), record.ShortHash(bad.SHA), s.Subject.Bench)
	}
	return s.enter(ctx, good, line, &s.Subject)
}

// enter begins the search of a line of commits.
func (s *Search) enter(ctx context.Context, good gitrepo.Commit, line []gitrepo.Commit, subject *Subject) error {
	weights, err := s.priors(ctx, good, line)
	if err != nil {
		return err
	}
	e := Event{Event: eventLine, Time: s.Session.Now().UTC(), Good: good.SHA, Bad: line[len(line)-1].SHA, Weights: weights, Subject: subject}
	for _, c := range line {
		e.Line = append(e.Line, c.SHA)
	}
	if err := s.log.add(e); err != nil {
		return err
	}
	if err := s.follow(ctx); err != nil {
		return err
	}
	return s.remember(ctx)
}

// dependencyWeight is how much more likely a commit is the culprit if it changes files of the
// benchmark's build.
const dependencyWeight = 3

// priors returns the prior weight of each commit of a line.
func (s *Search) priors(ctx context.Context, good gitrepo.Commit, line []gitrepo.Commit) ([]float64, error) {
	weights := make([]float64, len(line))
	pairs := make([][2]string, len(line))
	before := good.SHA
	for i, c := range line {
		weights[i], pairs[i] = 1, [2]string{before, c.SHA}
		before = c.SHA
	}
	if s.Target.Kind != config.GoTest {
		return weights, nil
	}
	folders, err := s.dependencies(ctx, line[len(line)-1])
	if err != nil {
		return nil, err
	}
	changed, err := s.Where.Repo.ChangedFiles(ctx, pairs)
	if err != nil {
		return nil, fault.Git(err)
	}
	for i, files := range changed {
		if slices.ContainsFunc(files, func(f string) bool { return slices.Contains(folders, filepath.Dir(f)) || isModuleFile(f) }) {
			weights[i] = dependencyWeight
		}
	}
	return weights, nil
}

func isModuleFile(file string) bool {
	base := filepath.Base(file)
	return base == "go.mod" || base == "go.sum" || base == "go.work"
}

// ExplanationFile contains, as JSON, the explanation of the change made by the culprit of a
// finished search.
const ExplanationFile = "explanation.json"
