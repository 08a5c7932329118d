package simd

// tile computes rows of dst by two vectors of columns, or the columns that mask names.
func (p Path) tile(rows int, masked bool, dst *float32, dstRow int, a *float32, aRow, aStep int, b *float32, bStep, depth int, mask, add uint64) {
	switch {
	case p == AVX512 && !masked:
		tile512(rows, dst, 4*dstRow, a, 4*aRow, 4*aStep, b, 4*bStep, depth, mask, add)
	case p == AVX512:
		tile512Masked(rows, dst, 4*dstRow, a, 4*aRow, 4*aStep, b, 4*bStep, depth, mask, add)
	case !masked:
		tile256(rows, dst, 4*dstRow, a, 4*aRow, 4*aStep, b, 4*bStep, depth, mask, add)
	default:
		tile256Masked(rows, dst, 4*dstRow, a, 4*aRow, 4*aStep, b, 4*bStep, depth, mask, add)
	}
}

// row computes one row of eight vectors: with fewer sums side by side, each would wait out
// the latency of the one before.
func (p Path) row(dst *float32, a *float32, aStep int, b *float32, bStep, depth int, add uint64) {
	if p == AVX512 {
		row512(1, dst, 0, a, 0, 4*aStep, b, 4*bStep, depth, 0, add)
		return
	}
	row256(1, dst, 0, a, 0, 4*aStep, b, 4*bStep, depth, 0, add)
}
