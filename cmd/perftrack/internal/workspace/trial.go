package workspace

import (
	"fmt"
)

// BisectTrialPrefix begins the id of each trial that a bisection measures.
const BisectTrialPrefix = "bisect-"

// MeasuredScopes is what [record.KeyMeasured] says of a profile's run, before the
// profiled suite: it tells one, whose rows are all scopes, from one of benchmarks.
const MeasuredScopes = "scopes"

// NewTrialID names a trial: by its time, for people, and a number that no other has.
func (a *Session) NewTrialID() string {
	return fmt.Sprintf("%s-%06x", a.Now().UTC().Format("20060102T150405"), a.Rand.Uint32()&0xffffff)
}
