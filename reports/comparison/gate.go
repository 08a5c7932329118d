package comparison

import (
	"github.com/perftrack/perftrack/compare"
	"github.com/perftrack/perftrack/reports"
)

// The states of a commit status, by which reports name what a gate says.
const (
	StateSuccess = "success"
	StateFailure = "failure"
	StateError   = "error"
)

// StateOf is the state of the commit status that a gate stands for.
func StateOf(g compare.Gate) string {
	switch g.Result {
	case compare.Pass:
		return StateSuccess
	case compare.Fail:
		return StateFailure
	}
	return StateError
}

// Blocks says of a state whether it stands in the way of merging.
func Blocks(state string) string {
	if state == StateSuccess {
		return state + ", does not block the merge"
	}
	return state + ", blocks the merge"
}

// gated ends the line that sums a report up with what the gate makes of it.
func (v View) gated(line string, tone reports.Tone) (string, reports.Tone) {
	if v.Gate == nil || v.Gate.Cause == compare.CauseApart {
		return line, tone
	}
	switch v.Gate.Result {
	case compare.Fail:
		tone = reports.Bad
	case compare.NoResult:
		tone = reports.Warn
	}
	return line + "; " + Blocks(StateOf(*v.Gate)), tone
}
