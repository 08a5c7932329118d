package doctor

import (
	"fmt"
	"math"
	"path"
	"slices"
	"strconv"
	"strings"
)

// quota is how much CPU time the control groups that we are in may have.
func (h hostFiles) quota(cpus cpuFacts) Condition {
	const name = "CPU quota"
	limit, known := h.cpuLimit()
	switch {
	case !known:
		return unknown(name, "")
	case math.IsInf(limit, 1):
		return quiet(name, "none")
	case limit >= float64(cpus.count):
		return quiet(name, fmt.Sprintf("%.3g CPUs, all that there are", limit))
	}
	return noisy(name, fmt.Sprintf("%.3g of %d CPUs", limit, cpus.count),
		"whoever used up a period's share is stopped for the rest of it: give the container whole CPUs (`--cpuset-cpus`) instead of a quota")
}

// cpuLimit returns the smallest quota on the way from our control group to the
// root, in CPUs; infinite without one.
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

// quotaOf returns a quota over its period, on two lines, in CPUs. "max", -1 and
// files that are not there are none.
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
		return noisy(name, found, "the only CPU also runs everything else: take a machine with two or more")
	case cpus.procs > cpus.count:
		return noisy(name, found, "more threads run than there are CPUs, in turns: unset GOMAXPROCS")
	case cpus.procs == cpus.count && cpus.count == 2:
		return noisy(name, found, "benchmarks on all CPUs share them with the system: take a machine with four or more, or GOMAXPROCS=1 for benchmarks of one goroutine")
	}
	return quiet(name, found)
}
