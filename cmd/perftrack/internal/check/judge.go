package check

import (
	"context"
	"slices"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/comparison"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/measure"
	"github.com/perftrack/perftrack/compare"
	"github.com/perftrack/perftrack/runner/config"
	"github.com/perftrack/perftrack/runner/record"
)

// settle settles the terms: those of the trial that is continued, or else those of the base
// commit. The noise of a target that is not in it is learnt when it is measured.
func (c *check) settle() {
	c.terms = comparison.NewTerms(c.rules, c.families)
	c.noise.Known = map[string]map[comparison.SeriesKey]comparison.Noise{}
	for _, r := range c.trial.runs {
		if t, ok := comparison.ReadTerms(r); ok {
			c.noise.Adopt(r, t)
			t.Families = max(t.Families, c.terms.Families)
			c.terms = t
		}
	}
}

// noteTerms notes on the runs to be stored of a target by what they are judged.
func (c *check) noteTerms(target string, rec *measure.Recording) {
	t, ok := c.terms.WithNoise(c.noise.Known[target])
	if !ok {
		c.session.Noticef("there are too many rules in %s to be stored with the trial: compare and comment judge it by those of the work tree", config.FileName)
		c.noise.Uncap(target)
		return
	}
	if c.noise.Known[target] != nil {
		c.noise.Known[target] = t.NoiseByKey()
	}
	rec.Note(t.Record)
}

// judge is what runs of the trial decide by what the command line says, else by the terms
// of the trial. Ongoing says that more rounds may come.
func (c *check) judge(runs []*record.Run, ongoing bool) *compare.Comparison {
	opt := c.terms.Options()
	opt.Noise, opt.Capped, opt.Ongoing, opt.OnePart = c.noise.Floor, c.noise.Capped, ongoing, c.opt.Part.Of > 0
	opt.Peers = slices.Clone(c.trial.runs)
	for _, course := range c.courses {
		if _, stored := compare.FamilyOf(course.before()); !stored {
			opt.Peers = append(opt.Peers, course.first...)
		}
	}
	base, head := comparison.SplitSides(runs)
	byTerms := compare.Compare(base, head, opt)
	if c.session.Threshold == 0 && c.session.Alpha == 0 {
		return byTerms
	}
	// What the terms leave open stays open: looser flags must not end a trial, by which
	// others judge the head, before these are satisfied.
	type key struct {
		record.BenchmarkID
		target, unit string
	}
	open := map[key]bool{}
	for r := range byTerms.Rows() {
		k := key{r.BenchmarkID, r.Target, r.OrigUnit}
		open[k] = open[k] || r.Open // several rows, where what the program says of itself changed
	}
	judged := compare.Compare(base, head, comparison.Overrule(c.session, opt))
	for r := range judged.Rows() {
		r.Open = r.Open || open[key{r.BenchmarkID, r.Target, r.OrigUnit}]
	}
	return judged
}

// rulesOf reads the configuration of a commit. By that of the base this check decides
// whatever the head has, so that a change cannot loosen its own gate.
func (c *check) rulesOf(ctx context.Context, rev string) (*config.Config, error) {
	if c.where.Repo == nil {
		return c.where.Config, nil // checkout will say so
	}
	rules, found, err := c.where.RulesAt(ctx, rev)
	if err != nil {
		return nil, err
	}
	if !found && c.where.ConfigPath != "" && rev == c.opt.Base {
		c.session.Noticef("the base has no %s: its thresholds are the defaults", config.FileName)
	}
	return rules, nil
}
