package kernels

import (
	"math"

	"github.com/perftrack/perftrack/engine/kernels/simd"
)

// LayerNorm sets each row of dst to
//
//	gamma*(x-mean)/sqrt(variance+eps) + beta
//
// with the mean and the (population) variance of the same row of src (Ba, Kiros and Hinton,
// arXiv:1607.06450, section 3). src and dst are rows x cols, and gamma and beta hold cols elements.
// dst may be src but must not overlap gamma or beta.
//
// The mean and the variance are computed in two passes in float64, and the result is rounded once.
// For rows of up to 2048 elements whose mean is at most 1000 standard deviations, the error is at
// most 1.01 u times the magnitudes of the sum's two terms plus 0.001 u times gamma. A row of equal
// elements gives beta if eps > 0, and NaN if eps = 0. NaN or Inf in a row makes the whole row NaN.
//
// On the vector paths the error is at most (cols/16 + 16) u times the magnitudes of the two terms
// and of gamma, because the deviations and their sums are float32. The portable code computes rows
// that need more precision.
func LayerNorm(dst, src, gamma, beta []float32, rows, cols int, eps float32) {
	if !rowsFit(dst, src, rows, cols) || len(gamma) != cols || len(beta) != cols || overlaps(dst, gamma) || overlaps(dst, beta) {
		checkLayerNorm(dst, src, gamma, beta, rows, cols)
	}
	if cols == 0 {
		return
	}
	inverse := 1 / float64(cols)
	for r := range rows {
		if path != simd.Generic && path.LayerNorm(dst[r*cols:][:cols], src[r*cols:][:cols], gamma, beta, inverse, eps) {
			continue
		}
		layerNormRow(dst[r*cols:][:cols], src[r*cols:][:cols], gamma, beta, float64(eps))
	}
}

func checkLayerNorm(dst, src, gamma, beta []float32, rows, cols int) {
	checkMatrix("LayerNorm", "dst", dst, rows, cols)
	checkMatrix("LayerNorm", "src", src, rows, cols)
	checkVector("LayerNorm", "gamma", gamma, cols)
	checkVector("LayerNorm", "beta", beta, cols)
	checkInPlace("LayerNorm", dst, "src", src)
	checkDisjoint("LayerNorm", dst, "gamma", gamma)
	checkDisjoint("LayerNorm", dst, "beta", beta)
}

// layerNormRow computes LayerNorm for one row in portable Go.
func layerNormRow(dst, src, gamma, beta []float32, eps float64) {
	n := float64(len(src))
	mean := sum(src) / n
	scale := 1 / math.Sqrt(squaredDeviation(src, mean)/n+eps)

	dst, gamma, beta = dst[:len(src)], gamma[:len(src)], beta[:len(src)]
	for i, v := range src {
		dst[i] = float32((float64(v)-mean)*scale*float64(gamma[i]) + float64(beta[i]))
	}
}

// sum and squaredDeviation compute four sums side by side, because a single sum would wait for the
// latency of an addition at every element.

func sum(s []float32) float64 {
	var s0, s1, s2, s3 float64
	for len(s) >= 4 {
		s0 += float64(s[0])
		s1 += float64(s[1])
		s2 += float64(s[2])
		s3 += float64(s[3])
		s = s[4:]
	}
	for _, v := range s {
		s0 += float64(v)
	}
	return (s0 + s1) + (s2 + s3)
}

func squaredDeviation(s []float32, mean float64) float64 {
	var s0, s1, s2, s3 float64
	for len(s) >= 4 {
		d0, d1 := float64(s[0])-mean, float64(s[1])-mean
		d2, d3 := float64(s[2])-mean, float64(s[3])-mean
		s0 += d0 * d0
		s1 += d1 * d1
		s2 += d2 * d2
		s3 += d3 * d3
		s = s[4:]
	}
	for _, v := range s {
		d := float64(v) - mean
		s0 += d * d
	}
	return (s0 + s1) + (s2 + s3)
}
