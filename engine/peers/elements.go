package main

import (
	"fmt"

	"github.com/perftrack/perftrack/engine/kernels"
)

// elements compares the kernels that pass over their elements once or twice.
func (b *bench) elements() {
	for _, n := range []int{1000, 10_000, 100_000} {
		b.unary("GELU tanh", "c_gelu_tanh", n, goal{time: 0.8}, kernels.GELU)
		b.unary("GELU erf", "c_gelu_erf", n, goal{time: 0.8}, kernels.GELUErf)
	}
	for _, n := range []int{256, 512, 1024, 2048} {
		b.unary("Softmax", "c_softmax", n, goal{time: 0.85}, func(dst, src []float32) { kernels.Softmax(dst, src, 1, len(src)) })
	}
	for _, n := range []int{256, 1024, 10_000} {
		b.layerNorm(n)
	}
	for _, n := range []int{1000, 10_000, 100_000} {
		b.binary("Add", "c_add", n, kernels.Add)
		b.binary("Multiply", "c_mul", n, kernels.Mul)
	}
}

// inC returns the name of a contestant from c/kernels.c.
func (b *bench) inC(name string) string { return "C, libmvec (" + name + ")" }

// unary compares a kernel of one source operand with the same function in C.
func (b *bench) unary(kernel, function string, n int, g goal, ours func(dst, src []float32)) {
	what := fmt.Sprintf("%s %d", kernel, n)
	f, ok := b.function(function)
	if !ok || !b.wants(what) {
		return
	}
	dst, src := make([]float32, n), normal(n)
	all := []*contestant{
		{name: "ours", run: func(times int) {
			for range times {
				ours(dst, src)
			}
		}},
		{name: b.inC(function), run: func(times int) { unary(f, times, dst, src) }},
	}
	(&contest{contestants: all}).run(b.length)
	b.compare(what, all[0], all[1], g, each(n))
}

func (b *bench) layerNorm(n int) {
	what := fmt.Sprintf("LayerNorm %d", n)
	f, ok := b.function("c_layernorm")
	if !ok || !b.wants(what) {
		return
	}
	dst, src, gamma, beta := make([]float32, n), normal(n), normal(n + 1)[:n], normal(n + 2)[:n]
	all := []*contestant{
		{name: "ours", run: func(times int) {
			for range times {
				kernels.LayerNorm(dst, src, gamma, beta, 1, n, 1e-5)
			}
		}},
		{name: b.inC("c_layernorm"), run: func(times int) { affine(f, times, dst, src, gamma, beta) }},
	}
	(&contest{contestants: all}).run(b.length)
	b.compare(what, all[0], all[1], goal{time: 1}, each(n))
}

// binary compares a kernel of two source operands with the same function in C, and also with a copy
// of the same number of bytes. The kernel moves three values per element and a copy only two, so
// the copy has 3/2 times as many elements.
func (b *bench) binary(kernel, function string, n int, ours func(dst, x, y []float32)) {
	what := fmt.Sprintf("%s %d", kernel, n)
	f, ok := b.function(function)
	copied, ok2 := b.function("c_copy")
	if !ok || !ok2 || !b.wants(what) {
		return
	}
	dst, x, y := make([]float32, n), normal(n), normal(n)
	to, from := make([]float32, n*3/2), normal(n*3/2)
	all := []*contestant{
		{name: "ours", run: func(times int) {
			for range times {
				ours(dst, x, y)
			}
		}},
		{name: "a copy of as many bytes", run: func(times int) { unary(copied, times, to, from) }},
		{name: b.inC(function), run: func(times int) { binary(f, times, dst, x, y) }},
	}
	(&contest{contestants: all}).run(b.length)
	b.compare(what, all[0], all[1], goal{time: 1.3}, each(n))
	b.compare(what, all[0], all[2], goal{}, each(n))
}
