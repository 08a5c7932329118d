package fleet

import (
	"github.com/perftrack/perftrack/cmd/perftrack/internal/artifact"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/spreading"
	"github.com/perftrack/perftrack/compare/pairs"
	"github.com/perftrack/perftrack/runner/record"
)

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
