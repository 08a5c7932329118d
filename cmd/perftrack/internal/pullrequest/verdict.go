package pullrequest

import (
	"fmt"
	"slices"
	"strings"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/githubapi"
	"github.com/perftrack/perftrack/reports/github"
	"github.com/perftrack/perftrack/runner/record"
)

// maxBasesSaid is the maximum number of bases named in a description, to leave room for the
// verdict.
const maxBasesSaid = 5

// against returns the text with the bases of the verdict for the end of a status's description, or
// "" without bases.
func against(bases []string) string {
	if len(bases) == 0 {
		return ""
	}
	return ", against " + strings.Join(bases[:min(len(bases), maxBasesSaid)], " and ")
}

// numbered returns the text with the pull request's number for the beginning of a status's
// description. It is used if several pull requests have the same head.
func numbered(pull int) string { return fmt.Sprintf("#%d: ", pull) }

// withoutBases returns the description of a verdict without the bases at its end.
func withoutBases(s *githubapi.CommitStatus) string {
	return strings.TrimSuffix(s.Description, against(s.Stamp.Against))
}

// wordsOf returns a verdict's description without the pull request at its beginning and the bases
// at its end.
func wordsOf(s *githubapi.CommitStatus) string {
	return strings.TrimPrefix(withoutBases(s), numbered(s.Stamp.Pull))
}

// decides reports whether a status is a verdict against base, or against any base if base is "".
func decides(s githubapi.CommitStatus, base string) bool {
	return isVerdict(s.State) && len(s.Stamp.Against) > 0 && (base == "" || slices.Contains(s.Stamp.Against, record.ShortHash(base)))
}

// isVerdict reports whether a state is a verdict on the head.
func isVerdict(state string) bool { return state == github.Success || state == github.Failure }

// A noResultError explains a missing verdict. The state is error if the measurement or its author
// is at fault. Otherwise it is pending, and also blocks merging.
type noResultError struct {
	State   string
	Why, Do string // the reason and the remedy (or ""), in perftrack's own words
	Detail  error  // may quote the pull request
}

// Error returns the reason and the remedy. It is also the description of the status.
func (e *noResultError) Error() string {
	if e.Do == "" {
		return e.Why
	}
	return e.Why + ": " + e.Do
}

// broken returns an error caused by the measurement or its author.
func broken(why, do string, detail error) *noResultError {
	return &noResultError{github.Broken, why, do, detail}
}

// pending returns an error that is temporary or fixed by a rerun.
func pending(why, do string) *noResultError {
	return &noResultError{State: github.Pending, Why: why, Do: do}
}

// Remedies for a missing result.
const (
	runAgain   = "run the measuring workflow again"
	seeLog     = "see its log"
	queueAgain = "queue the pull request again"
)

// goesOn reports whether a run is still in progress.
func goesOn(w *githubapi.WorkflowRun) bool { return w.Status != "" && w.Status != "completed" }

// noResultOf returns the reason why a run of the measuring workflow left no trial, judging by its
// conclusion.
func noResultOf(w *githubapi.WorkflowRun) *noResultError {
	if goesOn(w) {
		return pending("the benchmarks are being measured", "")
	}
	switch w.Conclusion {
	case "action_required":
		return pending("the measuring workflow waits for a maintainer to approve it", "")
	case "cancelled", "timed_out", "stale":
		return pending("the measurement was cancelled or ran out of time", runAgain)
	case "startup_failure":
		return broken("the measuring workflow could not start", seeLog, nil)
	}
	return broken("the measuring workflow ended without a result", seeLog, nil)
}
