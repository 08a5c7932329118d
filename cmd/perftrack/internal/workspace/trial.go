package workspace

import (
	"fmt"
	"strings"
)

// BisectTrialPrefix is the prefix of the ids of trials measured by bisections.
const BisectTrialPrefix = "bisect-"

// IsBisectTrial reports whether a bisection measured the trial. A bisection measures its runs only
// as long as the search requires, so they are not points in a history.
func IsBisectTrial(id string) bool { return strings.HasPrefix(id, BisectTrialPrefix) }

// MeasuredScopes is the beginning of the value of [record.KeyMeasured] in the run of a profile; the
// name of the suite follows it. All rows in such a run are scopes.
const MeasuredScopes = "scopes"

// NewTrialID returns an id for a new trial. It consists of the time, for human readers, and a
// random number.
func (a *Session) NewTrialID() string {
	return fmt.Sprintf("%s-%06x", a.Now().UTC().Format("20060102T150405"), a.Rand.Uint32()&0xffffff)
}
