package history

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/fault"
	"github.com/perftrack/perftrack/compare/anchors"
	"github.com/perftrack/perftrack/compare/steps"
	"github.com/perftrack/perftrack/runner/gitrepo"
	"github.com/perftrack/perftrack/runner/record"
)

// An anchorRatios turns the points of a history into ratios to the baseline named by --anchor.
type anchorRatios struct {
	word   string                     // the revision as the user typed it
	commit string                     // hash of the revision's commit, or the beginning of the hash
	alone  map[string]bool            // runs without a ratio to the baseline
	others map[string]map[string]bool // runs measured together with other anchors, by the anchor's commit
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
	if !record.IsHashPrefix(r.opt.Anchor) { // a hash may belong to a commit in another clone
		return fault.Data(errors.Join(fmt.Errorf("%s is not a commit in this repository: see `perftrack list trials`", r.opt.Anchor), missing))
	}
	r.anchor.commit = r.opt.Anchor
	return nil
}

// relative returns the ratios for the points measured together with the baseline. all holds every
// point of the benchmark, including the points of anchors.
func (a *anchorRatios) relative(points, all []record.HistoryPoint) (ratios []record.HistoryPoint) {
	for i := range points {
		head := &points[i]
		if anchors.Fits(&head.Run.Run) {
			if base := anchors.Find(head, all, a.commit); base != nil {
				if ratio, ok := anchors.Relative(head, base); ok {
					ratios, a.any = append(ratios, ratio), true
					continue
				}
			}
			if base := anchors.Find(head, all, ""); base != nil {
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

// errNone returns the error for a baseline without any runs measured together with it. It lists the
// baselines with such runs.
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
	err := fmt.Errorf("no run of %s was measured together with %s: measure with `perftrack run --anchor %s`", of, name, a.word)
	if len(have) > 0 {
		err = fmt.Errorf("%w; there are runs with these anchors:%s", err, strings.Join(have, ""))
	}
	return fault.Data(err)
}
