package history

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/fault"
	"github.com/perftrack/perftrack/compare"
	"github.com/perftrack/perftrack/compare/steps"
	"github.com/perftrack/perftrack/runner/gitrepo"
	"github.com/perftrack/perftrack/runner/record"
)

// An anchorRatios turns the points of a history into ratios to the baseline that --anchor names.
type anchorRatios struct {
	word   string                     // what the user calls it
	commit string                     // its hash, or the beginning
	alone  map[string]bool            // runs that were not measured beside it
	others map[string]map[string]bool // runs by the commit that they were measured beside
	any    bool
}

// summary returns the baseline's commit and the number of runs without a ratio to it.
func (a *anchorRatios) summary() steps.AnchorCommit {
	return steps.AnchorCommit{Commit: a.commit, Alone: len(a.alone)}
}

// readAnchor finds the baseline's commit.
func (r *reader) readAnchor(ctx context.Context) error {
	if r.opt.Anchor == "" {
		return nil
	}
	r.anchor = &anchorRatios{word: r.opt.Anchor, alone: map[string]bool{}, others: map[string]map[string]bool{}}
	var missing error
	if r.where.Repo != nil {
		c, err := r.where.Repo.Resolve(ctx, r.opt.Anchor)
		var unknown *gitrepo.MissingError
		if err == nil {
			r.anchor.commit = c.SHA
			return nil
		}
		if !errors.As(err, &unknown) {
			return fault.Git(err)
		}
		missing = err
	}
	if !record.IsHashPrefix(r.opt.Anchor) { // else a commit of another clone
		return fault.Data(errors.Join(fmt.Errorf("%s is no commit here: see `perftrack list trials`", r.opt.Anchor), missing))
	}
	r.anchor.commit = r.opt.Anchor
	return nil
}

// relative returns the ratios of those points that were measured beside the
// baseline. All are the points of the benchmark, those of baselines among them.
func (a *anchorRatios) relative(points, all []record.HistoryPoint) (ratios []record.HistoryPoint) {
	for i := range points {
		head := &points[i]
		if compare.Anchored(&head.Run.Run) {
			if base := compare.FindAnchor(head, all, a.commit); base != nil {
				if ratio, ok := compare.Relative(head, base); ok {
					ratios, a.any = append(ratios, ratio), true
					continue
				}
			}
			if base := compare.FindAnchor(head, all, ""); base != nil {
				a.note(base.Run.Commit.SHA, head.Run.ID)
			}
		}
		a.alone[head.Run.ID] = true
	}
	return ratios
}

func (a *anchorRatios) note(commit, run string) {
	if a.others[commit] == nil {
		a.others[commit] = map[string]bool{}
	}
	a.others[commit][run] = true
}

// errNone returns the error that no run was measured beside the baseline, and beside which
// there are runs.
func (a *anchorRatios) errNone(of string) error {
	name := a.word
	if !strings.HasPrefix(a.commit, a.word) {
		name += fmt.Sprintf(" (%s)", record.ShortHash(a.commit))
	}
	var have []string
	for commit, runs := range a.others {
		if commit != "" && !strings.HasPrefix(commit, a.commit) {
			have = append(have, fmt.Sprintf("\n  %s  (%d runs)", record.ShortHash(commit), len(runs)))
		}
	}
	slices.Sort(have)
	err := fmt.Errorf("no run of %s was measured beside %s: measure with `perftrack run --anchor %s`", of, name, a.word)
	if len(have) > 0 {
		err = fmt.Errorf("%w; there are runs beside%s", err, strings.Join(have, ""))
	}
	return fault.Data(err)
}
