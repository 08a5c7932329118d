package evaluation

import (
	"os"
	"runtime"
	"sync"
)

// Full reports whether to draw the tables in docs/evaluation.md, as requested by
// PERFTRACK_SIMULATE=full. This takes minutes.
func Full() bool { return os.Getenv("PERFTRACK_SIMULATE") == "full" }

// Handful reports whether to draw only a few cases and not judge any rate. It returns true if the
// race detector is enabled or if PERFTRACK_SIMULATE is not set. .ci/run sets it to short.
func Handful() bool { return race || os.Getenv("PERFTRACK_SIMULATE") == "" }

// Share divides a campaign among all processors: each call of work handles every step-th part,
// starting with first.
func Share(work func(first, step int)) {
	var wg sync.WaitGroup
	workers := runtime.GOMAXPROCS(0)
	for w := range workers {
		wg.Go(func() { work(w, workers) })
	}
	wg.Wait()
}
