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
	"github.com/perftrack/perftrack/compare/acceptance"
	"github.com/perftrack/perftrack/runner/record"
)

// pullOfReason matches the number of a pull request at the end of a reason, in the form used by
// forges in commit subjects. If an accepted commit was lost in a squash merge, the number leads to
// its replacement.
var pullOfReason = regexp.MustCompile(`\(#([1-9][0-9]{0,8})\)$`)

// reasonWithPull appends the number of a pull request to a reason, unless the number is 0.
func reasonWithPull(reason string, pull int) string {
	reason = record.OneLine(reason)
	if pull == 0 || reason == "" {
		return reason
	}
	end := fmt.Sprintf(" (#%d)", pull)
	return strings.ToValidUTF8(reason[:min(len(reason), record.MaxReasonLen-len(end))], "") + end
}

// AddLanded returns all and, for each acceptance naming a pull request, an acceptance for the
// commit that merged this pull request into the history of tip, a full hash.
func AddLanded(ctx context.Context, p workspace.Place, all acceptance.List, tip string) (acceptance.List, error) {
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
