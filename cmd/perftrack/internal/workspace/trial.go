package workspace

import (
	"fmt"
	"strings"
)

// BisectTrialPrefix begins the id of every trial that a bisection measures.
const BisectTrialPrefix = "bisect-"

// IsBisectTrial reports whether a bisection measured the trial: its runs are as few as the
// search could do with, and are no points of a history.
func IsBisectTrial(id string) bool { return strings.HasPrefix(id, BisectTrialPrefix) }

// MeasuredScopes begins the value of [record.KeyMeasured] in a run of a profile, and the
// profiled suite follows. All rows of such a run are scopes.
const MeasuredScopes = "scopes"

// NewTrialID returns an id for a trial: the time, for people, and a random number.
func (a *Session) NewTrialID() string {
	return fmt.Sprintf("%s-%06x", a.Now().UTC().Format("20060102T150405"), a.Rand.Uint32()&0xffffff)
}
