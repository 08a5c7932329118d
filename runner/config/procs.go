package config

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Procs are the values of GOMAXPROCS at which each benchmark is measured, ascending, as the
// list of go test -cpu. None leaves it at the one of the environment.
type Procs []int

// Bounds of what is read: nobody measures a benchmark at more, and no Go program has more threads
// that run than it.
const (
	maxProcs     = 4096
	maxProcsList = 64
)

// ParseProcs reads a list as go test -cpu does: numbers of 1 or more, as "1,2,4".
func ParseProcs(list string) (Procs, error) {
	var procs Procs
	for part := range strings.SplitSeq(list, ",") {
		n, err := strconv.Atoi(strings.TrimSpace(part))
		if err != nil || n < 1 {
			return nil, fmt.Errorf("%q is no list of numbers of threads, each 1 or more: write for example 1,2,4", list)
		}
		if n > maxProcs {
			return nil, fmt.Errorf("%d threads are more than %d", n, maxProcs)
		}
		procs = append(procs, n)
	}
	slices.Sort(procs)
	if procs = slices.Compact(procs); len(procs) > maxProcsList {
		return nil, fmt.Errorf("a list of %d numbers of threads is longer than %d", len(procs), maxProcsList)
	}
	return procs, nil
}

// String returns the list as ParseProcs reads it.
func (p Procs) String() string {
	var parts []string
	for _, n := range p {
		parts = append(parts, strconv.Itoa(n))
	}
	return strings.Join(parts, ",")
}
