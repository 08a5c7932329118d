package pairs

import (
	"regexp"
	"strconv"

	"github.com/perftrack/perftrack/runner/record"
)

// Decision is the name of the rules that decide trials. They decide by pairs of rounds, using both
// the typical slice and the mean of all slices. A trial stores this name, so later versions of
// perftrack judge it by the rules of its time.
const Decision = "typical-and-mean"

// SetDecision records in a run of a new trial how the trial is to be decided.
func SetDecision(r *record.Run) {
	r.Protocol.Decision = Decision
}

// Decides reports whether this version of perftrack can decide the trial of a run.
func Decides(r *record.Run) bool { return r.Protocol.Decision == Decision }

// DecisionName describes a run's decision procedure for people. The name comes from the run and is
// untrusted, so an unusual name is not repeated.
func DecisionName(decision string) string {
	switch {
	case decision == "":
		return "an early version's procedure"
	case !plainName.MatchString(decision):
		return "a procedure with an unusual name"
	}
	return "procedure " + strconv.Quote(decision)
}

// plainName matches procedure names that are safe to show.
var plainName = regexp.MustCompile(`^[a-z0-9-]{1,32}$`)
