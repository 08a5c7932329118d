//go:build race

package workloads

// The race detector makes kernels twenty times slower, so only a small suite runs under it. The
// goroutines used in training have their own tests in engine/train.
const raceDetector = true

func programs() []string { return []string{Standard} }
