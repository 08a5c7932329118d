//go:build race

package simulatetest

// raceEnabled makes campaigns smaller: the race detector slows them tenfold.
const raceEnabled = true
