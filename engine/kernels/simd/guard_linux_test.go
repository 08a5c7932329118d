package simd

import (
	"math"
	"math/rand/v2"
	"testing"
	"unsafe"

	"golang.org/x/sys/unix"
)

// guarded returns a slice of n elements that ends where accessible memory ends, so that any access
// beyond it crashes. If before is true, the slice begins where accessible memory begins instead.
func guarded(t *testing.T, n int, before bool) []float32 {
	t.Helper()
	page := unix.Getpagesize()
	size := (4*n + page - 1) / page * page
	all, err := unix.Mmap(-1, 0, size+2*page, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_ANON|unix.MAP_PRIVATE)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = unix.Munmap(all) })
	for _, edge := range [][]byte{all[:page], all[page+size:]} {
		if err := unix.Mprotect(edge, unix.PROT_NONE); err != nil {
			t.Fatal(err)
		}
	}
	at := page
	if !before {
		at = page + size - 4*n
	}
	if n == 0 {
		return nil
	}
	return unsafe.Slice((*float32)(unsafe.Pointer(&all[at])), n)
}

// No product reads or writes outside its operands, at either end.
func TestProductStaysInside(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for _, p := range paths() {
		for round := range 60 {
			m, k, n := 1+r.IntN(30), 1+r.IntN(40), 1+r.IntN(80)
			if round%4 == 0 {
				m = 1
			}
			a, b, dst := guarded(t, m*k, round%2 == 0), guarded(t, k*n, round%2 == 0), guarded(t, m*n, round%2 == 0)
			for _, s := range [][]float32{a, b} {
				copy(s, random(r, len(s)))
			}
			x, y := Rows(a, k), Rows(b, n)
			if round%3 == 0 {
				x = Rows(a, m).Transposed()
			}
			if round%5 == 0 {
				y = Rows(b, k).Transposed()
			}
			p.Product(Rows(dst, n), x, y, m, k, n, false)
			if want := chain(0, x, y, m-1, n-1, k); math.Float32bits(dst[m*n-1]) != math.Float32bits(want) {
				t.Fatalf("%v %dx%d*%dx%d: the last element is %v, want %v", p, m, k, k, n, dst[m*n-1], want)
			}
		}
	}
}

// No kernel in vectors reads or writes outside its operands, at either end.
func TestVectorsStayInside(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 10))
	for _, k := range vectors {
		for n := 1; n <= 140; n++ {
			for _, before := range []bool{false, true} {
				var at [4][]float32
				for i := range at {
					at[i] = guarded(t, n, before)
					copy(at[i], random(r, n))
				}
				for _, p := range paths() {
					k.run(p, at[0], at[1], at[2], at[3])
				}
			}
		}
	}
}
