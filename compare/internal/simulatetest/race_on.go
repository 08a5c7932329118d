//go:build race

package simulatetest

// race is whether the race detector is on: it needs goroutines, not figures.
const race = true
