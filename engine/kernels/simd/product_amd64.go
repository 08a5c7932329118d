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

// stream computes a row of dst from rows of b.
func (p Path) stream(rows int, dst, x, b *float32, bStep, columns int, add uint64) {
	if p == AVX512 {
		stream512(rows, dst, x, b, 4*bStep, columns, add)
		return
	}
	stream256(rows, dst, x, b, 4*bStep, columns, add)
}
