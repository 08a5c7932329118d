// Package cpp reads the output of benchmark libraries for C++: google-benchmark, Catch2 and nanobench.
// Start with googlebenchmark.go.
package cpp
