package worker

import (
	"slices"
	"strings"
)

// harmless are the variables that a child gets: those that a build needs. All others could hold a
// secret.
var harmless = []string{
	"PERFTRACK_MACHINE", "PATH", "HOME", "USER", "LOGNAME", "TMPDIR", "TZ", "LANG", "LC_ALL", "LC_CTYPE", "XDG_CACHE_HOME",
	"GOCACHE", "GOMODCACHE", "GOPATH", "GOROOT", "GOTOOLCHAIN", "GOFLAGS", "GOPROXY", "GONOPROXY", "GOSUMDB", "GONOSUMDB",
	"GOPRIVATE", "GOMAXPROCS", "GOEXPERIMENT", "GOAMD64", "GOARM64", "CGO_ENABLED", "CC", "CXX",
	"SystemRoot", "LOCALAPPDATA", "USERPROFILE", "TEMP", "TMP",
}

// childEnv returns the part of an environment that a child gets. A proxy whose address contains a
// password is left out.
func childEnv(env []string) (kept []string) {
	for _, v := range env {
		name, value, _ := strings.Cut(v, "=")
		if slices.Contains(harmless, name) && !strings.Contains(value, "@") {
			kept = append(kept, v)
		}
	}
	return kept
}
