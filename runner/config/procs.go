package config

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Procs is an ascending list of the values of GOMAXPROCS at which each benchmark is measured, as in
// go test -cpu. If it is empty, the environment's value is used.
type Procs []int

// Limits on a list, far above any practical use.
const (
	maxProcs     = 4096
	maxProcsList = 64
)

// ParseProcs parses a list as go test -cpu does: numbers of at least 1, such as "1,2,4".
func ParseProcs(list string) (Procs, error) {
	var procs Procs
	for part := range strings.SplitSeq(list, ",") {
		n, err := strconv.Atoi(strings.TrimSpace(part))
		if err != nil || n < 1 {
			return nil, fmt.Errorf("invalid list of thread counts %q: try 1,2,4", list)
		}
		if n > maxProcs {
			return nil, fmt.Errorf("%d threads are too many: the limit is %d", n, maxProcs)
		}
		procs = append(procs, n)
	}
	slices.Sort(procs)
	if procs = slices.Compact(procs); len(procs) > maxProcsList {
		return nil, fmt.Errorf("%d thread counts are too many: the limit is %d", len(procs), maxProcsList)
	}
	return procs, nil
}

// String returns the list in the form that ParseProcs parses.
func (p Procs) String() string {
	var parts []string
	for _, n := range p {
		parts = append(parts, strconv.Itoa(n))
	}
	return strings.Join(parts, ",")
}
