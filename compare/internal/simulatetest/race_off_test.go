//go:build !race

package simulatetest

const raceEnabled = false
