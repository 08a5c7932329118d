package simd

import "github.com/perftrack/perftrack/engine/kernels/spare"

// A room is memory for the packed blocks of a product's factors. The blocks are contiguous and in
// the order in which the tiles read them.
type room struct{ a, b []float32 }

// rooms keeps the rooms that no product is using.
var rooms spare.List[room]

// packRows copies m rows of depth elements and returns the packed matrix.
func (r *room) packRows(a Matrix, m, depth int) Matrix {
	if r.a == nil {
		r.a = make([]float32, rowBlock*(depthBlock+padding))
	}
	const stride = depthBlock + padding
	if a.Column == 1 {
		for i := range m {
			copy(r.a[i*stride:][:depth], a.At[i*a.Row:])
		}
		return Matrix{r.a, stride, 1}
	}
	for p := range depth {
		from := a.At[p*a.Column:]
		for i := range m {
			r.a[i*stride+p] = from[i*a.Row]
		}
	}
	return Matrix{r.a, stride, 1}
}

// packColumns copies depth rows of width columns into consecutive panels of lanes columns. It
// returns the distance between two panels.
func (r *room) packColumns(b Matrix, depth, width, lanes int) (panel int) {
	if r.b == nil {
		r.b = make([]float32, depthBlock*widthBlock)
	}
	panel = depth * lanes
	for j := 0; j < width; j += lanes {
		to, columns := r.b[j/lanes*panel:][:panel], min(lanes, width-j)
		if b.Column == 1 {
			for p := range depth {
				copy(to[p*lanes:][:columns], b.At[p*b.Row+j:])
			}
			continue
		}
		for c := range columns {
			from := b.At[(j+c)*b.Column:]
			for p := range depth {
				to[p*lanes+c] = from[p*b.Row]
			}
		}
	}
	return panel
}
