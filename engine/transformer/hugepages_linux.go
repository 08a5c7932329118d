package transformer

import (
	"unsafe"

	"golang.org/x/sys/unix"
)

// hugePage is the size of a huge page on amd64, and on arm64 with 4 KiB pages.
const hugePage = 2 << 20

// useHugePages asks the operating system to use huge pages for the parts of s that fill whole ones.
// Each token reads all weights of a model, and Medium's weights occupy more 4 KiB pages than a
// processor's TLB has entries.
func useHugePages(s []float32) {
	if len(s) == 0 {
		return
	}
	bytes := unsafe.Slice((*byte)(unsafe.Pointer(&s[0])), 4*len(s))
	start := uintptr(unsafe.Pointer(&s[0]))
	first := int(-start & (hugePage - 1))
	if n := (len(bytes) - first) &^ (hugePage - 1); n > 0 {
		_ = unix.Madvise(bytes[first:first+n], unix.MADV_HUGEPAGE) // on failure everything still works, only slower
	}
}
