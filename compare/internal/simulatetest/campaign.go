package simulatetest

import (
	"os"
	"runtime"
	"sync"
)

// Full reports whether to draw the tables of docs/evaluation.md, which takes minutes:
// PERFTRACK_SIMULATE=full.
func Full() bool { return os.Getenv("PERFTRACK_SIMULATE") == "full" }

// Handful reports whether to draw a few cases only and judge no rate: under the race
// detector, and unless PERFTRACK_SIMULATE asks for a campaign, short or full. .ci/run asks
// for the short one.
func Handful() bool { return race || os.Getenv("PERFTRACK_SIMULATE") == "" }

// Share does the n parts of a campaign on all processors: work does every step-th of
// them from first on.
func Share(work func(first, step int)) {
	var wg sync.WaitGroup
	workers := runtime.GOMAXPROCS(0)
	for w := range workers {
		wg.Go(func() { work(w, workers) })
	}
	wg.Wait()
}
