//go:build !amd64

package simd

import "runtime"

// Best returns Generic, because there are kernels for amd64 only.
func Best() Path { return Generic }

func (k kernel) tile(int, *float32, int, *float32, int, int, *float32, int, int, uint64, uint64) {
	panic("simd: no kernels for this processor")
}

func (p Path) strip(int, bool, *float32, *float32, *float32, int, int, uint64) {
	panic("simd: no kernels for this processor")
}

func (p Path) stream(int, *float32, *float32, *float32, int, int, uint64) {
	panic("simd: no kernels for this processor")
}

// chains runs the given number of steps of the chains that measure the peak.
func (p Path) chains(steps int) { runtime.KeepAlive(portable(0.5, 1, steps)) }
