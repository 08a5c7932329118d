package kernels

import "github.com/perftrack/perftrack/engine/kernels/simd"

// AddRowBackward adds the gradient of AddRow's row, the sum of each column of dout, to drow. dout
// is rows x cols and drow has cols elements. The gradient of AddRow's matrix is dout itself. drow
// must not overlap dout.
//
// Each sum runs over the rows in order, so its error is at most gamma_rows times the sum of the
// magnitudes.
func AddRowBackward(drow, dout []float32, rows, cols int) {
	checkVector("AddRowBackward", "drow", drow, cols)
	checkMatrix("AddRowBackward", "dout", dout, rows, cols)
	checkGradient("AddRowBackward", "drow", drow, dout)
	if cols == 0 {
		return
	}
	if path != simd.Generic {
		for r := range rows {
			path.Add(drow, drow, dout[r*cols:][:cols])
		}
		return
	}
	r := 0
	for ; r+4 <= rows; r += 4 {
		d0, d1 := dout[r*cols:][:len(drow)], dout[(r+1)*cols:][:len(drow)]
		d2, d3 := dout[(r+2)*cols:][:len(drow)], dout[(r+3)*cols:][:len(drow)]
		for j := range drow {
			drow[j] = drow[j] + d0[j] + d1[j] + d2[j] + d3[j]
		}
	}
	for ; r < rows; r++ {
		Add(drow, drow, dout[r*cols:][:cols])
	}
}
