package kernels

import "github.com/perftrack/perftrack/engine/kernels/simd"

// Add sets dst = a + b, element by element, correctly rounded. All three slices must have the same
// length; dst may be a, b or both.
func Add(dst, a, b []float32) {
	checkBinary("Add", dst, a, b)
	if path != simd.Generic {
		path.Add(dst, a, b)
		return
	}
	add(dst, a, b)
}

// add is Add in portable Go. It is a separate function because then the linker always puts its loop
// within one 32-byte block of code. Inside Add the loop would cross a block boundary in every
// second build and take 1.6 times as long.
//
//go:noinline
func add(dst, a, b []float32) {
	a, b = a[:len(dst)], b[:len(dst)]
	for i := range dst {
		dst[i] = a[i] + b[i]
	}
}

// Mul sets dst = a * b, element by element, correctly rounded. All three slices must have the same
// length; dst may be a, b or both.
func Mul(dst, a, b []float32) {
	checkBinary("Mul", dst, a, b)
	if path != simd.Generic {
		path.Mul(dst, a, b)
		return
	}
	mul(dst, a, b)
}

// mul is Mul in portable Go, a separate function for the same reason as add.
//
//go:noinline
func mul(dst, a, b []float32) {
	a, b = a[:len(dst)], b[:len(dst)]
	for i := range dst {
		dst[i] = a[i] * b[i]
	}
}

func checkBinary(kernel string, dst, a, b []float32) {
	checkVector(kernel, "a", a, len(dst))
	checkVector(kernel, "b", b, len(dst))
	checkInPlace(kernel, dst, "a", a)
	checkInPlace(kernel, dst, "b", b)
}

// AddRow adds row (cols elements) to every row of a and stores the sums in dst. a and dst are rows
// x cols. dst may be a but must not overlap row.
func AddRow(dst, a, row []float32, rows, cols int) {
	checkMatrix("AddRow", "dst", dst, rows, cols)
	checkMatrix("AddRow", "a", a, rows, cols)
	checkVector("AddRow", "row", row, cols)
	checkInPlace("AddRow", dst, "a", a)
	checkDisjoint("AddRow", dst, "row", row)
	if cols == 0 {
		return
	}
	if path != simd.Generic {
		for r := range rows {
			path.Add(dst[r*cols:][:cols], a[r*cols:][:cols], row)
		}
		return
	}
	for r := range rows {
		d, s := dst[r*cols:][:cols], a[r*cols:][:cols]
		row := row[:len(d)]
		s = s[:len(d)]
		for i := range d {
			d[i] = s[i] + row[i]
		}
	}
}
