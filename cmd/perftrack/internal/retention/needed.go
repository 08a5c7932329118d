package retention

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/comparison"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/fault"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/history"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/workspace"
	"github.com/perftrack/perftrack/compare/steps"
	"github.com/perftrack/perftrack/runner/record"
	"github.com/perftrack/perftrack/store"
)

// Plan returns the runs in infos to delete by the rule, without deleting them. It reads the
// histories only if there are any, because this takes long.
func Plan(ctx context.Context, a *workspace.Session, db *store.DB, infos []record.RunInfo, rule Rule) (Choice, error) {
	now := a.Now()
	needed, err := read(ctx, a, db, infos, rule)
	if err != nil {
		return Choice{}, err
	}
	choice, err := Choose(infos, rule, needed, now)
	if err != nil || len(choice.Delete) == 0 {
		return choice, err
	}
	if needed.Steps, err = nextToSteps(ctx, a); err != nil {
		return choice, err
	}
	return Choose(infos, rule, needed, now)
}

// Delete deletes the chosen runs, and returns their number.
func Delete(ctx context.Context, db *store.DB, c Choice, now time.Time) (gone int, err error) {
	for _, d := range c.Deletions(now) {
		if err := ctx.Err(); err != nil {
			return gone, err
		}
		n, err := db.Delete(ctx, d)
		if gone += n; err != nil {
			return gone, err
		}
	}
	return gone, nil
}

// Deletions returns the deletion records of the chosen runs.
func (c Choice) Deletions(now time.Time) (all []record.Deletion) {
	for batch := range slices.Chunk(c.IDs(), record.MaxDeletedRuns) {
		all = append(all, record.Deletion{Runs: batch, Reason: c.Rule.Reason(now), Time: now})
	}
	return all
}

// read returns all uses of the runs, except steps.
func read(ctx context.Context, a *workspace.Session, db *store.DB, infos []record.RunInfo, rule Rule) (n Needed, err error) {
	n = Needed{Accepted: map[string]bool{}, Tagged: map[string]bool{}, Newest: map[string]bool{}}
	accepted, err := comparison.ReadAcceptances(ctx, a, db, "")
	if err != nil {
		return n, err
	}
	for _, one := range accepted {
		n.Accepted[AcceptedKey(one.Target, one.Commit)] = true
	}
	benchmarks, err := db.Benchmarks(ctx, store.Filter{})
	if err != nil {
		return n, err
	}
	for _, b := range benchmarks {
		n.Newest[b.Last] = true
	}
	where, err := a.Locate(ctx)
	if err != nil {
		return n, err
	}
	if where.Repo == nil {
		if rule.Unreachable {
			err = where.NeedRepo("--unreachable asks git which commits a branch or a tag leads to")
		}
		return n, err
	}
	return n, n.readGit(ctx, where, infos, rule)
}

// readGit reads the tags, branches and reachable commits.
func (n *Needed) readGit(ctx context.Context, where workspace.Place, infos []record.RunInfo, rule Rule) error {
	tags, err := where.Repo.Tags(ctx)
	if err == nil {
		n.Branches, err = where.Repo.Branches(ctx)
	}
	if err == nil && rule.Unreachable {
		var shas []string
		for _, info := range infos {
			shas = append(shas, info.Commit.SHA)
		}
		n.Reachable, err = where.Repo.Reachable(ctx, shas)
	}
	if err != nil {
		return fault.Git(err)
	}
	for sha := range tags {
		n.Tagged[sha] = true
	}
	return nil
}

// nextToSteps returns the ids of the runs on both sides of all steps: as many as a history needs to
// show the step.
func nextToSteps(ctx context.Context, a *workspace.Session) (ids map[string]bool, err error) {
	lines, err := history.Open(ctx, a, history.Options{})
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, lines.Close()) }()
	ids = map[string]bool{}
	all := lines.Benchmarks()
	did := a.Counting("looking for steps", len(all))
	for _, b := range all {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		found, err := lines.Read(ctx, b)
		if err != nil {
			return nil, err
		}
		for _, line := range found {
			for _, l := range line.Lines {
				addSides(ids, l.Course)
			}
		}
		did()
	}
	return ids, nil
}

// addSides adds the runs on both sides of the steps of a course.
func addSides(ids map[string]bool, c steps.Course) {
	side := (c.Needs + 1) / 2
	for _, step := range c.Steps {
		last := slices.IndexFunc(c.Runs, func(p steps.Point) bool { return p.Run == step.Last.Run })
		first := slices.IndexFunc(c.Runs, func(p steps.Point) bool { return p.Run == step.First.Run })
		if last < 0 || first < 0 {
			continue
		}
		for _, p := range c.Runs[max(0, last+1-side) : last+1] {
			ids[p.Run] = true
		}
		for _, p := range c.Runs[first:min(len(c.Runs), first+side)] {
			ids[p.Run] = true
		}
	}
}
