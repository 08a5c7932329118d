package record

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"
)

// A Process is what the process of a round of a profile needed, which ran all scopes of a suite.
type Process struct {
	Package  string `json:"pkg,omitempty"`
	Suite    string `json:"suite,omitempty"`
	Round    int    `json:"n"`
	Resident int64  `json:"rss,omitempty"` // bytes of memory at most, as the operating system counts; 0 is not known
	// What the program says of its heap, nil where it does not: see [KeyCycles], [KeyPause], [KeyHeap].
	Cycles *int64 `json:"gc,omitempty"`
	Pause  *int64 `json:"pause,omitempty"` // nanoseconds
	Heap   *int64 `json:"heap,omitempty"`  // bytes
}

// valid reports whether the figures can be those of a process.
func (p Process) valid() bool {
	for _, x := range []*int64{&p.Resident, p.Cycles, p.Pause, p.Heap} {
		if x != nil && *x < 0 {
			return false
		}
	}
	return p.Round > 0
}

// maxProcesses is how many facts of a run, each as long as a fact may be, the processes may fill:
// some 80 rounds of the engine.
const maxProcesses = 8

// SetProcesses notes on a run of a profile what its processes needed, and nothing for none. Where
// there is no room for all of them the last rounds are left out.
func SetProcesses(r *Run, all []Process) {
	all = slices.Clone(all)
	slices.SortStableFunc(all, func(a, b Process) int {
		return cmp.Or(cmp.Compare(a.Round, b.Round), strings.Compare(a.Package, b.Package), strings.Compare(a.Suite, b.Suite))
	})
	setNumberedList(r, KeyProcess, all, maxProcesses)
}

// Processes returns what the processes of a profile's run needed, by round; nil if it does not say.
func Processes(r *Run) []Process {
	var all []Process
	if json.Unmarshal([]byte(Numbered(r, KeyProcess, maxProcesses)), &all) != nil {
		return nil
	}
	return slices.DeleteFunc(all, func(p Process) bool { return !p.valid() })
}
