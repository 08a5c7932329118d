package limit

import (
	"fmt"
	"slices"
	"strings"
)

// A Subject is the kind of row a limit applies to.
type Subject string

// The subjects.
const (
	Benchmark Subject = ""
	Scope     Subject = "scope"   // the calls of a scope in a profile
	Profile   Subject = "profile" // a profiled suite as a whole
)

// The additional units for limits on scopes and profiles. A share is a percentage of the run,
// including the scopes inside (Share) or excluding them (OwnShare).
const (
	Share        = "%"
	OwnShare     = "self-%"
	OwnTime      = "self-sec/op"
	OwnBytes     = "self-B/op"
	RunTime      = "sec"
	Allocated    = "allocated-B"
	PeakHeap     = "peak-heap-B"
	PeakResident = "peak-resident-B"
	Collections  = "collections"
)

// written lists the units for limits on a subject, as messages spell them.
var written = map[Subject]string{
	Scope:   "ms, self-ms, MB, self-MB or allocs per call, % or self-%",
	Profile: "s, allocated-MB, peak-heap-MB, peak-resident-MB or collections",
}

// units lists the canonical units for limits on a subject in a profile.
var units = map[Subject][]string{
	Scope:   {Share, OwnShare, "sec/op", OwnTime, "B/op", OwnBytes, "allocs/op"},
	Profile: {RunTime, Allocated, PeakHeap, PeakResident, Collections},
}

// ParseScope parses a limit on the scopes matching the glob. It applies to one call or to a share.
func ParseScope(glob, text string) (Limit, error) { return parse(Scope, glob, text) }

// ParseProfile parses a limit on the profiled suites matching the glob, each as a whole.
func ParseProfile(glob, text string) (Limit, error) { return parse(Profile, glob, text) }

// parseUnit parses a unit as it is written in a limit on the subject.
func (on Subject) parseUnit(unit string) (name string, factor float64, err error) {
	if on == Benchmark {
		return parseUnit(unit)
	}
	if near, ok := misspelt(unit); ok {
		return "", 0, fmt.Errorf("unknown unit %q: did you mean %q?", unit, near)
	}
	name, factor = canonical(unit)
	if name = strings.TrimSuffix(name, "/call"); on == Scope && !strings.HasSuffix(name, "/op") && !strings.HasSuffix(name, "%") {
		name += "/op"
	}
	if !slices.Contains(units[on], name) {
		return "", 0, fmt.Errorf("unit %q: a limit for a %s must be in %s", unit, on, written[on])
	}
	return name, factor, nil
}
