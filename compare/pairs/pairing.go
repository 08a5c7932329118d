// Package pairs matches the runs of two sides by target and environment, and lines up their samples
// round by round.
//
// Begin with pairing.go and pair.go, which matches runs, and spread.go, which joins the runs of
// several machines. series.go and rounds.go read their
// samples, trial.go reads how the trial was measured, and families.go reads how it shares the error
// rate.
package pairs

import (
	"github.com/perftrack/perftrack/runner/record"
)

// Indexes of arrays that have one element per side.
const base, head = 0, 1

// A Pairing holds the runs of one target that are compared with each other, with one environment on
// each side. Only a trial that is spread over machines has several: see [Pairing.Machines].
type Pairing struct {
	Target     string
	Trial      bool               // measured side by side, so that a verdict is possible
	Comparable bool               // if false, the centers are shown, but nothing is computed from both
	Env        [2]record.Settings // environments of base and head, of several the settings in common; nil for a side that has no run
	Different  []Difference       // differences between the two environments
	OfTrial    string             // the name of its trial if there are several trials, else ""
	Runs       [2][]*record.Run

	Machines  []MachineRounds     // of a trial that is spread over machines: who measured which rounds; else nil
	NotJoined string              // why the environments of a spread trial are decided separately, or ""
	machineOf map[*record.Run]int // of a spread trial: a number for the machine of each run; else nil

	Foreign string // why this version cannot decide the trial: it needs another procedure
}

// A Difference is a setting that differs between two environments; "" means unknown.
type Difference struct{ Key, Base, Head string }
