// Package managed reads the output of benchmark harnesses for the JVM and .NET. Start with jmh.go.
package managed
