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
	"github.com/perftrack/perftrack/runner/record"
)

// The measuring workflow may measure in parts, each on its own machine and with its own artifact.
// Parts of the benchmarks divide alpha among them, so their results are joined without another test.
// Such a part without a readable artifact counts as lost coverage: see
// [compare.Comparison.LostParts]. Parts of the rounds are one trial, which lacks the rounds of a
// lost part.

// readParts reads the parts of a run. ok is false if there are no parts.
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
		return m.refuse("the parts come from measurements that were divided differently", "")
	}
	if goesOn(m.run) && len(all) < first.Of { // the missing parts may still arrive
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
			return m.refuse(fmt.Sprintf("the parts of the measurement exceed the limit of %d MiB together", artifact.MaxArchive>>20), "measure fewer benchmarks")
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
			c.session.Noticef("%v cannot be used: %s", part, fault.FirstLine(err))
			continue
		}
		if why := foreign(part, own, runs); why != "" {
			return m.refuse(why, "")
		}
		runs = append(runs, own...)
		m.whys = append(m.whys, artifact.Whys(data)...)
		if err := artifact.CheckSize(runs); err != nil {
			return m.refuse("the parts of the measurement are too large together: "+err.Error(), "")
		}
	}
	switch {
	case len(runs) > 0:
		m.base, m.head = comparison.SplitSides(runs)
	case slices.ContainsFunc(all, func(a githubapi.Artifact) bool { return a.Expired }):
		m.bad = pending("the trial has expired", runAgain)
	default:
		m.bad = noResultOf(m.run)
	}
	m.read = true
	return true, nil
}

// refuse marks the run as unusable.
func (m *trialRun) refuse(why, do string) (bool, error) {
	m.read, m.bad = true, broken(why, do, nil)
	return true, nil
}

// foreign returns "" if the runs belong to the part in the name of their artifact and to the same
// measurement as the other parts. Otherwise it describes the difference.
func foreign(part record.Part, runs, others []*record.Run) string {
	for _, r := range runs {
		if p := claimed(r); p.N != part.N || p.Of != part.Of {
			return fmt.Sprintf("the artifact for %v of the measurement contains another part", part)
		}
		if i := slices.IndexFunc(others, func(o *record.Run) bool { return o.Side == r.Side }); i >= 0 && others[i].Commit.SHA != r.Commit.SHA {
			return "the parts of the measurement belong to different commits"
		}
	}
	return ""
}

// claimed returns the part that a run claims to be, of the benchmarks or of the rounds, or the zero
// value.
func claimed(r *record.Run) (p record.Part) {
	if r.Protocol.Part != nil {
		return *r.Protocol.Part
	}
	if s := r.Protocol.Spread; s != nil {
		p, _ = record.ParsePart(s.Machine)
	}
	return p
}
