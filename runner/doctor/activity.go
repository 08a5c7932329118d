package doctor

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// An activity is the CPU time used on a machine so far, in clock ticks.
type activity struct {
	total, steal int                  // for all CPUs, since boot
	processes    map[int]processTicks // by process ID
}

type processTicks struct {
	name  string
	ticks int
}

// activity reads the current activity from /proc. It is empty on a system without /proc.
func (h hostFiles) activity() activity {
	a := activity{processes: map[int]processTicks{}}
	line, _, _ := strings.Cut(h.read("proc/stat"), "\n")
	for i, f := range strings.Fields(line) {
		const steal, guest = 8, 9 // indices of fields in the line; user time already includes guest time
		n, err := strconv.Atoi(f)
		if err != nil || i >= guest {
			continue
		}
		a.total += n
		if i == steal {
			a.steal = n
		}
	}
	paths, _ := filepath.Glob(filepath.Join(h.root, "/proc/[0-9]*/stat"))
	for _, p := range paths {
		text, err := os.ReadFile(p)
		if err != nil {
			continue // the process has ended
		}
		if pid, t, ok := parseStat(string(text)); ok {
			a.processes[pid] = t
		}
	}
	return a
}

// parseStat parses a line from /proc/PID/stat. The process name is in parentheses and may itself
// contain parentheses.
func parseStat(line string) (pid int, t processTicks, ok bool) {
	id, rest, ok := strings.Cut(line, " (")
	end := strings.LastIndex(rest, ") ")
	if !ok || end < 0 {
		return 0, t, false
	}
	const user, system = 11, 12 // indices of the fields after the name
	fields := strings.Fields(rest[end+2:])
	if len(fields) <= system {
		return 0, t, false
	}
	pid, err := strconv.Atoi(id)
	u, err2 := strconv.Atoi(fields[user])
	s, err3 := strconv.Atoi(fields[system])
	return pid, processTicks{rest[:end], u + s}, err == nil && err2 == nil && err3 == nil
}

// during derives conditions from the work done between two moments.
func during(before, after activity) []Condition {
	return []Condition{steal(before, after), others(before, after)}
}

// steal describes how much of the time the host ran another virtual machine although our programs
// were ready to run.
func steal(before, after activity) Condition {
	const name, much = "steal", 0.002
	total := after.total - before.total
	if after.total == 0 || total <= 0 {
		return unknown(name, "")
	}
	now := float64(after.steal-before.steal) / float64(total)
	ever := float64(after.steal) / float64(after.total)
	found := fmt.Sprintf("%.2f %% of the time now, %.2f %% since boot", 100*now, 100*ever)
	if now < much && ever < much {
		return quiet(name, found)
	}
	return noisy(name, found, "the host runs more virtual machines than it has CPUs: use an instance with dedicated CPUs, or try another time of day")
}

// others describes the programs that ran at the same time, each with its share of the CPUs.
func others(before, after activity) Condition {
	const name, much, shown = "other programs", 0.02, 3
	cpus := float64(after.total - before.total) // ticks of all CPUs together
	if cpus <= 0 || len(after.processes) == 0 {
		return unknown(name, "")
	}
	busy := map[string]int{}
	for pid, p := range after.processes {
		if pid != os.Getpid() {
			busy[p.name] += p.ticks - before.processes[pid].ticks
		}
	}
	var names []string
	for n, ticks := range busy {
		if float64(ticks)/cpus >= much {
			names = append(names, n)
		}
	}
	if len(names) == 0 {
		return quiet(name, fmt.Sprintf("each below %.0f %% of the CPUs", 100*much))
	}
	slices.SortFunc(names, func(a, b string) int { return cmp.Or(cmp.Compare(busy[b], busy[a]), cmp.Compare(a, b)) })
	var found []string
	for _, n := range names[:min(len(names), shown)] {
		found = append(found, fmt.Sprintf("%s %.0f %%", n, 100*float64(busy[n])/cpus))
	}
	return noisy(name, strings.Join(found, ", ")+" of the CPUs", "close them, or wait until they have finished")
}
