package config

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// CPUs is an ascending list of CPU numbers as Linux assigns them. An empty list leaves the choice
// to the system.
type CPUs []int

// maxCPU is the highest valid CPU number, because no kernel is built for more than 8192 CPUs.
const maxCPU = 8191

// ParseCPUs parses a list as taskset --cpu-list does: numbers and ranges, optionally with a step,
// such as "1", "2-3,6" or "0-15:2".
func ParseCPUs(list string) (CPUs, error) {
	var cpus CPUs
	for part := range strings.SplitSeq(list, ",") {
		span, step, stepped := strings.Cut(strings.TrimSpace(part), ":")
		from, to, ranged := strings.Cut(span, "-")
		if !ranged {
			to = from
		}
		if !stepped {
			step = "1"
		}
		first, err1 := cpuNumber(from)
		last, err2 := cpuNumber(to)
		by, err3 := cpuNumber(step)
		if err := errors.Join(err1, err2, err3); err != nil || stepped && !ranged || by == 0 {
			return nil, fmt.Errorf("invalid list of CPUs %q: try 1 or 2-3,6", list)
		}
		if last > maxCPU {
			return nil, fmt.Errorf("invalid list of CPUs %q: CPU %d is out of range; at most %d CPUs are supported", list, last, maxCPU+1)
		}
		if last < first {
			return nil, fmt.Errorf("invalid list of CPUs %q: %s ends before it begins", list, span)
		}
		for cpu := first; cpu <= last; cpu += by {
			cpus = append(cpus, cpu)
		}
	}
	slices.Sort(cpus)
	return slices.Compact(cpus), nil
}

// cpuNumber parses a number of digits only.
func cpuNumber(s string) (int, error) {
	n, err := strconv.ParseUint(s, 10, 31)
	return int(n), err
}

// String returns the list in the form that the kernel prints and ParseCPUs parses. The same CPUs
// always have the same string, regardless of the parsed text.
func (c CPUs) String() string {
	var parts []string
	for i := 0; i < len(c); {
		end := i
		for end+1 < len(c) && c[end+1] == c[end]+1 {
			end++
		}
		part := strconv.Itoa(c[i])
		if end > i {
			part += "-" + strconv.Itoa(c[end])
		}
		parts = append(parts, part)
		i = end + 1
	}
	return strings.Join(parts, ",")
}
