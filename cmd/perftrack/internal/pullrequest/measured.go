package pullrequest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/artifact"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/comparison"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/githubapi"
	"github.com/perftrack/perftrack/compare"
	"github.com/perftrack/perftrack/reports/github"
	"github.com/perftrack/perftrack/runner/record"
)

// A trialRun is a run of the measuring workflow and what it left, or the trial that the
// user named.
type trialRun struct {
	run        *githubapi.WorkflowRun // nil: the user's trial
	read       bool
	base, head compare.Side
	bad        *noResultError // why there is no trial
	whys       []github.Why   // of regressions, from outside
	used       bool           // a pull request is judged by it
}

// id returns the id of the run, 0 for none.
func (m *trialRun) id() int64 {
	if m.run == nil {
		return 0
	}
	return m.run.ID
}

// findTrials finds what may be judged: the trial that the user names or that is stored
// here, else the runs of the measuring workflow, of which none is read yet.
func (c *job) findTrials(ctx context.Context, p *githubapi.PullRequest) error {
	if c.opt.Asked != "" {
		return c.findAsked(ctx, p)
	}
	if c.event.WorkflowRun == nil || c.opt.Trial != "" {
		where, err := c.session.Locate(ctx)
		if err != nil {
			return err
		}
		m := trialRun{read: true}
		m.base, m.head, err = findTrialSides(ctx, c.session, where, c.opt.Trial)
		c.trials = []*trialRun{&m}
		return err
	}
	runs, err := c.github.MeasuringRuns(ctx, c.event)
	for i := range runs {
		c.trials = append(c.trials, &trialRun{run: &runs[i]})
	}
	return err
}

// readTrial reads what the run left.
func (c *job) readTrial(ctx context.Context, m *trialRun) error {
	if m.read {
		return nil
	}
	data, expired, err := c.github.Artifact(ctx, m.run.ID, artifact.Name)
	if err == nil && data == nil && !expired {
		if ok, err := c.readParts(ctx, m); ok || err != nil {
			return err
		}
	}
	if large := new(githubapi.LargeArtifactError); errors.As(err, &large) {
		m.read, m.bad = true, broken(large.Error(), nil)
		return nil
	}
	if err != nil {
		return err
	}
	m.read = true
	switch {
	case data == nil && expired:
		m.bad = pending("the trial has expired" + runAgain)
	case data == nil, isEmpty(data): // a measurement that ended before its first run leaves an empty export
		m.bad = noResultOf(m.run)
	default:
		runs, err := artifact.ParseTrial(data, "the artifact")
		if err != nil {
			m.bad = broken("the measuring workflow left what is no trial of perftrack", err)
			return nil
		}
		if slices.ContainsFunc(runs, func(r *record.Run) bool { _, ok := compare.PartOf(r); return ok }) {
			m.bad = broken("what was measured is a part, and its artifact does not say so", nil)
			return nil
		}
		m.base, m.head = comparison.SplitSides(runs)
		m.whys = artifact.Whys(data)
	}
	return nil
}

// isEmpty reports whether an artifact is what it should be, with no text.
func isEmpty(data []byte) bool {
	text, err := artifact.Unzip(data)
	return err == nil && len(bytes.TrimSpace(text)) == 0
}

// trialsFor returns the trials of the pull request's head against where it left the
// branch that it is to be merged into, the newest first.
func (c *job) trialsFor(ctx context.Context, j *judgement) (fit []*trialRun, err error) {
	for _, m := range c.trials {
		if err := c.readTrial(ctx, m); err != nil {
			return nil, err
		}
		if m.unfitness(j) == nil {
			m.used = true
			fit = append(fit, m)
		}
	}
	return fit, nil
}

// joinTrials puts all trials into one comparison, so that measuring again takes no regression
// back: the newest, and each earlier one that found a regression or has no gap that the
// newest could have closed. The share of alpha that the first leaves is for the further
// ones, in the order in which they were started, after those that are gone.
func joinTrials(trials []*trialRun, gone int, options compare.Options) (base, head compare.Side) {
	for i, m := range trials {
		b, h := m.asFurther(gone + len(trials) - 1 - i)
		if i == 0 {
			base, head = b, h
			continue
		}
		if one := compare.Compare(b, h, options); one.Count(compare.Regressed) > 0 || isWhole(one) {
			base.Runs, head.Runs = append(base.Runs, b.Runs...), append(head.Runs, h.Runs...)
		}
	}
	return base, head
}

// isWhole reports whether a trial came to its end and lacks nothing.
func isWhole(c *compare.Comparison) bool {
	partial := func(r *record.Run) bool { return r.Status == record.Partial }
	return len(c.Failures) == 0 && c.NotChecked().Benchmarks == 0 && len(c.LostParts()) == 0 &&
		!slices.ContainsFunc(c.Base.Runs, partial) && !slices.ContainsFunc(c.Head.Runs, partial)
}

// asFurther returns the trial as the n-th further one of its commits. What it calls itself
// may be what another one does, and its share of alpha is not for it to say: that of each part is
// one by their number, so that all parts of a measurement have no more than one trial.
func (m *trialRun) asFurther(n int) (base, head compare.Side) {
	of := func(s compare.Side) compare.Side {
		runs := make([]*record.Run, len(s.Runs))
		for i, r := range s.Runs {
			own := *r
			own.Facts = slices.Clone(r.Facts)
			part, _ := compare.PartOf(r)
			if m.run != nil {
				own.Trial = fmt.Sprintf("run-%d", m.run.ID)
				if part.Of > 0 {
					own.Trial += fmt.Sprintf("-%d", part.N)
				}
			}
			switch {
			case n > 0:
				compare.SetShare(&own, compare.FurtherShare(n)*part.Share())
			case part.Of > 0:
				compare.SetShare(&own, min(compare.ShareOf(r), part.Share()))
			}
			runs[i] = &own
		}
		s.Runs = runs
		return s
	}
	return of(m.base), of(m.head)
}

// unfitness returns why the pull request cannot be judged by the trial, nil if it can.
func (m *trialRun) unfitness(j *judgement) *noResultError {
	switch {
	case m.bad != nil:
		return m.bad
	case m.otherDecision() != "":
		return broken(m.otherDecision(), nil)
	case m.calibrates():
		return broken("what was measured is a calibration, of which nothing is decided", nil)
	case sideCommit(m.head) != j.head():
		return broken("another commit was measured than the head of the "+j.what(), nil)
	case j.base == "" && j.group != nil:
		return pending("what the merge group was put on is not known: queue the pull request again")
	case sideCommit(m.base) != j.base && j.group != nil:
		return pending("another commit was measured than the one that the merge group was put on: queue the pull request again")
	case j.base == "":
		return pending("where the pull request left " + j.pull.BaseName() + " is not known: rebase it")
	case sideCommit(m.base) != j.base:
		return pending(fmt.Sprintf("the base that was measured is not where the pull request left %s", j.pull.BaseName()) + runAgain)
	}
	return nil
}

// otherDecision says by which procedure else than this perftrack's the trial is to be decided, if
// so: who wrote it may not choose by what it is judged.
func (m *trialRun) otherDecision() string {
	for _, r := range slices.Concat(m.base.Runs, m.head.Runs) {
		if !compare.Decides(r) {
			return fmt.Sprintf("the trial is decided by %s, this perftrack by %s: use one version for both",
				compare.DecisionName(r.Facts.Get(record.KeyDecision)), compare.DecisionName(string(compare.NewProcedure)))
		}
	}
	return ""
}

// calibrates reports whether a run of the trial says that it is of one source against itself.
func (m *trialRun) calibrates() bool {
	return slices.ContainsFunc(slices.Concat(m.base.Runs, m.head.Runs), func(r *record.Run) bool {
		return r.Facts.Get(record.KeyProcedure) == compare.ProcedureCalibrate
	})
}

// errNoTrial returns why there is no trial to judge the pull request by: the reason of the
// newest run by which no other pull request of the same head is judged.
func (c *job) errNoTrial(j *judgement) *noResultError {
	for _, m := range c.trials {
		if !m.used {
			return m.unfitness(j)
		}
	}
	if j.group != nil {
		return pending("the merge group has not been measured" + runAgain)
	}
	return pending(fmt.Sprintf("pull request %d has not been measured against %s", j.pull.Number, j.pull.BaseName()) + runAgain)
}

// sideCommit returns the commit of a side of a trial; artifact made sure that it is one.
func sideCommit(s compare.Side) string {
	for _, r := range s.Runs {
		return r.Commit.SHA
	}
	return ""
}
