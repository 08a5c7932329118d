package slicing

import (
	"crypto/sha256"
	"encoding/binary"
	"math"
	"time"
)

// A Method is the sampling method for a benchmark in a trial. It is chosen once, before any
// verdict.
type Method struct {
	Why     string        // why fresh processes measure the benchmark; "" if slices do
	Detail  string        // adds the numbers for this benchmark to Why, or is ""
	N       int           // mean number of iterations per slice; each round has its own number
	Slices  int           // pairs of slices per round
	Length  time.Duration // approximate length of a slice
	Stopped bool          // parked sides are stopped, because otherwise they would do some work
	// OutOfTime is set if there was no time to choose a method.
	OutOfTime bool
	// Calm makes the garbage collection before each slice stop the world, so no part of it runs
	// during the slice. It is not set if the slices contain collections of their own.
	Calm bool
	// Pinned runs all slices of a round on one CPU, and those of the next round on another one,
	// because the benchmark uses only one thread.
	Pinned bool
}

// Sliced reports whether the benchmark is measured in slices.
func (w Method) Sliced() bool { return w.Why == "" && w.N > 0 }

// around is the usual time between two slices, for collections and for the switch to the other
// side.
const around = 1200 * time.Microsecond

// Takes returns roughly how long a round of both sides takes. Fresh processes time each side for
// benchtime.
func (w Method) Takes(benchtime time.Duration) time.Duration {
	if !w.Sliced() {
		return 2 * benchtime * 4 / 3
	}
	return 2 * time.Duration(w.Slices+warmUp+2) * (w.Length + around)
}

// Valid reports whether w, which was stored, is a method for slices that Choose may have returned.
func (w Method) Valid() bool {
	return w.Sliced() && w.Slices >= leastSlices
}

// iterations returns the number of iterations per slice in a round, the same for both sides.
//
// If all rounds had the same number, every slice would contain the same phase of periodic events,
// such as a collection or the flush of a buffer. One event more or less would then bias all rounds
// alike. The numbers are therefore spread evenly over a range of half of N, by the fractional parts
// of multiples of the golden ratio. They are as evenly spread as possible after any number of
// rounds. A benchmark's start in this sequence depends only on its name, so a repeated trial uses
// the same numbers.
func (w Method) iterations(name string, round int) int {
	hash := sha256.Sum256([]byte(name))
	start := float64(binary.BigEndian.Uint64(hash[:])>>11) / (1 << 53)
	_, at := math.Modf(start + float64(round)*(math.Phi-1))
	return max(1, int(math.Round(float64(w.N)*(0.75+0.5*at))))
}
