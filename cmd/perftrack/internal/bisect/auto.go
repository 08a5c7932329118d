package bisect

import (
	"context"
	"errors"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/fault"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/workspace"
	"github.com/perftrack/perftrack/compare"
	"github.com/perftrack/perftrack/compare/search"
	"github.com/perftrack/perftrack/reports"
	"github.com/perftrack/perftrack/runner/gitrepo"
	"github.com/perftrack/perftrack/runner/gitrepo/worktree"
	"github.com/perftrack/perftrack/runner/record"
)

// autoLog is the log of the one bisection that perftrack drives itself.
const autoLog = "auto.jsonl"

// A Search is a bisection that perftrack drives itself.
type Search struct {
	*bisection
	good, bad gitrepo.Commit
	line      []gitrepo.Commit // good, then all candidates up to bad
	position  map[string]int   // of the commits of the line
	weights   []float64        // of the candidates
	Finished  bool
}

// Auto searches rng, "GOOD..BAD", for the commit that changed a benchmark, or
// goes on with the search that was interrupted where rng is empty or the same.
// What was found out so far is returned beside an error, ctx's cancellation included.
func Auto(ctx context.Context, a *workspace.Session, rng string, opt Options) (res *Result, err error) {
	b, closeAll, err := openBisection(ctx, a, opt)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, closeAll()) }()
	// What a perftrack left that was killed together with its guard.
	if err := worktree.Prune(ctx, b.Where.Repo); err != nil {
		b.Session.Noticef("%v", err)
	}
	s := &Search{bisection: b}
	if err := s.open(ctx, rng); err != nil {
		return nil, err
	}
	err = s.search(ctx)
	res, resultErr := s.Result(context.WithoutCancel(ctx))
	return res, errors.Join(err, resultErr)
}

// OpenSearch opens the search that is stored, to measure more. The caller must call
// closeAll; the lock on measuring is held until then.
func OpenSearch(ctx context.Context, a *workspace.Session) (s *Search, closeAll func() error, err error) {
	b, closeAll, err := openBisection(ctx, a, Options{})
	if err != nil {
		return nil, nil, err
	}
	s = &Search{bisection: b}
	if err := s.open(ctx, ""); err != nil {
		return nil, nil, errors.Join(err, closeAll())
	}
	return s, closeAll, nil
}

// Status returns what the search knows now.
func Status(ctx context.Context, a *workspace.Session) (res *Result, err error) {
	s, err := storedBisection(ctx, a)
	if err != nil {
		return nil, err
	}
	return s.Result(ctx)
}

// Events returns the log of the search.
func Events(ctx context.Context, a *workspace.Session) ([]Event, error) {
	s, err := storedBisection(ctx, a)
	if err != nil {
		return nil, err
	}
	return s.log.events, nil
}

// Undo takes back the last step of the search: what the last commit that it
// chose gave. The samples stay stored.
func Undo(ctx context.Context, a *workspace.Session) (undone Event, err error) {
	s, err := storedBisection(ctx, a)
	if err != nil {
		return undone, err
	}
	events := s.log.valid()
	i := lastStep(events)
	if i < 0 {
		return undone, fault.Data(errors.New("there is no step to undo: `perftrack bisect-helper reset` forgets the whole bisection"))
	}
	if err := os.Remove(filepath.Join(s.Dir, ExplanationFile)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return undone, fault.IO(err) // it rests on what is taken back
	}
	return events[i], s.log.add(Event{Event: eventUndo, Time: a.Now().UTC()})
}

// storedBisection reads the search without measuring.
func storedBisection(ctx context.Context, a *workspace.Session) (*Search, error) {
	where, err := a.Locate(ctx)
	if err != nil {
		return nil, err
	}
	if err := where.NeedRepo("there is no bisection"); err != nil {
		return nil, err
	}
	s := &Search{bisection: &bisection{Session: a, Where: where, ground: where, Dir: bisectDir(where)}}
	if err := s.read(ctx); err != nil {
		return nil, err
	}
	if s.log.subject() == nil {
		return nil, fault.Data(errors.New("no bisection is stored: start one with `perftrack bisect-helper auto GOOD..BAD --bench NAME`"))
	}
	return s, s.choose(ctx, s.bad)
}

// read reads the log and the line that it is at.
func (s *Search) read(ctx context.Context) (err error) {
	if s.log, err = readBisectLog(filepath.Join(s.Dir, autoLog)); err != nil {
		return err
	}
	return s.follow(ctx)
}

// follow takes the newest line of the log.
func (s *Search) follow(ctx context.Context) error {
	var line *Event
	s.Finished = false
	for _, e := range s.log.valid() {
		switch e.Event {
		case eventLine:
			line, s.Finished = &e, false
		case eventFound:
			s.Finished = true
		}
	}
	if line == nil {
		return nil
	}
	s.line, s.weights, s.position = nil, line.Weights, map[string]int{}
	for i, sha := range append([]string{line.Good}, line.Line...) {
		c, err := s.Where.Repo.Resolve(ctx, sha)
		if err != nil {
			return fault.Git(err)
		}
		s.line, s.position[sha] = append(s.line, c), i
	}
	s.good, s.bad = s.line[0], s.line[len(s.line)-1]
	return nil
}

// logged returns the contrast of two commits, from what is in the log, and whether it
// needs more pairs.
func (s *Search) logged(base, head gitrepo.Commit) (c *search.Contrast, open bool) {
	c, open = s.newContrast(), true
	for _, p := range pairsOf(s.log.valid(), s.env, base.SHA, head.SHA) {
		if open {
			open = c.Add(p[0], p[1])
		}
	}
	return c, open
}

// model is what is known: everything in the log that is of this line.
func (s *Search) model(exact bool) *search.Search {
	m := search.New(len(s.line)-1, s.weights)
	ends := pairsOf(s.log.valid(), s.env, s.good.SHA, s.bad.SHA)
	for _, e := range s.log.valid() {
		base, baseOK := s.position[e.Base]
		head, headOK := s.position[e.Head]
		commit, commitOK := s.position[e.Commit]
		switch {
		case e.Event == eventSkip && commitOK && e.Env == s.env:
			m.Skip(commit)
		case e.Event == eventSame && baseOK && headOK:
			m.Same(min(base, head), max(base, head))
		case e.Event == eventHistory && e.Env == s.env && !exact && baseOK && e.Head == "" && e.Values[0] > 0:
			m.AddUnpaired(search.Level{Commit: base, Log: math.Log(e.Values[0])})
		case e.Event != eventPair && e.Event != eventHistory || e.Env != s.env || !baseOK || !headOK:
		case exact && e.Event == eventPair:
			for i, at := range []int{base, head} {
				if at != 0 && at != len(s.line)-1 {
					m.Known(at, nearerSecond(e.Values[i], ends[0]))
				}
			}
		case !exact:
			for _, r := range logRatios([][2]float64{*e.Values}) {
				m.Add(search.Pair{Base: base, Head: head, LogRatio: r})
			}
		}
	}
	return m
}

// search goes on until the culprit is confirmed.
func (s *Search) search(ctx context.Context) error {
	for {
		if !s.Finished {
			if err := s.searchLine(ctx); err != nil {
				return err
			}
		}
		into, err := s.intoMerge(ctx)
		if err != nil || !into {
			return err
		}
	}
}

func (s *Search) searchLine(ctx context.Context) error {
	s.Session.Milestonef("%s: telling the ends %s and %s apart", reports.Plural(len(s.line)-1, "commit"), record.ShortHash(s.good.SHA), record.ShortHash(s.bad.SHA))
	ends, err := s.ends(ctx, s.good, s.bad)
	if err != nil {
		return err
	}
	d := ends.Decision()
	if !isApart(d) {
		return s.notApart(s.good, s.bad, d)
	}
	for {
		m := s.model(d.Exact)
		if m.Posterior().Culprit == nil {
			return fault.Data(errors.New("what was measured contradicts itself: no commit can be the culprit; take the last step back with `perftrack bisect-helper undo`"))
		}
		next, ok := m.Next(s.certainty(d.Exact))
		if ok {
			s.tell(m, next)
			err = s.step(ctx, s.line[next], m.Posterior().Before(next), d.Exact)
		} else if ok, err = s.confirm(ctx, m.Posterior().Candidates[0]); ok {
			break
		}
		if err != nil {
			return err
		}
	}
	if err := s.log.add(Event{Event: eventFound, Time: s.Session.Now().UTC(), Commit: s.culprit(d.Exact).SHA}); err != nil {
		return err
	}
	s.Finished = true
	return nil
}

// tell says which commit is measured next, and what is known.
func (s *Search) tell(m *search.Search, next int) {
	likeliest := m.Posterior().Candidates[0]
	s.Session.Milestonef("measuring %s; the likeliest of %s is %s with %.0f %%", record.ShortHash(s.line[next].SHA),
		reports.Plural(len(s.line)-1, "commit"), record.ShortHash(s.line[likeliest.Last].SHA), 100*likeliest.P)
}

func (s *Search) certainty(exact bool) float64 {
	if exact {
		return 1 - 1e-9
	}
	return search.Certainty
}

// culprit is the likeliest commit now.
func (s *Search) culprit(exact bool) gitrepo.Commit {
	return s.line[s.model(exact).Posterior().Candidates[0].Last]
}

// step measures a commit beside the known-good one until another one says more.
func (s *Search) step(ctx context.Context, c gitrepo.Commit, p float64, exact bool) error {
	if same, err := s.knownProgram(c); err != nil || same {
		return err
	}
	if err := s.log.add(Event{Event: eventChoose, Time: s.Session.Now().UTC(), Commit: c.SHA, P: p}); err != nil {
		return err
	}
	had := len(pairsOf(s.log.valid(), s.env, s.good.SHA, c.SHA))
	more := func() bool {
		n := len(pairsOf(s.log.valid(), s.env, s.good.SHA, c.SHA)) - had
		if exact || n == 0 || n%search.Batch != 0 {
			return n == 0 || !exact
		}
		m := s.model(exact)
		next, ok := m.Next(search.Certainty)
		return ok && s.line[next].SHA == c.SHA
	}
	return s.outcome(s.measure(ctx, s.good, c, maxStepPairs, more), s.good, c)
}

// maxStepPairs bounds one visit of a commit.
const maxStepPairs = 100

// outcome logs what a measurement that did not take place says of its commits.
func (s *Search) outcome(err error, base, head gitrepo.Commit) error {
	var unmeasurable *unmeasurableError
	switch {
	case errors.Is(err, errSameProgram):
		return s.log.add(Event{Event: eventSame, Time: s.Session.Now().UTC(), Base: base.SHA, Head: head.SHA})
	case errors.As(err, &unmeasurable) && unmeasurable.commit != s.good.SHA && unmeasurable.commit != s.bad.SHA:
		s.Session.Noticef("skipped %s: %s", record.ShortHash(unmeasurable.commit), SkipReason(unmeasurable.err.Error()))
		return s.log.add(Event{Event: eventSkip, Time: s.Session.Now().UTC(), Commit: unmeasurable.commit, Env: s.env, Reason: unmeasurable.err.Error()})
	}
	return err
}

// knownProgram reports whether a commit, if it was built before, has the program of
// another one of the line, and logs that.
func (s *Search) knownProgram(c gitrepo.Commit) (bool, error) {
	at := s.position[c.SHA]
	for i, other := range s.line {
		if i == at || s.alike(i, at) {
			continue
		}
		same, err := s.same(other.SHA, c.SHA)
		if err != nil {
			return false, err
		}
		if same {
			return true, s.log.add(Event{Event: eventSame, Time: s.Session.Now().UTC(), Base: s.line[min(i, at)].SHA, Head: s.line[max(i, at)].SHA})
		}
	}
	return false, nil
}

// alike reports whether it is known already that two commits have the same program.
func (s *Search) alike(i, j int) bool {
	return slices.ContainsFunc(s.log.valid(), func(e Event) bool {
		return e.Event == eventSame && s.position[e.Base] <= min(i, j) && s.position[e.Head] >= max(i, j)
	})
}

// confirm measures the likeliest commit against the one before it that can be
// measured, and reports whether there is nothing left to do: it is the culprit, or no
// number of pairs would tell. What was measured counts in the search.
func (s *Search) confirm(ctx context.Context, c search.Candidate) (done bool, err error) {
	base, head := s.line[c.First-1], s.line[c.Last]
	if _, open := s.logged(base, head); !open {
		return true, nil
	}
	s.Session.Milestonef("confirming %s beside %s", record.ShortHash(head.SHA), record.ShortHash(base.SHA))
	if err := s.log.add(Event{Event: eventConfirm, Time: s.Session.Now().UTC(), Base: base.SHA, Head: head.SHA, P: c.P}); err != nil {
		return false, err
	}
	_, err = s.contrast(ctx, base, head)
	return false, s.outcome(err, base, head)
}

// intoMerge goes on inside a merge that is the culprit, if that is asked for: from
// where the branches parted to the merge, along what was merged.
func (s *Search) intoMerge(ctx context.Context) (bool, error) {
	if !s.Opt.IntoMerges || !s.Finished {
		return false, nil
	}
	_, d, err := s.ended()
	if err != nil {
		return false, err
	}
	c := s.culprit(d.Exact)
	inside := slices.ContainsFunc(s.log.events, func(e Event) bool { return e.Event == eventLine && e.Subject == nil && e.Bad == c.SHA })
	if len(c.Parents) != 2 || inside {
		return false, nil
	}
	fork, err := s.Where.Repo.MergeBase(ctx, c.Parents[0], c.Parents[1])
	if err != nil {
		return false, fault.Git(err)
	}
	merged, err := s.Where.Repo.Resolve(ctx, c.Parents[1])
	if err != nil {
		return false, fault.Git(err)
	}
	line, err := s.Where.Repo.Line(ctx, fork, merged)
	if err != nil {
		return false, fault.Git(err)
	}
	s.Session.Noticef("%s is a merge: searching the %d commits that it merged", record.ShortHash(c.SHA), len(line))
	return true, s.enter(ctx, fork, append(line, c), nil)
}

// ended returns the decision about the ends of the line.
func (s *Search) ended() (c *search.Contrast, d compare.Decision, err error) {
	c, open := s.logged(s.good, s.bad)
	d = c.Decision()
	if open || !isApart(d) {
		return c, d, s.notApart(s.good, s.bad, d)
	}
	return c, d, nil
}
