package slicing

import (
	"crypto/sha256"
	"encoding/binary"
	"math"
	"time"
)

// A Way is how a benchmark of a trial is measured: decided once, before any verdict.
type Way struct {
	Why     string        // why with a fresh process a side and round; "" if in slices
	N       int           // iterations of a slice, about which those of each round are drawn
	Slices  int           // pairs of slices a round
	Length  time.Duration // of a slice, about
	Stopped bool          // parked sides are stopped: something goes on in them
	// Calm says that the collections before each slice stop the world, so that nothing of them goes on
	// while it is timed. Not where slices hold collections of their own.
	Calm bool
	// Pinned says that all slices of a round run on one CPU, and those of the next round on another: the
	// benchmark keeps one thread at work.
	Pinned bool
}

// OutOfTime ends why a benchmark is measured in fresh processes where nothing but time was short to
// find out how else.
const OutOfTime = "to find out how"

// Sliced reports whether the benchmark is measured in slices.
func (w Way) Sliced() bool { return w.Why == "" && w.N > 0 }

// around is what is done around a slice: collections, and the other side goes on.
const around = 1200 * time.Microsecond

// Takes is how long a round of both sides takes, about, of which each is timed for benchtime in fresh
// processes.
func (w Way) Takes(benchtime time.Duration) time.Duration {
	if !w.Sliced() {
		return 2 * benchtime * 4 / 3
	}
	return 2 * time.Duration(w.Slices+warmUp+2) * (w.Length + around)
}

// Valid reports whether a way that was stored is one that Choose may have returned.
func (w Way) Valid() bool {
	return w.Sliced() && w.Slices >= leastSlices
}

// iterations are those of a slice of both sides in a round.
//
// With the same number in each round every slice would hold the same phase of what happens every
// so often, a collection or the flush of a buffer, and one more or less of these in each would be
// a bias that no number of rounds makes smaller. So they are spread evenly over half of N, by the
// fractional parts of multiples of the golden ratio, which are as even as any sequence can be after
// every number of rounds. Where a benchmark begins in that sequence depends on its name only: a
// trial that is measured again gives the same.
func (w Way) iterations(name string, round int) int {
	hash := sha256.Sum256([]byte(name))
	start := float64(binary.BigEndian.Uint64(hash[:])>>11) / (1 << 53)
	_, at := math.Modf(start + float64(round)*(math.Phi-1))
	return max(1, int(math.Round(float64(w.N)*(0.75+0.5*at))))
}
