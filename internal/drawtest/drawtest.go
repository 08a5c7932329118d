// Package drawtest fixes what property tests draw: imported for its effect by the tests
// of a package, it has rapid try the same values each time, so that what passed passes
// again. With PERFTRACK_LIVE set, as in .ci/run, they draw others.
package drawtest

import (
	"flag"
	"os"

	_ "pgregory.net/rapid" // whose flags are to be there first
)

func init() {
	if os.Getenv("PERFTRACK_LIVE") == "" {
		_ = flag.Set("rapid.seed", "1")
	}
}
