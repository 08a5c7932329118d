package app

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"math"
	"path/filepath"

	"github.com/perftrack/perftrack/compare/search"
	"github.com/perftrack/perftrack/runner/gitrepo"
)

// A BisectAnswer is what `git bisect run` is told about a commit.
type BisectAnswer struct {
	Commit gitrepo.Commit
	Bad    bool
	Skip   bool    // neither: see Reason
	P      float64 // probability that it is bad
	Pairs  int     // that this rests on; 0 where none was needed
	Reason string
}

// A stepping is one step of git bisect run.
type stepping struct {
	*bisection
	state gitrepo.Bisecting
}

// BisectStep judges the commit that git bisect wants to know about. The first step
// tells the two ends apart, and is an error where that cannot be done.
func BisectStep(ctx context.Context, a *App, opt BisectOptions) (answer BisectAnswer, err error) {
	where, _ := a.unconfigured(ctx)
	if err := where.needRepo("there is nothing to bisect"); err != nil {
		return answer, err
	}
	if err := where.pin(opt.CPUs); err != nil {
		return answer, err
	}
	s := &stepping{}
	if s.state, err = where.repo.Bisecting(ctx); err != nil {
		return answer, &Error{Kind: "git", Err: err}
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
	if b.log, err = readBisectLog(filepath.Join(b.dir, s.logName())); err != nil {
		return answer, err
	}
	if err := b.choose(ctx, s.state.Bad); err != nil {
		return answer, err
	}
	if b.log.subject() == nil {
		line := BisectEvent{Event: eventLine, Time: b.session.Now().UTC(), Good: s.state.Good.SHA, Bad: s.state.Bad.SHA, Subject: &b.subject}
		if err := b.log.add(line); err != nil {
			return answer, err
		}
	}
	return s.answer(ctx)
}

// logName is the same for all bisections of one question, so that none measures
// again what another one knows.
func (s *stepping) logName() string {
	o := s.opt
	question := []string{s.state.Good.SHA, s.state.Bad.SHA, o.Target, o.Package, o.Bench, o.Unit, o.Benchtime}
	if o.CPUs != "" {
		question = append(question, o.CPUs)
	}
	sum := sha256.Sum256(fmt.Appendf(nil, "%q", question))
	return "run-" + hex.EncodeToString(sum[:8]) + ".jsonl"
}

func (s *stepping) answer(ctx context.Context) (BisectAnswer, error) {
	next := s.state.Next
	if a, ok := s.known(next); ok {
		return a, nil
	}
	ends, err := s.ends(ctx, s.state.Good, s.state.Bad)
	if err != nil {
		return BisectAnswer{}, err
	}
	d := ends.Decision()
	if !isApart(d) {
		return BisectAnswer{}, s.notApart(s.state.Good, s.state.Bad, d)
	}
	var a BisectAnswer
	if d.Exact {
		a, err = s.count(ctx, next)
	} else {
		a, err = s.test(ctx, next, ends.LogRatios())
	}
	var unmeasurable *unmeasurableError
	switch {
	case errors.As(err, &unmeasurable) && unmeasurable.commit == next.SHA:
		a = BisectAnswer{Commit: next, Skip: true, Reason: unmeasurable.err.Error()}
		err = s.log.add(BisectEvent{Event: eventSkip, Time: s.session.Now().UTC(), Commit: next.SHA, Env: s.env, Reason: a.Reason})
		return a, err
	case err != nil:
		return a, err
	}
	return a, s.log.add(BisectEvent{Event: eventVerdict, Time: s.session.Now().UTC(), Commit: next.SHA, Env: s.env, IsBad: a.Bad, P: a.P, Reason: skipReason(a)})
}

func skipReason(a BisectAnswer) string {
	if a.Skip {
		return a.Reason
	}
	return ""
}

// known returns what an earlier step said of the commit in this environment.
func (s *stepping) known(c gitrepo.Commit) (BisectAnswer, bool) {
	events := s.log.valid()
	if reason := skipped(events, s.env, c.SHA); reason != "" {
		return BisectAnswer{Commit: c, Skip: true, Reason: reason}, true
	}
	for _, e := range events {
		if e.Event == eventVerdict && e.Commit == c.SHA && e.Env == s.env {
			pairs := len(pairsOf(events, s.env, s.state.Good.SHA, c.SHA))
			return BisectAnswer{Commit: c, Bad: e.IsBad, P: e.P, Pairs: pairs, Skip: e.Reason != "", Reason: e.Reason}, true
		}
	}
	return BisectAnswer{}, false
}

// test measures the commit beside the good end until it is clearly one or the other.
func (s *stepping) test(ctx context.Context, c gitrepo.Commit, ends []float64) (a BisectAnswer, err error) {
	n, err := s.where.repo.Count(ctx, s.state.Good, s.state.Bad)
	if err != nil {
		return a, &Error{Kind: "git", Err: err}
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
	a = BisectAnswer{Commit: c, Pairs: used}
	switch {
	case errors.Is(err, errSameProgram):
		a.Reason = "its program is that of the good commit"
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

// count tells the commit by a count that repeats exactly: it belongs to the end whose
// count is nearer.
func (s *stepping) count(ctx context.Context, c gitrepo.Commit) (a BisectAnswer, err error) {
	more := func() bool { return len(pairsOf(s.log.valid(), s.env, s.state.Good.SHA, c.SHA)) == 0 }
	if more() {
		err = s.measure(ctx, s.state.Good, c, 1, more)
	}
	a = BisectAnswer{Commit: c, Pairs: 1}
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

func (s *stepping) logRatios(commit string) []float64 {
	return logRatios(pairsOf(s.log.valid(), s.env, s.state.Good.SHA, commit))
}

// logRatios returns ln(head/base); pairs with a value that is not above 0 have none.
func logRatios(pairs [][2]float64) (out []float64) {
	for _, p := range pairs {
		if p[0] > 0 && p[1] > 0 {
			out = append(out, math.Log(p[1]/p[0]))
		}
	}
	return out
}
