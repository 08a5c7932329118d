// Package cpp reads the output of benchmark libraries for C++. Start with googlebenchmark.go.
package cpp
