package simd

import "time"

// The peak is the best of several measurements of a few milliseconds each. At least one of them
// probably runs on an otherwise idle core at a raised clock frequency.
const (
	looks      = 16
	lookLength = 3 * time.Millisecond
)

// Peak measures how many floating-point operations per second one core can do on this path, in
// GFLOPS. It takes about 50 ms. The operations are fused multiply-adds of vectors in registers,
// each counted as two operations per lane. On Generic they are multiplications and additions in
// portable Go, one number at a time.
func (p Path) Peak() float64 {
	best, steps := 0.0, 1000
	for range looks {
		began := time.Now()
		flops := p.Chains(steps)
		took := max(time.Since(began), time.Microsecond)
		best = max(best, flops/took.Seconds()/1e9)
		steps = max(1, int(float64(steps)*min(100, float64(lookLength)/float64(took))))
	}
	return best
}

// Chains runs the given number of steps of Peak's work and returns the number of operations.
func (p Path) Chains(steps int) (flops float64) {
	p.chains(steps)
	return float64(steps) * p.chainFLOPs()
}

// chainFLOPs returns the number of operations in one step of chains.
func (p Path) chainFLOPs() float64 {
	if p == Generic {
		return 2 * portableChains
	}
	return 2 * linksOfStep * float64(p.lanes())
}

// linksOfStep is the number of instructions in one step, as defined in generate/chains.go.
const linksOfStep = 12 * 4

// portableChains is the number of chains a loop of portable Go can keep in registers.
const portableChains = 8

// portable is the portable counterpart of the vector kernels that measure the peak. It returns the
// sum so that the compiler does not remove the work as unused.
//
//go:noinline
func portable(x, y float32, steps int) float32 {
	var a, b, c, d, e, f, g, h float32
	for range steps {
		a, b, c, d = a*x+y, b*x+y, c*x+y, d*x+y
		e, f, g, h = e*x+y, f*x+y, g*x+y, h*x+y
	}
	return a + b + c + d + e + f + g + h
}
