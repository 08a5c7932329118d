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

// autoLog is the log file of the bisection driven by perftrack itself.
const autoLog = "auto.jsonl"

// A Search is a bisection driven by perftrack itself.
type Search struct {
	*bisection
	good, bad gitrepo.Commit
	line      []gitrepo.Commit // good, then all candidates up to bad
	position  map[string]int   // position of each commit in line
	weights   []float64        // prior weights of the candidates
	Finished  bool
}

// Auto searches rng, "GOOD..BAD", for the commit that changed a benchmark. If rng is empty or the
// same as before, it continues the interrupted search. If there is an error, including the
// cancellation of ctx, it returns the findings so far as well.
func Auto(ctx context.Context, a *workspace.Session, rng string, opt Options) (res *Result, err error) {
	b, closeAll, err := openBisection(ctx, a, opt)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, closeAll()) }()
	// A killed perftrack may have left worktrees behind.
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

// OpenSearch opens the stored search so the caller can measure more. The caller must call closeAll,
// which releases the lock on measuring.
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

// Status returns the current findings of the search.
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

// Undo undoes the last step of the search: the findings about the last chosen commit. The samples
// stay stored.
func Undo(ctx context.Context, a *workspace.Session) (undone Event, err error) {
	s, err := storedBisection(ctx, a)
	if err != nil {
		return undone, err
	}
	events := s.log.valid()
	i := lastStep(events)
	if i < 0 {
		return undone, fault.Data(errors.New("there is no step to undo; forget the whole bisection with `perftrack bisect-helper reset`"))
	}
	if err := os.Remove(filepath.Join(s.Dir, ExplanationFile)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return undone, fault.IO(err) // the explanation depends on the undone step
	}
	return events[i], s.log.add(Event{Event: eventUndo, Time: a.Now().UTC()})
}

// storedBisection reads the stored search without preparing to measure.
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

// read reads the log and selects the newest line of commits in it.
func (s *Search) read(ctx context.Context) (err error) {
	if s.log, err = readBisectLog(filepath.Join(s.Dir, autoLog)); err != nil {
		return err
	}
	return s.follow(ctx)
}

// follow selects the newest line of commits in the log.
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

// logged returns the contrast between two commits according to the log, and whether it needs more
// pairs.
func (s *Search) logged(base, head gitrepo.Commit) (c *search.Contrast, open bool) {
	c, open = s.newContrast(), true
	for _, p := range pairsOf(s.log.valid(), s.env, base.SHA, head.SHA) {
		if open {
			open = c.Add(p[0], p[1])
		}
	}
	return c, open
}

// model returns the statistical model of the search, with everything in the log about the current
// line of commits.
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

// search continues the search until the culprit is confirmed.
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
	s.Session.Milestonef("%s: comparing the ends %s and %s", reports.Plural(len(s.line)-1, "commit"), record.ShortHash(s.good.SHA), record.ShortHash(s.bad.SHA))
	ends, err := s.ends(ctx, s.good, s.bad)
	if err != nil {
		return err
	}
	d := ends.Decision()
	if !distinguishes(d) {
		return s.indistinct(s.good, s.bad, d)
	}
	for {
		m := s.model(d.Exact)
		if m.Posterior().Culprit == nil {
			return fault.Data(errors.New("the measurements contradict each other, so that no commit can be the culprit; undo the last step with `perftrack bisect-helper undo`"))
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

// tell reports the next commit to measure and the findings so far.
func (s *Search) tell(m *search.Search, next int) {
	likeliest := m.Posterior().Candidates[0]
	s.Session.Milestonef("measuring %s; the most likely culprit of %s is %s with %.0f %%", record.ShortHash(s.line[next].SHA),
		reports.Plural(len(s.line)-1, "commit"), record.ShortHash(s.line[likeliest.Last].SHA), 100*likeliest.P)
}

func (s *Search) certainty(exact bool) float64 {
	if exact {
		return 1 - 1e-9
	}
	return search.Certainty
}

// culprit returns the currently most likely commit.
func (s *Search) culprit(exact bool) gitrepo.Commit {
	return s.line[s.model(exact).Posterior().Candidates[0].Last]
}

// step measures a commit against the known-good one until measuring another commit would be more
// informative.
func (s *Search) step(ctx context.Context, c gitrepo.Commit, p float64, exact bool) error {
	if same, err := s.knownProgram(c); err != nil || same {
		return err
	}
	if err := s.log.add(Event{Event: eventChoose, Time: s.Session.Now().UTC(), Commit: c.SHA, P: p}); err != nil {
		return err
	}
	limit := maxStepPairs
	if exact {
		limit = 1
	}
	had := len(pairsOf(s.log.valid(), s.env, s.good.SHA, c.SHA))
	asked, wanted := 0, true
	more := func() bool {
		n := len(pairsOf(s.log.valid(), s.env, s.good.SHA, c.SHA)) - had
		if exact {
			return n == 0
		}
		if n-asked >= search.Batch { // workers may bring several pairs at once
			next, ok := s.model(exact).Next(search.Certainty)
			asked, wanted = n, ok && s.line[next].SHA == c.SHA
		}
		return wanted
	}
	return s.outcome(s.measure(ctx, s.good, c, limit, more), s.good, c)
}

// maxStepPairs is the largest number of pairs measured each time a commit is chosen.
const maxStepPairs = 100

// outcome logs why the commits could not be measured: they are the same program, or one of them
// must be skipped. It returns any other error.
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

// knownProgram reports whether a commit built before has the same program as another commit of the
// line. If so, it logs this.
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

// alike reports whether two commits are already known to have the same program.
func (s *Search) alike(i, j int) bool {
	return slices.ContainsFunc(s.log.valid(), func(e Event) bool {
		return e.Event == eventSame && s.position[e.Base] <= min(i, j) && s.position[e.Head] >= max(i, j)
	})
}

// confirm measures the most likely commit against the last measurable one before it. It reports
// whether nothing is left to do, because this commit is the culprit or no number of pairs could
// decide it. The search also uses these samples.
func (s *Search) confirm(ctx context.Context, c search.Candidate) (done bool, err error) {
	base, head := s.line[c.First-1], s.line[c.Last]
	if _, open := s.logged(base, head); !open {
		return true, nil
	}
	s.Session.Milestonef("confirming %s against %s", record.ShortHash(head.SHA), record.ShortHash(base.SHA))
	if err := s.log.add(Event{Event: eventConfirm, Time: s.Session.Now().UTC(), Base: base.SHA, Head: head.SHA, P: c.P}); err != nil {
		return false, err
	}
	_, err = s.contrast(ctx, base, head)
	return false, s.outcome(err, base, head)
}

// intoMerge continues the search inside the culprit and returns true if the culprit is a merge and
// the options request it. It searches the merged branch, from the point where the branches forked
// to the merge.
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
	s.Session.Noticef("%s is a merge: searching its %d merged commits", record.ShortHash(c.SHA), len(line))
	return true, s.enter(ctx, fork, append(line, c), nil)
}

// ended returns the contrast between the ends of the line and the decision about it.
func (s *Search) ended() (c *search.Contrast, d compare.Decision, err error) {
	c, open := s.logged(s.good, s.bad)
	d = c.Decision()
	if open || !distinguishes(d) {
		return c, d, s.indistinct(s.good, s.bad, d)
	}
	return c, d, nil
}
