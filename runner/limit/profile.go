package limit

import (
	"fmt"
	"slices"
	"strings"
)

// A Subject is the kind of thing that a limit bounds.
type Subject string

// The subjects.
const (
	Benchmark Subject = ""
	Scope     Subject = "scope"   // the calls of a profile's scope
	Profile   Subject = "profile" // a profiled suite as a whole
)

// The units that limits of scopes and profiles may have beside those of benchmarks. A share is in
// percent: of the run, with the scopes inside or without.
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

// written is how messages name the units of a subject.
var written = map[Subject]string{
	Scope:   "ms, self-ms, MB, self-MB or allocs of a call, % or self-%",
	Profile: "s, allocated-MB, peak-heap-MB, peak-resident-MB or collections",
}

// units are the canonical ones that a profile can tell of the subject.
var units = map[Subject][]string{
	Scope:   {Share, OwnShare, "sec/op", OwnTime, "B/op", OwnBytes, "allocs/op"},
	Profile: {RunTime, Allocated, PeakHeap, PeakResident, Collections},
}

// ParseScope reads a limit of the scopes that the glob matches: of one call, or of a share.
func ParseScope(glob, text string) (Limit, error) { return parse(Scope, glob, text) }

// ParseProfile reads a limit of the profiled suites that the glob matches, as a whole.
func ParseProfile(glob, text string) (Limit, error) { return parse(Profile, glob, text) }

// parseUnit reads a unit as it is written in a limit of the subject.
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
		return "", 0, fmt.Errorf("unit %q: a limit of a %s is in %s", unit, on, written[on])
	}
	return name, factor, nil
}
