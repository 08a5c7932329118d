package app

import (
	"cmp"
	"context"
	"path/filepath"
	"slices"
	"strings"

	"github.com/perftrack/perftrack/runner/config"
	"github.com/perftrack/perftrack/runner/gitrepo"
)

// open goes on with the search that is stored, or begins another one.
func (s *auto) open(ctx context.Context, rng string) error {
	if err := s.read(ctx); err != nil {
		return err
	}
	known := s.log.subject()
	s.asked = s.opt
	if rng == "" {
		if known == nil {
			return usagef("no bisection to go on with: name GOOD..BAD and --bench")
		}
		return s.choose(ctx, s.bad)
	}
	good, bad, ok := strings.Cut(rng, "..")
	if !ok || good == "" || strings.HasPrefix(bad, ".") {
		return usagef("%q is not GOOD..BAD", rng)
	}
	ends := make([]gitrepo.Commit, 2)
	for i, rev := range []string{good, cmp.Or(bad, "HEAD")} {
		var err error
		if ends[i], err = s.repo.Resolve(ctx, rev); err != nil {
			return &Error{Kind: "git", Err: err}
		}
	}
	if known != nil {
		first := s.log.events[slices.IndexFunc(s.log.events, func(e BisectEvent) bool { return e.Event == eventLine })]
		same := first.Good == ends[0].SHA && first.Bad == ends[1].SHA &&
			(s.opt.Bench == "" || strings.TrimPrefix(s.opt.Bench, "Benchmark") == known.Bench) && (s.opt.Unit == "" || s.opt.Unit == known.Unit)
		if same {
			return s.choose(ctx, s.bad)
		}
		cpus := s.cpus // of the new one, not of that which is stored
		s.opt.CPUs = ""
		if err := s.choose(ctx, s.bad); err != nil {
			return err
		}
		measured := slices.ContainsFunc(s.log.valid(), func(e BisectEvent) bool { return e.Event == eventPair })
		if ends, open := s.logged(s.good, s.bad); !s.finished && measured && (open || isApart(ends.Decision())) {
			return usagef("the bisection of %s between %.12s and %.12s is not over: go on with `perftrack bisect-helper auto`, "+
				"or forget it with `perftrack bisect-helper reset`", known.Bench, first.Good, first.Bad)
		}
		if err := s.ResetBisect(ctx); err != nil {
			return err
		}
		s.log.events, s.opt, s.cpus = nil, s.asked, cpus
	}
	if s.opt.Bench == "" {
		return usagef("which benchmark? name it with --bench")
	}
	return s.begin(ctx, ends[0], ends[1])
}

// begin starts a search.
func (s *auto) begin(ctx context.Context, good, bad gitrepo.Commit) error {
	line, err := s.repo.Line(ctx, good, bad)
	if err != nil {
		return &Error{Kind: "git", Err: err}
	}
	if len(line) == 0 {
		return usagef("there is no commit between %.12s and %.12s", good.SHA, bad.SHA)
	}
	if err := s.choose(ctx, bad); err != nil {
		return err
	}
	return s.enter(ctx, good, line, &s.subject)
}

// enter begins a line.
func (s *auto) enter(ctx context.Context, good gitrepo.Commit, line []gitrepo.Commit, subject *bisectSubject) error {
	weights, err := s.priors(ctx, good, line)
	if err != nil {
		return err
	}
	e := BisectEvent{Event: eventLine, Time: s.Now().UTC(), Good: good.SHA, Bad: line[len(line)-1].SHA, Weights: weights, Subject: subject}
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

// dependencyWeight is how much likelier than others a commit is the culprit that
// touches what the benchmark is built from.
const dependencyWeight = 3

// priors returns the weight of each commit of a line.
func (s *auto) priors(ctx context.Context, good gitrepo.Commit, line []gitrepo.Commit) ([]float64, error) {
	weights := make([]float64, len(line))
	pairs := make([][2]string, len(line))
	before := good.SHA
	for i, c := range line {
		weights[i], pairs[i] = 1, [2]string{before, c.SHA}
		before = c.SHA
	}
	if s.target.Kind != config.GoTest {
		return weights, nil
	}
	folders, err := s.dependencies(ctx, line[len(line)-1])
	if err != nil {
		return nil, err
	}
	changed, err := s.repo.ChangedFiles(ctx, pairs)
	if err != nil {
		return nil, &Error{Kind: "git", Err: err}
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
