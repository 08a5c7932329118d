package config

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// CPUs are numbers of CPUs as Linux counts them, ascending. None are no choice:
// programs run wherever the system puts them.
type CPUs []int

// maxCPU is the highest number that is read: no kernel is built for more than
// 8192 CPUs.
const maxCPU = 8191

// ParseCPUs reads a list as taskset --cpu-list does: numbers and ranges, a range
// perhaps with a step, such as "1", "2-3,6" or "0-15:2".
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
			return nil, fmt.Errorf("%q is no list of CPUs: write for example 1 or 2-3,6", list)
		}
		if last > maxCPU {
			return nil, fmt.Errorf("CPU %d in %q: there is no machine with more than %d", last, list, maxCPU+1)
		}
		if last < first {
			return nil, fmt.Errorf("%s in the list of CPUs %q ends before it begins", span, list)
		}
		for cpu := first; cpu <= last; cpu += by {
			cpus = append(cpus, cpu)
		}
	}
	slices.Sort(cpus)
	return slices.Compact(cpus), nil
}

// cpuNumber reads plain digits.
func cpuNumber(s string) (int, error) {
	n, err := strconv.ParseUint(s, 10, 31)
	return int(n), err
}

// String returns the list as ParseCPUs reads it and the kernel prints it, the
// same for the same CPUs however they were written.
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
