package comparison

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/fault"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/workspace"
	"github.com/perftrack/perftrack/compare"
	"github.com/perftrack/perftrack/runner/record"
)

// pullOfReason is the number of the pull request at the end of a reason, as forges write
// it into subjects. After a squash merge the accepted commit is in nobody's history; by
// the number the commit is found that came in its place.
var pullOfReason = regexp.MustCompile(`\(#([1-9][0-9]{0,8})\)$`)

// reasonWithPull returns a reason that ends with the number of a pull request, if it is
// not 0.
func reasonWithPull(reason string, pull int) string {
	reason = record.OneLine(reason)
	if pull == 0 || reason == "" {
		return reason
	}
	end := fmt.Sprintf(" (#%d)", pull)
	return strings.ToValidUTF8(reason[:min(len(reason), record.MaxReasonLen-len(end))], "") + end
}

// AddLanded returns all acceptances, and for each that names a pull request another one, of
// the commit by which the pull request came into the history of tip, a full hash.
func AddLanded(ctx context.Context, p workspace.Place, all compare.Accepted, tip string) (compare.Accepted, error) {
	named := func(one record.Acceptance) bool { return pullOfReason.MatchString(one.Reason) }
	if p.Repo == nil || !slices.ContainsFunc(all, named) {
		return all, nil
	}
	commits, err := p.Repo.Landed(ctx, tip)
	if err != nil {
		return nil, fault.Git(err)
	}
	out := all[:len(all):len(all)]
	for _, one := range all {
		m := pullOfReason.FindStringSubmatch(one.Reason)
		if m == nil {
			continue
		}
		n, _ := strconv.Atoi(m[1])
		if sha := commits[n]; sha != "" && sha != one.Commit {
			one.Commit = sha
			out = append(out, one)
		}
	}
	return out, nil
}
