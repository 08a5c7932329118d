package main

/*
#cgo LDFLAGS: -ldl
#include <dlfcn.h>
#include <stdlib.h>

typedef void (*sgemm)(int, int, int, int, int, int, float, const float *, int, const float *, int, float, float *, int);
typedef void (*unary)(float *, const float *, int);
typedef void (*binary)(float *, const float *, const float *, int);
typedef void (*affine)(float *, const float *, const float *, const float *, int);
typedef void *(*create)(int, int, int, int, int, int);
typedef void (*pass)(void *, int, int);

static void call_sgemm(void *f, int times, int m, int k, int n, float *c, const float *a, const float *b) {
	for (int i = 0; i < times; i++)
		((sgemm)f)(101, 111, 111, m, n, k, 1.0f, a, k, b, n, 0.0f, c, n);
}
static void call_unary(void *f, int times, float *dst, const float *src, int n) {
	for (int i = 0; i < times; i++)
		((unary)f)(dst, src, n);
}
static void call_binary(void *f, int times, float *dst, const float *a, const float *b, int n) {
	for (int i = 0; i < times; i++)
		((binary)f)(dst, a, b, n);
}
static void call_affine(void *f, int times, float *dst, const float *a, const float *b, const float *c, int n) {
	for (int i = 0; i < times; i++)
		((affine)f)(dst, a, b, c, n);
}
static void *call_create(void *f, int a, int b, int c, int d, int e, int g) { return ((create)f)(a, b, c, d, e, g); }
static void call_pass(void *f, int times, void *model, int a, int b) {
	for (int i = 0; i < times; i++)
		((pass)f)(model, a, b);
}
*/
import "C"

import (
	"errors"
	"fmt"
	"os"
	"unsafe"
)

// A library is a shared library loaded at run time. This program can therefore be built without it,
// and two libraries can have functions with the same name.
type library struct{ handle unsafe.Pointer }

func load(names ...string) (library, error) {
	var failures []error
	for _, name := range names {
		text := C.CString(name)
		handle := C.dlopen(text, C.RTLD_NOW|C.RTLD_LOCAL)
		C.free(unsafe.Pointer(text))
		if handle != nil {
			return library{handle}, nil
		}
		failures = append(failures, errors.New(C.GoString(C.dlerror())))
	}
	return library{}, errors.Join(failures...)
}

// setenv sets a variable that a library reads with getenv when it is loaded.
func setenv(name, value string) error {
	if err := os.Setenv(name, value); err != nil { // with cgo, this also sets it for C
		return fmt.Errorf("set %s: %w", name, err)
	}
	return nil
}

func (l library) function(name string) (unsafe.Pointer, error) {
	text := C.CString(name)
	defer C.free(unsafe.Pointer(text))
	f := C.dlsym(l.handle, text)
	if f == nil {
		return nil, errors.New(C.GoString(C.dlerror()))
	}
	return f, nil
}

func first(s []float32) *C.float { return (*C.float)(unsafe.Pointer(&s[0])) }

// The functions below call a library function many times in a row, because a single call from Go
// takes as long as a small kernel.

func sgemm(f unsafe.Pointer, times, m, k, n int, dst, a, b []float32) {
	C.call_sgemm(f, C.int(times), C.int(m), C.int(k), C.int(n), first(dst), first(a), first(b))
}

func unary(f unsafe.Pointer, times int, dst, src []float32) {
	C.call_unary(f, C.int(times), first(dst), first(src), C.int(len(src)))
}

func binary(f unsafe.Pointer, times int, dst, a, b []float32) {
	C.call_binary(f, C.int(times), first(dst), first(a), first(b), C.int(len(dst)))
}

func affine(f unsafe.Pointer, times int, dst, src, gamma, beta []float32) {
	C.call_affine(f, C.int(times), first(dst), first(src), first(gamma), first(beta), C.int(len(dst)))
}

func create(f unsafe.Pointer, a, b, c, d, e, g int) unsafe.Pointer {
	return C.call_create(f, C.int(a), C.int(b), C.int(c), C.int(d), C.int(e), C.int(g))
}

func pass(f unsafe.Pointer, times int, model unsafe.Pointer, a, b int) {
	C.call_pass(f, C.int(times), model, C.int(a), C.int(b))
}
