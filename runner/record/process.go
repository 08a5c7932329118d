package record

import (
	"cmp"
	"slices"
	"strings"
)

// A Process describes the resource use of one process, which ran all scopes of a suite for one
// round of a profile.
type Process struct {
	Package  string `json:"pkg,omitempty"`
	Suite    string `json:"suite,omitempty"`
	Round    int    `json:"n"`
	Resident int64  `json:"rss,omitempty"` // peak memory in bytes, as counted by the operating system; 0 if unknown
	// The program's own figures for its heap, nil if unknown: see [KeyCycles], [KeyPause] and
	// [KeyHeap].
	Cycles *int64 `json:"gc,omitempty"`
	Pause  *int64 `json:"pause,omitempty"` // nanoseconds
	Heap   *int64 `json:"heap,omitempty"`  // bytes
}

// valid reports whether the figures are plausible.
func (p Process) valid() bool {
	for _, x := range []*int64{&p.Resident, p.Cycles, p.Pause, p.Heap} {
		if x != nil && *x < 0 {
			return false
		}
	}
	return p.Round > 0
}

// maxProcesses is the maximum number of facts in which a run stores its processes. These facts have
// room for about 80 rounds of the engine's suites.
const maxProcesses = 8

// SetProcesses records the resource use of all processes in r, the run of a profile. If there is
// not enough room for all rounds, it leaves out the last rounds.
func SetProcesses(r *Run, all []Process) {
	all = slices.Clone(all)
	slices.SortStableFunc(all, func(a, b Process) int {
		return cmp.Or(cmp.Compare(a.Round, b.Round), strings.Compare(a.Package, b.Package), strings.Compare(a.Suite, b.Suite))
	})
	setNumberedList(r, KeyProcess, all, maxProcesses)
}

// Processes returns the resource use of a profile's processes, by round, or nil if unknown.
func Processes(r *Run) []Process {
	all := listOfFact[Process](numbered(r.Facts, KeyProcess, maxProcesses))
	return slices.DeleteFunc(all, func(p Process) bool { return !p.valid() })
}
