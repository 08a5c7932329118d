package main

import (
	"context"
	"fmt"
	"os/exec"
	"path/filepath"
	"unsafe"
)

// loadGGML builds a checkout of ggml in its directory build-peers, so that later runs find it
// already built.
func (b *bench) loadGGML(dir string) {
	if dir == "" {
		b.lack("ggml: -ggml DIR, a checkout of ggml-org/ggml")
		return
	}
	built := filepath.Join(dir, "build-peers")
	for _, args := range [][]string{
		{"-S", dir, "-B", built, "-DCMAKE_BUILD_TYPE=Release", "-DBUILD_SHARED_LIBS=OFF", "-DCMAKE_POSITION_INDEPENDENT_CODE=ON",
			"-DGGML_OPENMP=OFF", "-DGGML_BUILD_TESTS=OFF", "-DGGML_BUILD_EXAMPLES=OFF"},
		{"--build", built, "-j"},
	} {
		if out, err := exec.CommandContext(context.Background(), "cmake", args...).CombinedOutput(); err != nil {
			b.lack(fmt.Sprintf("ggml: apt-get install cmake g++ make (%v: %.300s)", err, out))
			return
		}
	}
	l, err := b.workshop.build("ggml.c", []string{"-O2", "-I", filepath.Join(dir, "include")},
		"-Wl,--start-group", filepath.Join(built, "src", "libggml-cpu.a"), filepath.Join(built, "src", "libggml-base.a"), "-Wl,--end-group", "-lstdc++", "-lpthread")
	if err == nil {
		b.ggml.create, err = l.function("peer_new")
	}
	if err == nil {
		b.ggml.product, err = l.function("peer_product")
	}
	if err != nil {
		b.ggml.create = nil
		b.lack("ggml: " + err.Error())
	}
}

// ggmlProduct returns a contestant that multiplies n x n matrices.
func (b *bench) ggmlProduct(n int) *contestant {
	product := create(b.ggml.create, n, 0, 0, 0, 0, 0)
	return &contestant{name: "ggml", flops: 2 * float64(n) * float64(n) * float64(n), run: func(times int) { pass(b.ggml.product, times, product, 0, 0) }}
}

// ggml holds the functions from c/ggml.c, or nil if ggml is missing.
type ggml struct{ create, product unsafe.Pointer }
