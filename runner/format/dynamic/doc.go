// Package dynamic reads the output of benchmark libraries for Julia, Ruby and Dart. Start with
// julia.go.
package dynamic
