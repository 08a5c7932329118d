package check

import (
	"cmp"
	"context"
	"slices"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/comparison"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/measure"
	"github.com/perftrack/perftrack/compare"
	"github.com/perftrack/perftrack/compare/acceptance"
	"github.com/perftrack/perftrack/compare/pairs"
	"github.com/perftrack/perftrack/runner/config"
	"github.com/perftrack/perftrack/runner/record"
)

// settle sets the terms: from the continued trial or, for a new one, from the base commit. The
// noise of a new target is read when it is measured.
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

// noteTerms records the terms for judging a target.
func (c *check) noteTerms(target string, rec *measure.Recording) { rec.Note(c.termsOf(target).Record) }

// termsOf returns the terms for judging a target.
func (c *check) termsOf(target string) comparison.Terms {
	t := c.terms.WithNoise(c.noise.Known[target])
	if c.noise.Known[target] != nil {
		c.noise.Known[target] = t.NoiseByKey()
	}
	return t
}

// judge compares runs under the thresholds on the command line or else under the terms of the
// trial. ongoing reports whether further rounds may follow.
func (c *check) judge(runs []*record.Run, ongoing bool) *compare.Comparison {
	opt := c.terms.Options()
	opt.Noise, opt.Capped, opt.Ongoing, opt.OnePart = c.noise.Floor, c.noise.Capped, ongoing, c.opt.Part.Of > 0
	opt.Peers = slices.Clone(c.trial.runs)
	for _, one := range c.targetChecks {
		if _, stored := pairs.FamilyOf(one.before()); !stored {
			opt.Peers = append(opt.Peers, one.first...)
		}
	}
	base, head := comparison.SplitSides(runs)
	byTerms := compare.Compare(base, head, opt)
	if c.session.Threshold == 0 && c.session.Alpha == 0 {
		return byTerms
	}
	// Rows open under the trial's terms stay open, so looser flags cannot end a trial before its
	// terms are satisfied.
	type key struct {
		record.BenchmarkID
		target, unit string
	}
	open := map[key]bool{}
	for r := range byTerms.Rows() {
		k := key{r.BenchmarkID, r.Target, r.OrigUnit}
		open[k] = open[k] || r.Open // there are several rows if the program changed its environment
	}
	judged := compare.Compare(base, head, comparison.Overrule(c.session, opt))
	for r := range judged.Rows() {
		r.Open = r.Open || open[key{r.BenchmarkID, r.Target, r.OrigUnit}]
	}
	return judged
}

// rulesOf reads the configuration of a commit. A check obeys the base's configuration, so a change
// cannot loosen its own gate.
func (c *check) rulesOf(ctx context.Context, rev string) (*config.Config, error) {
	if c.where.Repo == nil {
		return c.where.Config, nil // the checkout reports this
	}
	rules, found, err := c.where.RulesAt(ctx, rev)
	if err != nil {
		return nil, err
	}
	if !found && c.where.ConfigPath != "" && rev == c.opt.Base {
		c.session.Noticef("the base has no %s, so the default thresholds apply", config.FileName)
	}
	return rules, nil
}

// accepted returns the changes accepted between base and head.
func (c *check) accepted(ctx context.Context) (acceptance.List, error) {
	ctx = context.WithoutCancel(ctx) // the report is also shown after an interruption
	return comparison.AcceptancesBetween(ctx, c.session, c.db, c.where, c.opt.Base, cmp.Or(c.opt.Head, "HEAD"))
}

// least returns the smaller of the two thresholds for bench, from its terms and from --threshold.
func (c *check) least(bench string) float64 {
	least := c.terms.Options().Threshold(bench)
	if t := c.session.Threshold; t > 0 {
		least = min(least, t)
	}
	return least
}
