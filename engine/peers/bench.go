package main

import (
	"fmt"
	"os"
	"regexp"
	"time"
	"unsafe"

	"golang.org/x/sys/cpu"

	"github.com/perftrack/perftrack/engine/kernels"
	"github.com/perftrack/perftrack/engine/kernels/simd"
)

// A bench holds the available libraries and the results so far.
type bench struct {
	only          *regexp.Regexp
	length        time.Duration // duration of a contest
	llama2c, llmc string        // directories, or "" if missing

	workshop workshop
	blas     []cblas
	ggml     ggml
	c        *library // built from c/kernels.c
	missing  []string // missing libraries and how to get them
	lines    []line
}

// A cblas is a library that provides cblas_sgemm.
type cblas struct {
	name string
	gemm unsafe.Pointer
}

// prepare loads the available libraries before the first measurement.
func (b *bench) prepare() (err error) {
	if b.workshop, err = newWorkshop(); err != nil {
		return err
	}
	core, arch := "Haswell", "3" // 3 is BLIS's number for Haswell
	if simd.Best() == simd.AVX512 {
		core, arch = "SKYLAKEX", "0"
	}
	if !cpu.X86.HasAVX2 {
		core, arch = "", "" // let the libraries choose
	}
	for _, v := range [][2]string{
		{"OPENBLAS_CORETYPE", core}, {"OPENBLAS_NUM_THREADS", "1"}, {"BLIS_ARCH_TYPE", arch}, {"BLIS_NUM_THREADS", "1"},
	} {
		if _, asked := os.LookupEnv(v[0]); v[1] != "" && !asked {
			if err := setenv(v[0], v[1]); err != nil {
				return err
			}
		}
	}
	b.loadBLAS("OpenBLAS", "libopenblas-dev", "libopenblas.so.0", "libopenblas.so")
	b.loadBLAS("BLIS", "libblis-dev", "libblis.so.4", "libblis.so.3", "libblis.so")
	c, err := b.workshop.build("kernels.c", []string{"-O3", "-march=native", "-ffast-math"})
	if err != nil {
		b.missing = append(b.missing, fmt.Sprintf("C: apt-get install gcc libc6-dev (%v)", err))
		return nil
	}
	b.c = &c
	return nil
}

func (b *bench) loadBLAS(name, debian string, files ...string) {
	l, err := load(files...)
	var gemm unsafe.Pointer
	if err == nil {
		gemm, err = l.function("cblas_sgemm")
	}
	if err != nil {
		b.missing = append(b.missing, fmt.Sprintf("%s: apt-get install %s", name, debian))
		return
	}
	b.blas = append(b.blas, cblas{name, gemm})
}

// peak returns a contestant that runs at the peak of one core, so that rates can be given as
// fractions of it.
func peak() *contestant {
	path, err := simd.ParsePath(kernels.Path())
	if err != nil || path == simd.Generic {
		path = simd.Best()
	}
	const steps = 100
	return &contestant{name: "FMA peak", flops: path.Chains(steps), run: func(times int) { path.Chains(times * steps) }}
}

// wants reports whether the named contest is selected. It prints the name of a selected contest.
func (b *bench) wants(what string) bool {
	if !b.only.MatchString(what) {
		return false
	}
	fmt.Fprintln(os.Stderr, what)
	return true
}

// function returns a function from c/kernels.c. ok is false if there is no C compiler.
func (b *bench) function(name string) (f unsafe.Pointer, ok bool) {
	if b.c == nil {
		return nil, false
	}
	f, err := b.c.function(name)
	return f, err == nil
}
