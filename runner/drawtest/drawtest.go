// Package drawtest fixes the random draws in property tests. Tests import it for its side effect:
// rapid tries the same values each time, so tests are repeatable. The variable PERFTRACK_DRAWS sets
// another seed: any number, or 0 to take it from the clock.
package drawtest

import (
	"cmp"
	"flag"
	"os"

	_ "pgregory.net/rapid" // defines the flag set by init
)

func init() {
	if err := flag.Set("rapid.seed", cmp.Or(os.Getenv("PERFTRACK_DRAWS"), "1")); err != nil {
		panic("PERFTRACK_DRAWS: " + err.Error())
	}
}
