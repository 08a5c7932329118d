package simd

// tile computes the given number of rows of dst for the columns in mask, with one bit per lane.
func (k kernel) tile(rows int, dst *float32, dstRow int, a *float32, aRow, aStep int, b *float32, bStep, depth int, mask, add uint64) {
	dstRow, aRow, aStep, bStep = 4*dstRow, 4*aRow, 4*aStep, 4*bStep
	switch k {
	case wide512:
		tile512(rows, dst, dstRow, a, aRow, aStep, b, bStep, depth, mask, add)
	case masked512:
		tile512Masked(rows, dst, dstRow, a, aRow, aStep, b, bStep, depth, mask, add)
	case narrow512:
		tile512Narrow(rows, dst, dstRow, a, aRow, aStep, b, bStep, depth, mask, add)
	case half512:
		tile512Half(rows, dst, dstRow, a, aRow, aStep, b, bStep, depth, mask, add)
	case wide256:
		tile256(rows, dst, dstRow, a, aRow, aStep, b, bStep, depth, mask, add)
	case masked256:
		tile256Masked(rows, dst, dstRow, a, aRow, aStep, b, bStep, depth, mask, add)
	case narrow256:
		tile256Narrow(rows, dst, dstRow, a, aRow, aStep, b, bStep, depth, mask, add)
	}
}

// strip computes the given number of vectors of a row of dst. If ahead is true, it prefetches later
// rows of b.
func (p Path) strip(vectors int, ahead bool, dst, x, b *float32, bStep, depth int, add uint64) {
	strip512(vectors, ahead, dst, x, b, 4*bStep, depth, add)
}

// stream computes a row of dst from rows of b.
func (p Path) stream(rows int, dst, x, b *float32, bStep, columns int, add uint64) {
	if p == AVX512 {
		stream512(rows, dst, x, b, 4*bStep, columns, add)
		return
	}
	stream256(rows, dst, x, b, 4*bStep, columns, add)
}
