package workspace

import (
	"fmt"
	"strings"
)

// BisectTrialPrefix is how the id of each trial begins that a bisection measures.
const BisectTrialPrefix = "bisect-"

// IsBisectTrial reports whether a bisection measured the trial: its runs are as few as the
// search could do with, and are no points of a history.
func IsBisectTrial(id string) bool { return strings.HasPrefix(id, BisectTrialPrefix) }

// MeasuredScopes is what [record.KeyMeasured] says of a profile's run, before the
// profiled suite: it tells one, whose rows are all scopes, from one of benchmarks.
const MeasuredScopes = "scopes"

// NewTrialID returns an id for a trial: the time, for people, and a random number.
func (a *Session) NewTrialID() string {
	return fmt.Sprintf("%s-%06x", a.Now().UTC().Format("20060102T150405"), a.Rand.Uint32()&0xffffff)
}
