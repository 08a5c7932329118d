package pullrequest

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/artifact"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/comparison"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/fault"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/githubapi"
	"github.com/perftrack/perftrack/compare"
	"github.com/perftrack/perftrack/runner/record"
)

// A run of the measuring workflow may have measured in parts, each on a machine of its own,
// which leaves an artifact of its own. What they say is put together and decided as it is: each
// part has its share of alpha, by their number, so nothing is tested again. A part that left
// nothing, or what cannot be read, is lost coverage, which [compare.Comparison.LostParts] finds.

// readParts reads the parts that the run left; ok is false where it left none.
func (c *job) readParts(ctx context.Context, m *trialRun) (ok bool, err error) {
	all, err := c.github.Artifacts(ctx, m.run.ID)
	if err != nil {
		return false, err
	}
	all = slices.DeleteFunc(all, func(a githubapi.Artifact) bool { _, ok := artifact.PartOfName(a.Name); return !ok })
	if len(all) == 0 {
		return false, nil
	}
	slices.SortFunc(all, func(a, b githubapi.Artifact) int {
		p, _ := artifact.PartOfName(a.Name)
		q, _ := artifact.PartOfName(b.Name)
		return cmp.Or(cmp.Compare(p.Of, q.Of), cmp.Compare(p.N, q.N))
	})
	first, _ := artifact.PartOfName(all[0].Name)
	if last, _ := artifact.PartOfName(all[len(all)-1].Name); first.Of != last.Of {
		return m.refuse("the measurement has parts of several divisions")
	}
	if goesOn(m.run) && len(all) < first.Of { // nothing is lost yet
		m.read, m.bad = true, noResultOf(m.run)
		return true, nil
	}
	var runs []*record.Run
	left := int64(artifact.MaxArchive)
	for _, a := range all {
		part, _ := artifact.PartOfName(a.Name)
		if a.Expired {
			continue
		}
		data, _, err := c.github.Download(ctx, a, left)
		if errors.As(err, new(*githubapi.LargeArtifactError)) {
			return m.refuse(fmt.Sprintf("the parts of the measurement are larger than %d MiB together, the limit: measure fewer benchmarks", artifact.MaxArchive>>20))
		}
		if err != nil {
			return false, err
		}
		if data == nil || isEmpty(data) {
			continue
		}
		left -= int64(len(data))
		own, err := artifact.ParseTrial(data, a.Name)
		if err != nil {
			c.session.Noticef("%v is lost: %s", part, fault.FirstLine(err))
			continue
		}
		if why := foreign(part, own, runs); why != "" {
			return m.refuse(why)
		}
		runs = append(runs, own...)
		m.whys = append(m.whys, artifact.Whys(data)...)
		if err := artifact.CheckSize(runs); err != nil {
			return m.refuse("the parts of the measurement are too large together: " + err.Error())
		}
	}
	switch {
	case len(runs) > 0:
		m.base, m.head = comparison.SplitSides(runs)
	case slices.ContainsFunc(all, func(a githubapi.Artifact) bool { return a.Expired }):
		m.bad = pending("the trial has expired" + runAgain)
	default:
		m.bad = noResultOf(m.run)
	}
	m.read = true
	return true, nil
}

// refuse has the run count for nothing.
func (m *trialRun) refuse(why string) (bool, error) {
	m.read, m.bad = true, broken(why, nil)
	return true, nil
}

// foreign says why runs are not of the part as which they were left, or not of the same
// measurement as the others; "" if they are.
func foreign(part compare.Part, runs, others []*record.Run) string {
	for _, r := range runs {
		if p, ok := compare.PartOf(r); !ok || p.N != part.N || p.Of != part.Of {
			return fmt.Sprintf("what %v of the measurement left is not of that part", part)
		}
		if i := slices.IndexFunc(others, func(o *record.Run) bool { return o.Side == r.Side }); i >= 0 && others[i].Commit.SHA != r.Commit.SHA {
			return "the parts of the measurement are not of the same commits"
		}
	}
	return ""
}
