package simd

// The blocks of a product. A panel of b of depthBlock steps and two vectors of columns is
// 64 KiB with AVX-512: it stays in the second-level cache while the rows of a pass over it.
const (
	depthBlock = 512  // steps of the depth
	widthBlock = 1024 // columns of b that are packed at once, 2 MiB
	farLanes   = 64   // vectors between rows: from here on they share sets of the caches, and are packed
	rowBlock   = 192  // rows of a that are packed at once, 400 KiB
	padding    = 16   // elements behind a packed row of a, so that rows do not share sets
)

// A Matrix is a place in memory whose element (i, j) lies at i*Row + j*Column. Of what a
// product is computed into, and of its second factor, Column is 1.
type Matrix struct {
	At          []float32
	Row, Column int
}

// Rows is the matrix whose rows of so many columns lie one behind the other.
func Rows(s []float32, columns int) Matrix { return Matrix{s, columns, 1} }

// Transposed is the same matrix with rows and columns in each other's place.
func (m Matrix) Transposed() Matrix { return Matrix{m.At, m.Column, m.Row} }

// Product sets dst, m x n, to a*b, or with add adds it, where a is m x k and b is k x n. Every
// element is one chain of fused multiplications and additions in the order of k, beginning at
// zero or at what dst held: the same to the last bit on every path but Generic, whatever the
// shape and wherever the operands lie. It does not allocate once as many products have run at
// the same time as ever will.
func (p Path) Product(dst, a, b Matrix, m, k, n int, add bool) {
	if m == 0 || n == 0 {
		return
	}
	if k == 0 {
		if !add {
			for i := range m {
				clear(dst.At[i*dst.Row:][:n])
			}
		}
		return
	}
	if m == 1 && a.Column == 1 && b.Column == 1 {
		p.oneRow(dst.At[:n], a.At[:k], b, add)
		return
	}
	w := product{path: p, add: add}
	far := farLanes * p.lanes()
	packA := m > 1 && n >= 8*p.lanes() && (a.Row >= far || a.Column >= far/4)
	packB := b.Column != 1 || m >= 24 && b.Row >= far
	var packed *room
	if packA || packB {
		packed = rooms.Take()
		defer rooms.Give(packed)
	}
	for first := 0; first < k; first += depthBlock {
		w.depth = min(depthBlock, k-first)
		for j := 0; j < n; j += widthBlock {
			width := min(widthBlock, n-j)
			at := Matrix{b.At[first*b.Row+j*b.Column:], b.Row, b.Column}
			panel := 0 // elements from a packed panel to the next
			if packB {
				panel = packed.packColumns(at, w.depth, width, 2*p.lanes())
				at = Matrix{packed.b, 2 * p.lanes(), 1}
			}
			for i := 0; i < m; i += rowBlock {
				w.m = min(rowBlock, m-i)
				rows := Matrix{a.At[i*a.Row+first*a.Column:], a.Row, a.Column}
				if packA {
					rows = packed.packRows(rows, w.m, w.depth)
				}
				w.block(Matrix{dst.At[i*dst.Row+j:], dst.Row, 1}, rows, at, width, panel)
			}
		}
		w.add = true
	}
}

// streamRows is how many rows of b are read at once for one row of dst.
const streamRows = 8

// stripOf is how many vectors of the columns that are left the next strip takes, 0 for none.
func (p Path) stripOf(columns int) int {
	switch v := columns / p.lanes(); {
	case p != AVX512:
		return 0
	case v >= 40 || v >= 24 && v < 32:
		return 24
	case v >= 16:
		return 16
	case v >= 8:
		return 8
	case v >= 4:
		return 4
	case v >= 2:
		return 2
	}
	return 0
}

// oneRow is Product for one row: b is read straight through, as far as the registers hold a row
// of dst, and otherwise some rows at once.
func (p Path) oneRow(dst, x []float32, b Matrix, add bool) {
	flag := uint64(0)
	if add {
		flag = 1
	}
	for v := p.stripOf(len(dst)); v > 0; v = p.stripOf(len(dst)) {
		p.strip(v, v >= 8 && b.Row > v*p.lanes(), &dst[0], &x[0], &b.At[0], b.Row, len(x), flag)
		if dst = dst[v*p.lanes():]; len(dst) == 0 {
			return
		}
		b.At = b.At[v*p.lanes():]
	}
	for i := 0; i < len(x); i += streamRows {
		p.stream(min(streamRows, len(x)-i), &dst[0], &x[i], &b.At[i*b.Row], b.Row, len(dst), flag)
		flag = 1
	}
}

// A product is what stays the same over a block of it.
type product struct {
	path     Path
	m, depth int
	add      bool
}

// block computes m rows and width columns, in panels of two vectors; panel is how far b's
// panels are apart, 0 if they lie in a row beside each other.
func (w *product) block(dst, a, b Matrix, width, panel int) {
	lanes, add := 2*w.path.lanes(), uint64(0)
	if w.add {
		add = 1
	}
	if panel == 0 {
		panel = lanes
	}
	for j := 0; j < width; {
		at := b.At[j/lanes*panel+j%lanes:]
		columns := min(lanes-j%lanes, width-j)
		if w.path == AVX512 && columns > 16 && columns <= 24 {
			columns = 16 // and half a vector, of which two take the time of a whole one
		}
		w.rows(dst.At[j:], dst.Row, a, &at[0], b.Row, columns, add)
		j += columns
	}
}

// rows computes one panel, tile by tile of nearly the same height: one of a few rows, left
// over, would wait for its sums.
func (w *product) rows(dst []float32, dstRow int, a Matrix, b *float32, bRow, columns int, add uint64) {
	k := w.path.kernel(columns)
	most, mask := tallest[k], uint64(1)<<columns-1
	tiles := (w.m + most - 1) / most
	for i := 0; tiles > 0; tiles-- {
		height := (w.m - i + tiles - 1) / tiles
		k.tile(height, &dst[i*dstRow], dstRow, &a.At[i*a.Row], a.Row, a.Column, b, bRow, w.depth, mask, add)
		i += height
	}
}

// A kernel is a family of tiles of one width.
type kernel int

const (
	wide512   kernel = iota // two vectors of columns
	masked512               // of which some columns are left out
	narrow512               // one vector
	half512                 // half a vector
	wide256
	masked256
	narrow256
)

// tallest is how many rows a tile has at most: as the registers allow, and with AVX-512, where
// they allow more, as was fastest.
var tallest = [...]int{wide512: 12, masked512: 12, narrow512: 14, half512: 14, wide256: 6, masked256: 4, narrow256: 12}

// kernel is the one for so many columns, two vectors at most. The fewest lanes are the fastest:
// what is masked out takes as long.
func (p Path) kernel(columns int) kernel {
	switch {
	case p == AVX2 && columns <= 8:
		return narrow256
	case p == AVX2 && columns == 16:
		return wide256
	case p == AVX2:
		return masked256
	case columns <= 8:
		return half512
	case columns <= 16:
		return narrow512
	case columns == 32:
		return wide512
	}
	return masked512
}
