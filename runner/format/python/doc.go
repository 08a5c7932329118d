// Package python reads the output of benchmark tools for Python.
package python
