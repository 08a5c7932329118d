// Package simd contains kernels that use a processor's vector instructions. Package kernels checks
// the operands before it calls them, and has a portable counterpart for each of them.
//
// Begin with path.go for the supported instruction sets, and product.go for the matrix products.
// Their innermost loops are the tiles in tiles_amd64.s. The module in generate generates these and
// needs only the Go toolchain:
//
//	cd engine/kernels/simd/generate
//	go run . -out ../tiles_amd64.s -stubs ../tiles_amd64.go -pkg simd -choose ../choose_amd64.go
//	go run ./vectors -out ../vectors_amd64.s -stubs ../vectors_amd64.go -pkg simd -other ../vectors_other.go
//
// vectors.go contains the kernels that process slices element by element or row by row. The second
// command generates their assembly.
package simd
