package record

import (
	"strconv"
	"strings"
)

// ProcsInNames is the value of gomaxprocs for a run measured at several values of GOMAXPROCS, or at
// a given list of values. Each name then has its own -N suffix, as printed by `go test -cpu`, and
// no suffix at 1. The value distinguishes these names from equal names in a run whose environment
// has a single GOMAXPROCS.
const ProcsInNames = "in names"

// WholeNames reports whether the names of a run in environment s are whole, because its program does
// not know GOMAXPROCS. A name such as fib-10 then has no suffix. Such a program has no Go version,
// but [ProcsInNames].
func (s Settings) WholeNames() bool {
	return s.Get(KeyGOMAXPROCS) == ProcsInNames && s.Get(KeyGoVersion) == ""
}

// WithoutProcs returns a benchmark's name without the -N suffix for GOMAXPROCS, as reports show it.
// A name without a suffix may end in the same way, so look up the whole name first.
func WithoutProcs(name string) string {
	base, _ := splitSuffix(name)
	return base
}

// ProcsOfName splits a name from a run with [ProcsInNames] into its base and its N. Without a
// suffix, it returns the whole name and 1. Sort/n-10 can mean Sort/n at 10 or Sort/n-10 at 1; the
// caller has to decide.
func ProcsOfName(name string) (base string, n int) {
	base, text := splitSuffix(name)
	n, _ = strconv.Atoi(text) // splitSuffix returns a valid number
	return base, n
}

// WithProcs returns the name of a benchmark at GOMAXPROCS n, as printed by `go test -cpu`. If n is
// 0, the environment's GOMAXPROCS applies and the name is unchanged.
func WithProcs(name string, n int) string {
	if n < 2 {
		return name
	}
	return name + "-" + strconv.Itoa(n)
}

// splitSuffix splits the suffix -N off name. A name without a suffix counts as GOMAXPROCS 1.
func splitSuffix(name string) (base, n string) {
	i := strings.LastIndexByte(name, '-')
	if i <= 0 {
		return name, "1"
	}
	v, err := strconv.Atoi(name[i+1:])
	if err != nil || v < 2 || strconv.Itoa(v) != name[i+1:] {
		return name, "1"
	}
	return name[:i], name[i+1:]
}
