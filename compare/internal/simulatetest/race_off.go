//go:build !race

package simulatetest

// Race says that the race detector is on: then a campaign says nothing of the figures,
// all of the goroutines, and a handful of draws do.
const Race = false
