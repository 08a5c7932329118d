package doctor

import (
	"fmt"
	"math"
	"path"
	"slices"
	"strconv"
	"strings"
)

// quota describes the limit on the CPU time of our control groups.
func (h hostFiles) quota(cpus cpuFacts) Condition {
	const name = "CPU quota"
	limit, known := h.cpuLimit()
	switch {
	case !known:
		return unknown(name, "")
	case math.IsInf(limit, 1):
		return quiet(name, "none")
	case limit >= float64(cpus.count):
		return quiet(name, fmt.Sprintf("%.3g CPUs: all of them", limit))
	}
	return noisy(name, fmt.Sprintf("%.3g of %d CPUs", limit, cpus.count),
		"the kernel stops a process for the rest of the period once it has used up its quota: give the container whole CPUs (`--cpuset-cpus`) instead")
}

// cpuLimit returns the smallest quota in the control groups from ours up to the root, as a number
// of CPUs. It is infinite if there is no quota.
func (h hostFiles) cpuLimit() (limit float64, known bool) {
	limit = math.Inf(1)
	for line := range strings.Lines(h.read("proc/self/cgroup")) {
		parts := strings.SplitN(strings.TrimSpace(line), ":", 3)
		if len(parts) != 3 {
			continue
		}
		known = true
		for dir := path.Clean("/" + parts[2]); ; dir = path.Dir(dir) {
			switch {
			case parts[0] == "0":
				for _, top := range []string{"sys/fs/cgroup", "sys/fs/cgroup/unified"} {
					limit = min(limit, quotaOf(strings.Replace(h.read(path.Join(top, dir, "cpu.max")), " ", "\n", 1)))
				}
			case slices.Contains(strings.Split(parts[1], ","), "cpu"):
				for _, top := range []string{"sys/fs/cgroup/cpu", "sys/fs/cgroup/cpu,cpuacct"} {
					limit = min(limit, quotaOf(h.read(path.Join(top, dir, "cpu.cfs_quota_us"))+"\n"+h.read(path.Join(top, dir, "cpu.cfs_period_us"))))
				}
			}
			if dir == "/" {
				break
			}
		}
	}
	return limit, known
}

// quotaOf returns the number of CPUs in a quota. text contains the quota and its period on two
// lines. "max", -1 and missing files mean no quota.
func quotaOf(text string) float64 {
	quota, period, _ := strings.Cut(text, "\n")
	q, err := strconv.ParseFloat(quota, 64)
	p, err2 := strconv.ParseFloat(period, 64)
	if err != nil || err2 != nil || q <= 0 || p <= 0 {
		return math.Inf(1)
	}
	return q / p
}

func (h hostFiles) cpus(cpus cpuFacts) Condition {
	const name = "CPUs"
	found := fmt.Sprintf("%d, GOMAXPROCS %d", cpus.count, cpus.procs)
	switch {
	case cpus.count == 1:
		return noisy(name, found, "the only CPU also runs everything else: use a machine with two or more")
	case cpus.procs > cpus.count:
		return noisy(name, found, "more threads than CPUs have to take turns: unset GOMAXPROCS")
	case cpus.procs == cpus.count && cpus.count == 2:
		return noisy(name, found, "benchmarks that use all CPUs share them with the system: use a machine with four or more, or GOMAXPROCS=1 for benchmarks with one goroutine")
	}
	return quiet(name, found)
}
