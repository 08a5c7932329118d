// Package tools reads the output of command line tools that measure programs of any language, and CSV.
// Start with hyperfine.go.
package tools
