package transformer

import (
	"unsafe"

	"golang.org/x/sys/unix"
)

// hugePage is the size of the large pages of amd64 and of arm64 with 4 KiB pages.
const hugePage = 2 << 20

// useHugePages asks for large pages for the parts of s that fill some. A token reads all weights of
// a model, and those of Medium lie in more pages of 4 KiB than a processor keeps translations of.
func useHugePages(s []float32) {
	if len(s) == 0 {
		return
	}
	bytes := unsafe.Slice((*byte)(unsafe.Pointer(&s[0])), 4*len(s))
	start := uintptr(unsafe.Pointer(&s[0]))
	first := int(-start & (hugePage - 1))
	if n := (len(bytes) - first) &^ (hugePage - 1); n > 0 {
		_ = unix.Madvise(bytes[first:first+n], unix.MADV_HUGEPAGE) // a kernel without them computes the same
	}
}
