package simd

import "runtime"

// chains runs the given number of steps of the chains that measure the peak.
func (p Path) chains(steps int) {
	x, y := float32(0.5), float32(1)
	switch p {
	case AVX512:
		chains512(&x, &y, steps)
	case AVX2:
		chains256(&x, &y, steps)
	default:
		runtime.KeepAlive(portable(x, y, steps))
	}
}
