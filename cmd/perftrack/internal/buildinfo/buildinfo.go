// Package buildinfo reports the version and commit of this perftrack binary.
package buildinfo

import (
	"fmt"
	"regexp"
	"runtime"
	"runtime/debug"

	"github.com/perftrack/perftrack/runner/record"
)

// Version returns the module's version or, if it has none, a version derived from the commit that
// the binary was built from.
func Version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "unknown"
	}
	if v := info.Main.Version; v != "" && v != "(devel)" {
		return v
	}
	rev := setting("vcs.revision")
	if rev == "" {
		return "devel"
	}
	v := "devel-" + record.ShortHash(rev)
	if Dirty() {
		v += "-dirty"
	}
	return v
}

var pseudoVersion = regexp.MustCompile(`-\d{14}-([0-9a-f]{12})$`)

// Commit returns the commit this binary was built from, according to its VCS stamp or its
// pseudo-version.
func Commit() string {
	if rev := setting("vcs.revision"); rev != "" {
		return rev
	}
	if m := pseudoVersion.FindStringSubmatch(Version()); m != nil {
		return m[1]
	}
	return ""
}

// Dirty reports whether the work tree differed from the commit.
func Dirty() bool { return setting("vcs.modified") == "true" }

func setting(key string) string {
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, s := range info.Settings {
			if s.Key == key {
				return s.Value
			}
		}
	}
	return ""
}

// Line returns the version, the Go version and the platform, as perftrack version prints them.
func Line() string {
	return fmt.Sprintf("perftrack %s %s %s/%s\n", Version(), runtime.Version(), runtime.GOOS, runtime.GOARCH)
}
