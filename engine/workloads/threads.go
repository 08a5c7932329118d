package workloads

import (
	"sync"

	"github.com/perftrack/perftrack/engine/kernels"
	"github.com/perftrack/perftrack/engine/kernels/workers"
	"github.com/perftrack/perftrack/engine/transformer"
)

// twoThreads is the pool shared by all workloads named _2T. It is never closed; its helper sleeps
// while no workload runs.
var twoThreads = sync.OnceValue(func() *workers.Pool { return workers.New(2) })

// onTwoThreads returns the workloads for two threads. All other workloads of the enhanced suite use
// one.
func onTwoThreads() []Workload {
	const n = 512
	product := matMul(n)
	product.Setup = func(*Meter) func() {
		dst, a, b, pool := make([]float32, n*n), uniform(1, n*n, 1), uniform(2, n*n, 1), twoThreads()
		return func() { kernels.ParallelMatMul(pool, dst, a, b, n, n, n) }
	}
	decode := forward("Model_Medium_Forward", transformer.Medium, twoThreads, enhancedPrompt, enhancedTokens)
	both := []Workload{product, decode}
	for i := range both {
		both[i].Name += "_2T"
		both[i].Threads = 2
	}
	return both
}
