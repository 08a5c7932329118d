package simulatetest

import (
	"os"
	"runtime"
	"sync"
)

// Full reports whether the tables of docs/evaluation.md are asked for, which take
// minutes: PERFTRACK_SIMULATE=full. Else the tests draw what shows a gross fault.
func Full() bool { return os.Getenv("PERFTRACK_SIMULATE") == "full" }

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
