package simd

import "time"

// How the peak is measured: the best of some looks, each of which takes a few milliseconds, so that
// one of them meets a core that nobody else uses and whose clock has risen.
const (
	looks      = 16
	lookLength = 3 * time.Millisecond
)

// Peak measures how many floating point operations a second one core can do on this path, in
// GFLOPS: of fused multiplications and additions of vectors in registers, each of two
// operations a lane. It takes some 50 ms. On Generic they are the multiplications and
// additions of portable Go, one number at a time.
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

// Chains does so many steps of what Peak measures and returns how many operations that were.
func (p Path) Chains(steps int) (flops float64) {
	p.chains(steps)
	return float64(steps) * p.chainFLOPs()
}

// chainFLOPs are the operations of one step of chains.
func (p Path) chainFLOPs() float64 {
	if p == Generic {
		return 2 * portableChains
	}
	return 2 * linksOfStep * float64(p.lanes())
}

// linksOfStep are the instructions of one step, as generate/chains.go has them.
const linksOfStep = 12 * 4

// portableChains are as many as one loop of portable Go keeps in registers.
const portableChains = 8

// portable is the twin of the vector kernels that measure a peak. It returns the sums because the
// compiler would leave out what nobody asks for.
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
