//go:build race

package simulate

// raceEnabled makes campaigns smaller: the race detector slows them tenfold.
const raceEnabled = true
