// Package python reads the output of benchmark tools for Python. Start with pytestbenchmark.go.
package python
