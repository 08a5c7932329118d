package simd

import (
	"math"
	"math/rand/v2"
	"os"
	"regexp"
	"strings"
	"testing"
)

// vectors lists the kernels in vectors_amd64.s as functions of a result and three sources of the
// same length.
var vectors = []struct {
	name string
	run  func(p Path, dst, a, b, c []float32)
}{
	{"Add", func(p Path, dst, a, b, _ []float32) { p.Add(dst, a, b) }},
	{"Mul", func(p Path, dst, a, b, _ []float32) { p.Mul(dst, a, b) }},
	{"GELU", func(p Path, dst, a, _, _ []float32) { p.GELU(dst, a) }},
	{"GELUErf", func(p Path, dst, a, _, _ []float32) { p.GELUErf(dst, a) }},
	{"GELUBackward", func(p Path, dst, a, b, _ []float32) { p.GELUBackward(dst, a, b) }},
	{"GELUErfBackward", func(p Path, dst, a, b, _ []float32) { p.GELUErfBackward(dst, a, b) }},
	{"AdamW", func(p Path, dst, a, b, c []float32) {
		first, second := append([]float32{}, b...), append([]float32{}, c...)
		for i := range second {
			second[i] *= second[i]
		}
		copy(dst, a)
		p.AdamW(dst, a, first, second, &AdamWFactors{0.9, 0.1, 0.99, 0.01, 0.001, 1.5, 1e-8, 0.9})
		p.AdamW(dst, a, first, second, &AdamWFactors{0.9, 0.1, 0.99, 0.01, 0.001, 1.5, 1e-8, 0.9})
	}},
	{"SoftmaxBackward", func(p Path, dst, a, b, _ []float32) { p.SoftmaxBackward(dst, a, b, 0.3) }},
	{"LayerNormBackward", func(p Path, dst, a, b, c []float32) {
		gamma, beta := make([]float32, len(dst)), make([]float32, len(dst))
		clear(dst)
		if len(dst) == 0 || !p.LayerNormBackward(dst, gamma, beta, a, b, c, 1/float64(len(dst)), 1e-5) {
			return
		}
		p.Add(dst, dst, gamma)
		p.Add(dst, dst, beta)
	}},
	{"Softmax", func(p Path, dst, a, _, _ []float32) {
		if f := NewSoftmaxFactors(0.7, 3); len(dst) > 0 {
			p.Softmax(dst, a, &f)
		}
	}},
	{"LayerNorm", func(p Path, dst, a, b, c []float32) {
		if len(dst) == 0 || !p.LayerNorm(dst, a, b, c, 1/float64(len(dst)), 1e-5) {
			clear(dst)
		}
	}},
}

// Code for AVX2 must not use the registers and masks that came with AVX-512, because a processor
// with AVX2 alone would crash.
func TestOnlyAVX2(t *testing.T) {
	later := regexp.MustCompile(`\b(Z\d+|K\d|[XY](1[6-9]|2\d|3[01]))\b`)
	for _, name := range []string{"tiles_amd64.s", "vectors_amd64.s", "peak_amd64.s"} {
		text, err := os.ReadFile(name)
		if os.IsNotExist(err) {
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		for _, kernel := range strings.Split(string(text), "\nTEXT ·")[1:] {
			title, _, _ := strings.Cut(kernel, "(")
			if found := later.FindString(kernel); found != "" && strings.Contains(title, "256") {
				t.Errorf("%s: %s uses %s", name, title, found)
			}
		}
	}
}

func sameBits(x, y []float32) bool {
	for i := range x {
		if math.Float32bits(x[i]) != math.Float32bits(y[i]) && (x[i] == x[i] || y[i] == y[i]) {
			return false
		}
	}
	return len(x) == len(y)
}

// Every path gives the same bits for any position of the operands in memory, and the elements
// around dst do not change.
func TestVectorsWhereverTheyLie(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	all := random(r, 4*400)
	for _, k := range vectors {
		for n := range 200 {
			var sources [3][]float32
			for i := range sources {
				sources[i] = all[400*i+17:][:n]
			}
			want := make([]float32, n)
			if Best() > Generic {
				k.run(AVX2, want, sources[0], sources[1], sources[2])
			}
			for _, p := range paths() {
				for offset := range 17 {
					if n > 70 && offset%5 > 0 {
						continue
					}
					var moved [3][]float32
					for i := range moved {
						moved[i] = make([]float32, n+40)[(offset*(i+1))%16:][:n]
						copy(moved[i], sources[i])
					}
					dst := random(r, n+40)
					around := append([]float32{}, dst...)
					k.run(p, dst[offset:][:n], moved[0], moved[1], moved[2])
					if !sameBits(dst[offset:][:n], want) {
						t.Fatalf("%v %s of %d at %d: %v, want %v", p, k.name, n, offset, dst[offset:][:n], want)
					}
					if copy(around[offset:], dst[offset:][:n]); !sameBits(dst, around) {
						t.Fatalf("%v %s of %d at %d writes beside dst", p, k.name, n, offset)
					}
				}
			}
		}
	}
}

// A row whose first elements are far from its mean is computed a second time, from a better center.
// A row that needs more than float32 precision is left unchanged.
func TestLayerNormCenters(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 12))
	for _, p := range paths() {
		row := random(r, 300)
		for i := range 4 {
			row[i] = 9
		}
		ones, zeros, dst := make([]float32, 300), make([]float32, 300), make([]float32, 300)
		for i := range ones {
			ones[i] = 1
		}
		if !p.LayerNorm(dst, row, ones, zeros, 1.0/300, 1e-5) {
			t.Errorf("%v: a row that begins off its mean is refused", p)
		}
		for _, v := range []float32{0, 3, 1e30, float32(math.Inf(1)), float32(math.NaN())} {
			for i := range row {
				row[i], dst[i] = v, 7
			}
			row[5] *= 1 + 0x1p-22
			if p.LayerNorm(dst, row, ones, zeros, 1.0/300, 1e-5) && v != 3 || dst[9] != 7 && v != 3 {
				t.Errorf("%v: a row of %v is taken, or written: %v", p, v, dst[9])
			}
		}
	}
}

// In kernels that compute each element independently, a result does not depend on the elements
// around it.
func TestElementsAlone(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	a, b := random(r, 100), random(r, 100)
	for _, k := range vectors[:6] {
		for _, p := range paths() {
			whole := make([]float32, len(a))
			k.run(p, whole, a, b, nil)
			for i := range a {
				one := make([]float32, 1)
				if k.run(p, one, a[i:i+1], b[i:i+1], nil); !sameBits(one, whole[i:i+1]) {
					t.Errorf("%v %s of %v, %v: %v alone, %v among others", p, k.name, a[i], b[i], one[0], whole[i])
				}
			}
		}
	}
}

func TestVectorsAllocateNothing(t *testing.T) {
	a, dst := make([]float32, 100), make([]float32, 100)
	for _, k := range vectors {
		if k.name == "AdamW" || k.name == "LayerNormBackward" {
			continue // their entries in vectors allocate; the tests in package kernels do not
		}
		for _, p := range paths() {
			if n := testing.AllocsPerRun(5, func() { k.run(p, dst, a, a, a) }); n > 0 {
				t.Errorf("%v %s: %v allocations", p, k.name, n)
			}
		}
	}
}

// A softmax multiplied by its sum is e^x. The result must be within 2 ulp of e^x, or zero where e^x
// is below the smallest normal number. The test covers every 251st float32 from -2^-30 to -110.
func TestPowers(t *testing.T) {
	for _, p := range paths() {
		worst, at := 0.0, float32(0)
		row, dst := make([]float32, 4096), make([]float32, 4096)
		row[0] = 0
		next := 1
		check := func() {
			f := NewSoftmaxFactors(1, 1)
			_, sum := p.Softmax(dst[:next], row[:next], &f)
			f = NewSoftmaxFactors(1, 1/sum)
			p.Softmax(dst[:next], row[:next], &f)
			for i, x := range row[:next] {
				want := math.Exp(float64(x))
				if want < 0x1p-126 {
					if dst[i] != 0 {
						t.Fatalf("%v: e^%v is %v, want 0", p, x, dst[i])
					}
					continue
				}
				_, exponent := math.Frexp(want)
				if off := math.Abs(float64(dst[i])-want) / math.Ldexp(1, exponent-24); off > worst {
					worst, at = off, x
				}
			}
			next = 1
		}
		for bits := math.Float32bits(-0x1p-30); bits < math.Float32bits(-110); bits += 251 {
			row[next] = math.Float32frombits(bits)
			if next++; next == len(row) {
				check()
			}
		}
		check()
		if worst > 2 {
			t.Errorf("%v: e^%v is %.3f ulp off", p, at, worst)
		}
		t.Logf("%v: largest error %.3f ulp, at %v", p, worst, at)
	}
}
