package bisect

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"math"
	"path/filepath"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/fault"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/workspace"
	"github.com/perftrack/perftrack/compare/search"
	"github.com/perftrack/perftrack/runner/gitrepo"
)

// An Answer is the judgement on a commit for `git bisect run`.
type Answer struct {
	Commit gitrepo.Commit
	Bad    bool
	Skip   bool    // neither good nor bad: see Reason
	P      float64 // probability that it is bad
	Pairs  int     // number of pairs used for P; may be 0
	Reason string
}

// A gitStep is one step of git bisect run.
type gitStep struct {
	*bisection
	state gitrepo.BisectState
}

// Step judges the current commit of git bisect. The first step must distinguish the two ends and
// fails if it cannot.
func Step(ctx context.Context, a *workspace.Session, opt Options) (answer Answer, err error) {
	where, _ := a.LocateUnconfigured(ctx)
	if err := where.NeedRepo("there is nothing to bisect"); err != nil {
		return answer, err
	}
	if err := where.Pin(opt.Flags.CPUs); err != nil {
		return answer, err
	}
	s := &gitStep{}
	if s.state, err = where.Repo.BisectState(ctx); err != nil {
		return answer, fault.Git(err)
	}
	where, ground, remove, err := atBadEnd(ctx, a, where, s.state.Bad)
	if err != nil {
		return answer, err
	}
	defer func() { err = errors.Join(err, remove()) }()
	b, closeAll, err := openBisectionAt(ctx, a, where, ground, opt)
	if err != nil {
		return answer, err
	}
	defer func() { err = errors.Join(err, closeAll()) }()
	s.bisection = b
	if b.log, err = readBisectLog(filepath.Join(b.Dir, s.logName())); err != nil {
		return answer, err
	}
	if err := b.choose(ctx, s.state.Bad); err != nil {
		return answer, err
	}
	if b.log.subject() == nil {
		line := Event{Event: eventLine, Time: b.Session.Now().UTC(), Good: s.state.Good.SHA, Bad: s.state.Bad.SHA, Subject: &b.Subject}
		if err := b.log.add(line); err != nil {
			return answer, err
		}
	}
	return s.answer(ctx)
}

// logName returns the name of the log. All bisections with the same question share a log, to reuse
// each other's measurements.
func (s *gitStep) logName() string {
	o := s.Opt
	question := []string{s.state.Good.SHA, s.state.Bad.SHA, o.Target, o.Package, o.Flags.Bench, o.Unit, o.Flags.Benchtime}
	if o.Flags.CPUs != "" {
		question = append(question, o.Flags.CPUs)
	}
	sum := sha256.Sum256(fmt.Appendf(nil, "%q", question))
	return "run-" + hex.EncodeToString(sum[:8]) + ".jsonl"
}

func (s *gitStep) answer(ctx context.Context) (Answer, error) {
	next := s.state.Next
	if a, ok := s.known(next); ok {
		return a, nil
	}
	ends, err := s.ends(ctx, s.state.Good, s.state.Bad)
	if err != nil {
		return Answer{}, err
	}
	d := ends.Decision()
	if !distinguishes(d) {
		return Answer{}, s.indistinct(s.state.Good, s.state.Bad, d)
	}
	var a Answer
	if d.Exact {
		a, err = s.count(ctx, next)
	} else {
		a, err = s.test(ctx, next, ends.LogRatios())
	}
	var unmeasurable *unmeasurableError
	switch {
	case errors.As(err, &unmeasurable) && unmeasurable.commit == next.SHA:
		a = Answer{Commit: next, Skip: true, Reason: unmeasurable.err.Error()}
		err = s.log.add(Event{Event: eventSkip, Time: s.Session.Now().UTC(), Commit: next.SHA, Env: s.env, Reason: a.Reason})
		return a, err
	case err != nil:
		return a, err
	}
	return a, s.log.add(Event{Event: eventVerdict, Time: s.Session.Now().UTC(), Commit: next.SHA, Env: s.env, IsBad: a.Bad, P: a.P, Reason: skipReason(a)})
}

func skipReason(a Answer) string {
	if a.Skip {
		return a.Reason
	}
	return ""
}

// known returns an earlier step's answer for the commit in this environment.
func (s *gitStep) known(c gitrepo.Commit) (Answer, bool) {
	events := s.log.valid()
	if reason := skipped(events, s.env, c.SHA); reason != "" {
		return Answer{Commit: c, Skip: true, Reason: reason}, true
	}
	for _, e := range events {
		if e.Event == eventVerdict && e.Commit == c.SHA && e.Env == s.env {
			pairs := len(pairsOf(events, s.env, s.state.Good.SHA, c.SHA))
			return Answer{Commit: c, Bad: e.IsBad, P: e.P, Pairs: pairs, Skip: e.Reason != "", Reason: e.Reason}, true
		}
	}
	return Answer{}, false
}

// test measures the commit against the good end until it is clearly good or bad.
func (s *gitStep) test(ctx context.Context, c gitrepo.Commit, ends []float64) (a Answer, err error) {
	n, err := s.Where.Repo.Count(ctx, s.state.Good, s.state.Bad)
	if err != nil {
		return a, fault.Git(err)
	}
	var good, bad []float64
	for _, e := range s.log.valid() {
		if e.Event == eventVerdict && e.Env == s.env && e.Reason == "" {
			if e.IsBad {
				bad = append(bad, s.logRatios(e.Commit)...)
			} else {
				good = append(good, s.logRatios(e.Commit)...)
			}
		}
	}
	step := search.NewStep(n, ends, good, bad)
	used, decided := 0, false
	more := func() bool {
		ratios := s.logRatios(c.SHA)
		for ; used < len(ratios) && !decided; used++ {
			step.Add(ratios[used])
			_, decided = step.Decided()
		}
		return !decided && used < search.MaxPairs
	}
	if more() {
		err = s.measure(ctx, s.state.Good, c, search.MaxPairs, more)
	}
	a = Answer{Commit: c, Pairs: used}
	switch {
	case errors.Is(err, errSameProgram):
		a.Reason = "its program is the same as the good commit's"
		return a, nil
	case err != nil:
		return a, err
	}
	more()
	a.Pairs = used
	a.Bad, decided = step.Decided()
	a.P = step.Bad()
	if !decided {
		a.Skip, a.Reason = true, fmt.Sprintf("undecided after %d pairs", used)
	}
	return a, nil
}

// count judges the commit by an exactly repeating count. The commit gets the verdict of the end
// with the nearer count.
func (s *gitStep) count(ctx context.Context, c gitrepo.Commit) (a Answer, err error) {
	more := func() bool { return len(pairsOf(s.log.valid(), s.env, s.state.Good.SHA, c.SHA)) == 0 }
	if more() {
		err = s.measure(ctx, s.state.Good, c, 1, more)
	}
	a = Answer{Commit: c, Pairs: 1}
	if errors.Is(err, errSameProgram) {
		return a, nil
	} else if err != nil {
		return a, err
	}
	ends := pairsOf(s.log.valid(), s.env, s.state.Good.SHA, s.state.Bad.SHA)[0]
	value := pairsOf(s.log.valid(), s.env, s.state.Good.SHA, c.SHA)[0][1]
	a.Bad = nearerSecond(value, ends)
	if a.Bad {
		a.P = 1
	}
	return a, nil
}

func nearerSecond(v float64, ends [2]float64) bool {
	return math.Abs(v-ends[1]) < math.Abs(v-ends[0])
}

func (s *gitStep) logRatios(commit string) []float64 {
	return logRatios(pairsOf(s.log.valid(), s.env, s.state.Good.SHA, commit))
}

// logRatios returns ln(head/base) for each pair of positive values.
func logRatios(pairs [][2]float64) (out []float64) {
	for _, p := range pairs {
		if p[0] > 0 && p[1] > 0 {
			out = append(out, math.Log(p[1]/p[0]))
		}
	}
	return out
}
