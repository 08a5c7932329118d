package simd

// These are the block sizes of a product. A panel of b with depthBlock steps of the depth and two
// vectors of columns takes 64 KiB with AVX-512, so it stays in the second-level cache while the
// rows of a pass over it.
const (
	depthBlock = 512  // steps of the depth
	widthBlock = 1024 // columns of b packed at once, 2 MiB
	farLanes   = 64   // rows at least this many vectors apart share cache sets and are therefore packed
	rowBlock   = 192  // rows of a packed at once, 400 KiB
	padding    = 16   // elements after each packed row of a, so that rows do not share cache sets
)

// A Matrix describes a matrix in memory whose element (i, j) is at i*Row + j*Column. Column is 1
// for the result of a product, and for its second factor unless that is transposed.
type Matrix struct {
	At          []float32
	Row, Column int
}

// Rows returns a matrix with contiguous rows of the given number of columns.
func Rows(s []float32, columns int) Matrix { return Matrix{s, columns, 1} }

// Transposed returns the same matrix with rows and columns exchanged.
func (m Matrix) Transposed() Matrix { return Matrix{m.At, m.Column, m.Row} }

// Product sets dst (m x n) to a*b, or adds a*b to dst if add is true; a is m x k and b is k x n.
// Every element is one chain of fused multiply-adds in the order of k, starting at zero or at the
// element of dst. The result is therefore the same to the last bit on every path except Generic,
// for any shape and position of the operands. Product allocates only while the number of concurrent
// products grows.
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
			panel := 0 // distance between packed panels, in elements
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

// streamRows is the number of rows of b read at once for one row of dst.
const streamRows = 8

// stripOf returns the number of vectors the next strip takes from the remaining columns, or 0 if no
// strip fits.
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

// oneRow is Product for a single row. It divides the columns into strips whose sums fit into the
// registers and reads b row by row for each of them. For the remaining columns, it reads several
// rows of b at once.
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

// A product holds values that are constant within a block.
type product struct {
	path     Path
	m, depth int
	add      bool
}

// block computes m rows and width columns in panels of two vectors. panel is the distance between
// the panels of b, or 0 if b is not packed.
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
			columns = 16 // the remaining columns take half a vector; two masked vectors would take as long as two whole ones
		}
		w.rows(dst.At[j:], dst.Row, a, &at[0], b.Row, columns, add)
		j += columns
	}
}

// rows computes one panel in tiles of nearly equal height, because a short last tile would wait for
// its sums most of the time.
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

// A kernel is a family of tiles with the same width.
type kernel int

const (
	wide512   kernel = iota // two vectors of columns
	masked512               // two vectors, with some columns masked off
	narrow512               // one vector
	half512                 // half a vector
	wide256
	masked256
	narrow256
)

// tallest is the largest number of rows in a tile. It is limited by the registers, except where
// fewer rows turned out to be faster with AVX-512.
var tallest = [...]int{wide512: 12, masked512: 12, narrow512: 14, half512: 14, wide256: 6, masked256: 4, narrow256: 12}

// kernel returns the kernel for the given number of columns, at most two vectors. The kernel with
// the fewest lanes is the fastest, because masked-off lanes take just as long.
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
