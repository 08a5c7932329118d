package fleet

import (
	"github.com/perftrack/perftrack/cmd/perftrack/internal/artifact"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/spreading"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/workspace"
	"github.com/perftrack/perftrack/compare/pairs"
	"github.com/perftrack/perftrack/runner/record"
)

// LeftOut tells the user why a part was left out. Whatever a worker sends must not end a command, and
// the rounds of a bad part are spent.
func (p Part) LeftOut(a *workspace.Session, why error) {
	a.Noticef("left out rounds %d to %d of %s from worker %s: %v", p.First, p.Last, p.Target, p.Worker, why)
}

// Ends reports whether a failed job ends the measurement of its target: because of its kind, or
// because no other job has measured a round yet.
func (f Failed) Ends(rounds *spreading.Rounds) bool { return f.Kind != "io" || len(rounds.Runs()) == 0 }

// Lost tells the user about the rounds of a failed job that does not end the measurement.
func (f Failed) Lost(a *workspace.Session) {
	a.Noticef("rounds %d to %d of %s are lost: %s", f.First, f.Last, f.Target, f.Message)
}

// AddTo parses the runs of a part, as carefully as those of a pull request, and adds them to the
// rounds of the trial between two commits. It adds nothing if there is an error.
func (p Part) AddTo(rounds *spreading.Rounds, trial string, commits [2]string) ([]*record.Run, error) {
	runs, err := artifact.ParseTrial([]byte(p.Text), "the part of worker "+p.Worker)
	if err != nil {
		return nil, err
	}
	want := record.Run{Trial: trial, Target: p.Target, Protocol: record.Protocol{Decision: pairs.Decision}}
	return runs, rounds.Add(runs, want, p.First, p.Last, commits)
}
