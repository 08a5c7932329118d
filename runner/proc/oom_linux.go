package proc

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// oomKills counts the processes killed by the kernel because memory ran out.
type oomKills struct {
	cgroup  int64 // in this process's own memory cgroup; -1 if it has none
	machine int64 // on the whole machine; -1 before Linux 4.13
}

// countOOMKills reads both counters. The machine's counter also covers kills that the cgroup's
// counter misses: kills of a program that moved itself to another cgroup, and kills in the root
// cgroup. Because it counts unrelated processes as well, it is evidence only together with a
// SIGKILL that perftrack did not send.
func countOOMKills() oomKills {
	k := oomKills{cgroup: -1, machine: counter("/proc/vmstat", "oom_kill")}
	if dir, v2 := memoryCgroup(); v2 {
		k.cgroup = counter(filepath.Join(dir, "memory.events"), "oom_kill")
	} else if dir != "" {
		k.cgroup = counter(filepath.Join(dir, "memory.oom_control"), "oom_kill")
	}
	return k
}

func (k oomKills) roseSince(before oomKills) bool {
	return before.cgroup >= 0 && k.cgroup > before.cgroup ||
		before.machine >= 0 && k.machine > before.machine
}

// counter reads the number from the line "key number" in file, possibly followed by a unit. It
// returns -1 if there is no such line.
func counter(file, key string) int64 {
	text, err := os.ReadFile(file)
	if err != nil {
		return -1
	}
	for line := range bytes.Lines(text) {
		if f := bytes.Fields(line); len(f) >= 2 && string(f[0]) == key {
			n, err := strconv.ParseInt(string(f[1]), 10, 64)
			if err != nil {
				return -1
			}
			return n
		}
	}
	return -1
}

// memoryCgroup returns the directory of this process's memory cgroup, or "" if it is not mounted.
// If both cgroup versions are mounted, it prefers version 1, because a controller is attached to
// one hierarchy only, and the memory controller is listed by name only in version 1.
func memoryCgroup() (dir string, v2 bool) {
	cgroups, err := os.ReadFile("/proc/self/cgroup")
	if err != nil {
		return "", false
	}
	mounts, err := os.ReadFile("/proc/self/mountinfo")
	if err != nil {
		return "", false
	}
	return findMemoryCgroup(string(cgroups), string(mounts))
}

// findMemoryCgroup combines the contents of two files (cgroups(7), proc_pid_mountinfo(5)). Lines in
// /proc/self/cgroup have the form "id:controllers:path". In /proc/self/mountinfo, field 4 is the
// root of the mount within the hierarchy and field 5 is the mount point; the type, the source and
// the options follow after " - ".
func findMemoryCgroup(cgroups, mounts string) (dir string, v2 bool) {
	var path1, path2 string
	for line := range strings.Lines(cgroups) {
		f := strings.SplitN(strings.TrimRight(line, "\n"), ":", 3)
		switch {
		case len(f) != 3:
		case f[0] == "0" && f[1] == "":
			path2 = f[2]
		case slices.Contains(strings.Split(f[1], ","), "memory"):
			path1 = f[2]
		}
	}
	var dir2 string
	for line := range strings.Lines(mounts) {
		left, right, ok := strings.Cut(line, " - ")
		f, fs := strings.Fields(left), strings.Fields(right)
		if !ok || len(f) < 5 || len(fs) < 3 {
			continue
		}
		switch {
		case fs[0] == "cgroup" && slices.Contains(strings.Split(fs[2], ","), "memory") && path1 != "":
			return under(f[4], f[3], path1), false
		case fs[0] == "cgroup2" && path2 != "":
			dir2 = under(f[4], f[3], path2)
		}
	}
	return dir2, dir2 != ""
}

// under translates path, which is inside a hierarchy, to a directory below point, where root is
// mounted. A container sees only its own part of the hierarchy.
func under(point, root, path string) string {
	if rest, ok := strings.CutPrefix(path, strings.TrimRight(root, "/")); ok && (rest == "" || rest[0] == '/') {
		return filepath.Join(point, rest)
	}
	return point
}
