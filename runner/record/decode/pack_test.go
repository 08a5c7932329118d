package decode

import (
	"encoding/binary"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"golang.org/x/perf/benchfmt"

	"github.com/perftrack/perftrack/runner/record"
)

// The ids of stored runs must not change.
func TestIDsStay(t *testing.T) {
	for _, tt := range []struct{ name, text, want string }{
		{"units that come and go", "goos: linux\nUnit GFLOPS better=higher\npkg: a\nBenchmarkX-2 10 5 ns/op 3 GFLOPS\nBenchmarkX-2 11 6.125 ns/op\npkg: b\nBenchmarkX-2 1 0 ns/op 1e-300 MB/s\n",
			"42a7d1a70da24710a110424d511db3d5d5623bb536bbc07708169e9a4e0dcc77"},
		{"two GOMAXPROCS", "BenchmarkA 1 2 ns/op\nBenchmarkA-4 1 3 ns/op\nBenchmarkA-4 1 0.1 ns/op\nBenchmarkB 5 123456789012345678 ns/op\nBenchmarkB-4 1 1 ns/op\n",
			"508eedc0797ac84bffc279df032937d4feccc4bfc3fa3c3c67c51f7e204188fd fa94237438db763f968302bdd8f470863f1e85ba588599040011e90f181328ba"},
		{"two names of one benchmark", "gomaxprocs: 4\nBenchmarkA-4 9 1 ns/op\nBenchmarkA 1 2 ns/op 7 B/op\nBenchmarkA-4 8 3 ns/op\n",
			"91ba3fa1c4e38d0c3fa8ca3d72098da9122e680a309cff34f0524b1c15b0f71f"},
		{"a scope", "profile: scopes\nBenchmarkInference/Forward 25 100 ns/op\n",
			"a41a1304d4e66fd86ed86cde9c64b8781d0b6f25fe2b4a5d289453b8584fa11e"},
		{"slices, out of order", "perftrack-run: 3\ntarget: t\ncommit: abababababababababababababababababababab\nstatus: complete\npkg: a\nround: 2\norder: 1\n" +
			"layout-seed: 9223372036854775808\nslices: 3\nslice-spread: 0.0125\nBenchmarkX 10 5 ns/op\nround: 1\norder: 0\nlayout-seed:\nslices:\nslice-spread:\nBenchmarkX 10 6 ns/op\nsuite: s\nBenchmarkX 10 7 ns/op\n",
			"d7e0c5ae781eb0c26423d9c86c5e5ecf101c40d8d7f71b419a085385943027fb"},
	} {
		b := Builder{Default: record.Run{Target: "imported"}}
		for r := benchfmt.NewReader(strings.NewReader(tt.text), tt.name); r.Scan(); {
			if err := b.Add(r.Result()); err != nil {
				t.Fatal(err)
			}
		}
		packed, err := b.Packed()
		if err != nil {
			t.Fatal(err)
		}
		var ids, whole []string
		for _, p := range packed {
			ids, whole = append(ids, p.ID()), append(whole, p.unpack().ID())
		}
		if got := strings.Join(ids, " "); got != tt.want || !slices.Equal(ids, whole) {
			t.Errorf("%s: id %s, and %v with all samples; want %s", tt.name, got, whole, tt.want)
		}
	}
}

// Every value is decoded exactly, and short decimals, which are common in benchmark results, take
// few bytes.
func TestCodedValues(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	values := []float64{0, 1, 0.1, 6.125, 1 << 49, 1<<49 - 1, 1e15, 123456789012345678, 1e300, 1e-300, math.MaxFloat64, math.SmallestNonzeroFloat64, 5e-7, 0.000001, 562949953421.311}
	for range 5000 {
		values = append(values, math.Float64frombits(r.Uint64()&(1<<63-1)), float64(r.IntN(1e9))/1000, r.Float64(), math.Nextafter(float64(r.IntN(1e4))/1000, 10))
	}
	var code []byte
	values = slices.DeleteFunc(values, func(v float64) bool { return math.IsNaN(v) || math.IsInf(v, 0) })
	for _, v := range values {
		code = appendValue(code, v)
	}
	d := reader{rest: code}
	for _, v := range values {
		if got := d.value(); math.Float64bits(got) != math.Float64bits(v) {
			t.Errorf("%v came back as %v", v, got)
		}
	}
	if n := len(appendValue(nil, 1234.5)); n > 3 {
		t.Errorf("1234.5 takes %d bytes", n)
	}
	if n := len(appendValue(nil, math.Pi)); n != 1+binary.Size(math.Pi) {
		t.Errorf("pi takes %d bytes", n)
	}
}

// A typical benchmark result takes few bytes.
func TestPackedSize(t *testing.T) {
	p := pack{}
	r := result{units: []string{"ns/op", "B/op", "allocs/op"}}
	rnd := rand.New(rand.NewPCG(1, 2))
	for i := range 5000 {
		r.round = record.Round{N: -1, Order: -1, Iters: 100_000 + rnd.IntN(100_000)}
		r.values = []float64{1000 + float64(rnd.IntN(1000))/10, 48, 3}
		p.add(&r, i)
	}
	if size := p.size / p.n; size > 12 || len(p.chunks) > 2*p.size/maxChunk {
		t.Errorf("%d bytes a result in %d chunks", size, len(p.chunks))
	}
	if b := p.benchmark(); p.mixed || len(b.Rounds) != 5000 || b.Rounds[4999].N != 5000 || b.Samples[0].Values[4999] != r.values[0] || b.Samples[2].Values[4999] != 3 {
		t.Errorf("came back as %v..., sorted %v", b.Rounds[:3], !p.mixed)
	}
}

// unpack returns the run with all its samples.
func (p *Packed) unpack() *record.Run {
	r := p.Header
	for b := range p.Benchmarks() {
		r.Benchmarks = append(r.Benchmarks, *b)
	}
	return &r
}
