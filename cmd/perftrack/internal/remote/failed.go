package remote

import (
	"errors"
	"strings"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/artifact"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/fault"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/fleet"
	"github.com/perftrack/perftrack/runner/record"
)

// A FailedError reports commits that workers could not measure.
type FailedError struct {
	Kind    string      // as in package fault; an "io" failure may not be the commits' fault
	Side    record.Side // of the commit at fault, or "" if it is unknown
	Reason  string      // in one line
	Message string      // with the output of the build, if it failed
}

func (e *FailedError) Error() string { return e.Message }

// failed returns the error for a job that the queue gave up.
func failed(f fleet.Failed) *FailedError {
	e := &FailedError{Kind: f.Kind, Message: f.Message, Reason: fault.FirstLine(errors.New(f.Message))}
	runs, err := artifact.ParseRuns([]byte(f.Text), "a failed job")
	if f.Text == "" || err != nil { // the message remains
		return e
	}
	for _, side := range []record.Side{record.Base, record.Head} { // both fail if the base does: see package runner
		for _, run := range runs {
			if run.Side == side && len(run.Failures) > 0 && e.Side == record.NoSide {
				e.Side = side
				e.Reason = run.Failures[0].Reason
			}
		}
	}
	if text, unbuilt := strings.CutPrefix(e.Reason, record.NotBuilt); unbuilt {
		e.Reason = "it does not build: " + text
	}
	e.Message = strings.TrimPrefix(e.Message, string(e.Side)+": ")
	return e
}
