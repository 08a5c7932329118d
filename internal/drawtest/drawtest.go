// Package drawtest fixes what property tests draw: imported for its effect by the tests
// of a package, it has rapid try the same values each time, so that what passed passes
// again, and a change is not refused for what another one did. PERFTRACK_DRAWS is another
// seed to draw from: any number, or 0 for one of the clock.
package drawtest

import (
	"cmp"
	"flag"
	"os"

	_ "pgregory.net/rapid" // whose flags are to be there first
)

func init() {
	if err := flag.Set("rapid.seed", cmp.Or(os.Getenv("PERFTRACK_DRAWS"), "1")); err != nil {
		panic("PERFTRACK_DRAWS: " + err.Error())
	}
}
