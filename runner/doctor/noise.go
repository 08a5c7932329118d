package doctor

import (
	"context"
	"math"
	"slices"
	"time"
)

// A NoiseFigure describes how much the time of constant work varies.
type NoiseFigure struct {
	Work   string        // name of the kind of work
	Slices int           // number of repetitions
	Median time.Duration // time of one slice
	CV     float64       // standard deviation divided by mean
	Worst  float64       // time of the slowest slice divided by the median
	Slow   float64       // fraction of the slices over 10 % longer than the median
}

// Quiet reports whether only very few slices were disturbed. Benchmarks with this kind of work then
// have the machine to themselves.
func (n NoiseFigure) Quiet() bool { return n.CV <= 0.02 && n.Slow <= 0.01 }

// sliceTime is the approximate length of a slice. It is about as long as another virtual machine
// typically occupies a CPU, because much longer slices would average out such disturbances.
const sliceTime = 2 * time.Millisecond

// A spinner does work in n steps.
type spinner struct {
	name string
	spin func(n int) uint64
}

func spinners() []spinner {
	memory := make([]uint64, 8<<20/8) // larger than the caches of a single core
	for i := range memory {
		memory[i] = uint64(i)
	}
	return []spinner{
		{"arithmetic", func(n int) uint64 {
			x := uint64(n)
			for range n {
				x = x*6364136223846793005 + 1442695040888963407 // each step depends on the previous one
			}
			return x
		}},
		{"memory", func(n int) (sum uint64) {
			for i := range n {
				sum += memory[i*8%len(memory)] // each step reads another cache line
			}
			return sum
		}},
	}
}

// measureNoise times slices of each kind of work in turn, so that a disturbance affects all kinds.
func measureNoise(ctx context.Context, d time.Duration, progress func(float64)) ([]NoiseFigure, error) {
	kinds := spinners()
	steps, times := make([]int, len(kinds)), make([][]float64, len(kinds))
	var sink uint64
	for i, k := range kinds {
		steps[i] = calibrated(k)
	}
	start := time.Now()
	for done := time.Duration(0); done < d; done = time.Since(start) {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if progress != nil && len(times[0])%32 == 0 {
			progress(float64(done) / float64(d))
		}
		for i, k := range kinds {
			t := time.Now()
			sink += k.spin(steps[i])
			times[i] = append(times[i], time.Since(t).Seconds())
		}
	}
	use(sink)
	var out []NoiseFigure
	for i, k := range kinds {
		out = append(out, noiseFigure(k.name, times[i]))
	}
	return out, nil
}

// use makes the compiler keep the result.
//
//go:noinline
func use(uint64) {}

// calibrated returns the number of steps that take about sliceTime.
func calibrated(k spinner) int {
	for n := 1 << 10; ; n *= 2 {
		best := time.Duration(math.MaxInt64)
		for range 3 {
			t := time.Now()
			use(k.spin(n))
			best = min(best, time.Since(t))
		}
		if best > sliceTime/4 || n >= 1<<30 {
			return max(1, int(float64(n)*float64(sliceTime)/float64(max(best, 1))))
		}
	}
}

// noiseFigure summarizes the times of the slices, in seconds.
func noiseFigure(work string, times []float64) NoiseFigure {
	n := NoiseFigure{Work: work, Slices: len(times)}
	if len(times) == 0 {
		return n
	}
	slices.Sort(times)
	median := times[len(times)/2]
	mean, variance := 0.0, 0.0
	for _, t := range times {
		mean += t / float64(len(times))
	}
	slow := 0
	for _, t := range times {
		variance += (t - mean) * (t - mean) / float64(max(len(times)-1, 1))
		if t > 1.1*median {
			slow++
		}
	}
	n.Median = time.Duration(median * float64(time.Second))
	n.CV, n.Worst = math.Sqrt(variance)/mean, times[len(times)-1]/median
	n.Slow = float64(slow) / float64(len(times))
	return n
}
