//go:build race

package workloads

// The race detector makes a kernel twenty times slower: under it only a small
// suite is run. The goroutines of training have their own tests in engine/train.
const raceDetector = true

func programs() []string { return []string{Standard} }
