package pullrequest

import (
	"regexp"
	"slices"
	"strings"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/githubapi"
	"github.com/perftrack/perftrack/reports/github"
	"github.com/perftrack/perftrack/runner/record"
)

// maxBasesSaid is how many bases a description names: it also has room for the verdict. Against
// a base that it does not name, the verdict is not found again.
const maxBasesSaid = 5

var againstBases = regexp.MustCompile(`, against ([0-9a-f]{12}(?: and [0-9a-f]{12})*)$`)

// against returns the end of a description, which says what the head was measured against:
// by it a verdict is found again when its trial is gone.
func against(bases []string) string {
	var short []string
	for _, b := range bases {
		if b = record.ShortHash(b); len(short) < maxBasesSaid && !slices.Contains(short, b) {
			short = append(short, b)
		}
	}
	if len(short) == 0 {
		return ""
	}
	return ", against " + strings.Join(short, " and ")
}

// decides reports whether the status is a verdict of the head against base, "" being
// any.
func decides(s githubapi.CommitStatus, base string) bool {
	m := againstBases.FindStringSubmatch(s.Description)
	return isVerdict(s.State) && m != nil && (base == "" || slices.Contains(strings.Split(m[1], " and "), record.ShortHash(base)))
}

// isVerdict reports whether a state of the status says how fast the head is.
func isVerdict(state string) bool { return state == github.Success || state == github.Failure }

// A noResultError says why there is no verdict, and which state the status gets: error where
// what was measured is at fault, and pending, which blocks just as well, where nobody is.
type noResultError struct {
	State  string
	Why    string // of perftrack's own words
	Detail error  // may quote what the pull request wrote
}

func (e *noResultError) Error() string { return e.Why }

// broken is for what the measurement, or its author, did wrong.
func broken(why string, detail error) *noResultError {
	return &noResultError{github.Broken, why, detail}
}

// pending is for what may come right by itself, or by running a workflow again.
func pending(why string) *noResultError { return &noResultError{State: github.Pending, Why: why} }

const runAgain = ": run the measuring workflow again"

// goesOn reports whether a run has not ended yet.
func goesOn(w *githubapi.WorkflowRun) bool { return w.Status != "" && w.Status != "completed" }

// noResultOf says why a run of the measuring workflow left nothing: how it ended, if it has.
func noResultOf(w *githubapi.WorkflowRun) *noResultError {
	if goesOn(w) {
		return pending("the benchmarks are being measured")
	}
	switch w.Conclusion {
	case "action_required":
		return pending("the measuring workflow waits for a maintainer to approve it")
	case "cancelled", "timed_out", "stale":
		return pending("the measurement was cancelled or ran out of time" + runAgain)
	case "startup_failure":
		return broken("the measuring workflow could not start: see its log", nil)
	}
	return broken("the measuring workflow ended without a result: see its log", nil)
}
