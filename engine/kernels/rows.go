package kernels

import (
	"fmt"
	"unsafe"

	"github.com/perftrack/perftrack/engine/kernels/simd"
)

// Rows describes matrix rows that start Stride elements apart, such as the columns of one head in a
// matrix of all heads. The elements between the rows are ignored.
type Rows struct {
	At     []float32
	Stride int
}

// row returns the first n elements of row i.
func (r Rows) row(i, n int) []float32 {
	if n == 0 {
		return nil
	}
	return r.At[i*r.Stride:][:n]
}

// from returns the rows starting at row i.
func (r Rows) from(i int) Rows { return Rows{r.At[i*r.Stride:], r.Stride} }

func (r Rows) matrix() simd.Matrix { return simd.Rows(r.At, r.Stride) }

// checkRows panics unless r can hold rows rows of cols elements.
func checkRows(kernel, name string, r Rows, rows, cols int) {
	if rows <= 0 || cols <= 0 {
		return
	}
	if rows > 1 && r.Stride < cols || len(r.At) < (rows-1)*r.Stride+cols {
		panic(fmt.Sprintf("kernels.%s: %s has %d elements in rows %d apart, want %dx%d", kernel, name, len(r.At), r.Stride, rows, cols))
	}
}

// checkSeen panics if seen, the number of keys that the first query sees, and rows, the number of
// queries, are not valid together.
func checkSeen(kernel string, seen, rows int) {
	if seen < 0 || rows < 0 || seen+rows < 1 {
		panic(fmt.Sprintf("kernels.%s: %d queries, and the first sees %d keys", kernel, rows, seen))
	}
}

// shaped is a named operand with its shape.
type shaped struct {
	name string
	Rows
	rows, cols int
}

// near reports whether r might share an element with one of the others. It compares only the ranges
// of memory, because the exact check would take a noticeable share of the time for a decoded token,
// with its single query per head.
func near(r Rows, others ...Rows) bool {
	for i := range others {
		if overlaps(r.At, others[i].At) {
			return true
		}
	}
	return false
}

// checkApart panics if the operand shares an element with one of the others.
func checkApart(kernel, name string, r Rows, rows, cols int, others []shaped) {
	for _, o := range others {
		if sharesRows(r, rows, cols, o.Rows, o.rows, o.cols) {
			panic(fmt.Sprintf("kernels.%s: %s (%dx%d) overlaps %s (%dx%d)", kernel, name, rows, cols, o.name, o.rows, o.cols))
		}
	}
}

// sharesRows reports whether two matrices share an element. Matrices that lie side by side have
// overlapping ranges of memory but share no element.
func sharesRows(a Rows, aRows, aCols int, b Rows, bRows, bCols int) bool {
	if aRows <= 0 || aCols <= 0 || bRows <= 0 || bCols <= 0 {
		return false
	}
	a.At, b.At = a.At[:(aRows-1)*a.Stride+aCols], b.At[:(bRows-1)*b.Stride+bCols]
	if !overlaps(a.At, b.At) {
		return false
	}
	if a.Stride != b.Stride {
		return true
	}
	const size = int(unsafe.Sizeof(float32(0)))
	apart := (int(uintptr(unsafe.Pointer(&b.At[0]))) - int(uintptr(unsafe.Pointer(&a.At[0])))) / size % a.Stride
	if apart < 0 {
		apart += a.Stride
	}
	return apart < aCols || apart+bCols > a.Stride
}
