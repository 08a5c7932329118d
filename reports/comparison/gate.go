package comparison

import (
	"github.com/perftrack/perftrack/compare/gates"
	"github.com/perftrack/perftrack/reports"
)

// These are the states of a commit status. Reports use them to name the result of a gate: whether a
// comparison passes.
const (
	StateSuccess = "success"
	StateFailure = "failure"
	StateError   = "error"
)

// StateOf returns the commit status for the result of a gate.
func StateOf(g gates.Gate) string {
	switch g.Result {
	case gates.Pass:
		return StateSuccess
	case gates.Fail:
		return StateFailure
	}
	return StateError
}

// Blocks describes a state and whether it blocks the merge.
func Blocks(state string) string {
	if state == StateSuccess {
		return state + ", does not block the merge"
	}
	return state + ", blocks the merge"
}

// gated adds the result of the view's gate, if there is one, to the summary line and its tone.
func (v View) gated(line string, tone reports.Tone) (string, reports.Tone) {
	if v.Gate == nil || v.Gate.Cause == gates.CauseUnpaired {
		return line, tone
	}
	switch v.Gate.Result {
	case gates.Fail:
		tone = reports.Bad
	case gates.NoResult:
		tone = reports.Warn
	}
	return line + "; " + Blocks(StateOf(*v.Gate)), tone
}
