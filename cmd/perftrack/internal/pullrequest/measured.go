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
	"github.com/perftrack/perftrack/compare/pairs"
	"github.com/perftrack/perftrack/reports/github"
	"github.com/perftrack/perftrack/runner/record"
)

// A trialRun is a run of the measuring workflow together with its trial, or a trial named by the
// user.
type trialRun struct {
	run        *githubapi.WorkflowRun // nil for a trial named by the user
	read       bool
	base, head compare.Side
	bad        *noResultError // why there is no trial
	whys       []github.Why   // untrusted
	used       bool           // whether a pull request is judged by it
}

// id returns the id of the run, or 0 without a run.
func (m *trialRun) id() int64 {
	if m.run == nil {
		return 0
	}
	return m.run.ID
}

// findTrials finds the trials to judge. If the user named a trial or the event has no run, this is
// a trial in a file or in the database. Otherwise it lists the runs of the measuring workflow,
// without reading their trials yet.
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

// readTrial reads the trial from the artifact of its run.
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
		m.read, m.bad = true, broken(large.Error(), "measure fewer benchmarks", nil)
		return nil
	}
	if err != nil {
		return err
	}
	m.read = true
	switch {
	case data == nil && expired:
		m.bad = pending("the trial has expired", runAgain)
	case data == nil, isEmpty(data): // a measurement without any run exports an empty file
		m.bad = noResultOf(m.run)
	default:
		runs, err := artifact.ParseTrial(data, "the artifact")
		if err != nil {
			m.bad = broken("the measuring workflow left no readable trial", "", err)
			return nil
		}
		if slices.ContainsFunc(runs, func(r *record.Run) bool { return r.Protocol.Part != nil }) {
			m.bad = broken("the trial is only part of a measurement, but its artifact is not named as a part", "", nil)
			return nil
		}
		m.base, m.head = comparison.SplitSides(runs)
		m.whys = artifact.Whys(data)
	}
	return nil
}

// isEmpty reports whether an artifact is valid but has no text in it.
func isEmpty(data []byte) bool {
	text, err := artifact.Unzip(data)
	return err == nil && len(bytes.TrimSpace(text)) == 0
}

// trialsFor returns the trials of the head against the merge base, newest first.
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

// joinTrials joins several trials of the same commits, so that measuring again cannot hide a
// regression. It uses the newest trial and every earlier one that found a regression or is
// complete. The first trial gets most of alpha. The later ones share the remainder in the order of
// their start. gone is the number of trials no longer available; they count as earlier trials.
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

// isWhole reports whether a trial is complete.
func isWhole(c *compare.Comparison) bool {
	partial := func(r *record.Run) bool { return r.Status == record.Partial }
	return len(c.Failures) == 0 && c.NotChecked().Benchmarks == 0 && len(c.LostParts()) == 0 &&
		!slices.ContainsFunc(c.Base.Runs, partial) && !slices.ContainsFunc(c.Head.Runs, partial)
}

// asFurther returns the sides of the trial, relabelled as the n-th further trial of its commits.
// The trial's own name could be another trial's, and its own share of alpha is not trusted. The
// parts of a trial divide its share among them.
func (m *trialRun) asFurther(n int) (base, head compare.Side) {
	of := func(s compare.Side) compare.Side {
		runs := make([]*record.Run, len(s.Runs))
		for i, r := range s.Runs {
			own := *r
			var part record.Part
			if r.Protocol.Part != nil {
				part = *r.Protocol.Part
			}
			if m.run != nil {
				own.Trial = fmt.Sprintf("run-%d", m.run.ID)
				if part.Of > 0 {
					own.Trial += fmt.Sprintf("-%d", part.N)
				}
			}
			switch {
			case n > 0:
				own.Protocol.AlphaShare = pairs.FurtherShare(n) * part.Share()
			case part.Of > 0:
				own.Protocol.AlphaShare = min(pairs.ShareOf(r), part.Share())
			}
			runs[i] = &own
		}
		s.Runs = runs
		return s
	}
	return of(m.base), of(m.head)
}

// unfitness returns the reason why the pull request cannot be judged by the trial, or nil.
func (m *trialRun) unfitness(j *judgement) *noResultError {
	switch {
	case m.bad != nil:
		return m.bad
	case m.otherDecision() != "":
		return broken(m.otherDecision(), "use one version for both", nil)
	case m.calibrates():
		return broken("the trial is a calibration, which decides nothing", "", nil)
	case m.head.Commit() != j.head():
		return broken("the measured commit is not the head of the "+j.subject(), "", nil)
	case j.base == "" && j.group != nil:
		return pending("the base of the merge group is unknown", queueAgain)
	case m.base.Commit() != j.base && j.group != nil:
		return pending("the measured base is not the base of the merge group", queueAgain)
	case j.base == "":
		return pending("the merge base with "+j.pull.BaseName()+" is unknown", "rebase the pull request")
	case m.base.Commit() != j.base:
		return pending("the measured base is not the merge base with "+j.pull.BaseName(), runAgain)
	}
	return nil
}

// otherDecision describes the mismatch if the trial was decided by a procedure other than ours, and
// returns "" otherwise. A trial's author must not be able to choose the procedure.
func (m *trialRun) otherDecision() string {
	for _, r := range slices.Concat(m.base.Runs, m.head.Runs) {
		if !pairs.Decides(r) {
			return fmt.Sprintf("the trial must be decided by %s, but this perftrack uses %s",
				pairs.DecisionName(r.Protocol.Decision), pairs.DecisionName(pairs.Decision))
		}
	}
	return ""
}

// calibrates reports whether the trial is a calibration of a source against itself.
func (m *trialRun) calibrates() bool {
	return slices.ContainsFunc(slices.Concat(m.base.Runs, m.head.Runs), func(r *record.Run) bool {
		return r.Protocol.Procedure == pairs.ProcedureCalibrate
	})
}

// errNoTrial returns the reason why the pull request cannot be judged by any trial. It looks at the
// newest run not used for another pull request with the same head.
func (c *job) errNoTrial(j *judgement) *noResultError {
	for _, m := range c.trials {
		if !m.used {
			return m.unfitness(j)
		}
	}
	if j.group != nil {
		return pending("the merge group has not been measured", runAgain)
	}
	return pending(fmt.Sprintf("pull request %d has not been measured against %s", j.pull.Number, j.pull.BaseName()), runAgain)
}
