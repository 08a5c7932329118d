// Package gobench parses the text of Go benchmarks: their declarations in test files, the selection
// by -test.bench, and the output of package testing.
//
// Its functions only process text. Begin with declaration.go.
package gobench

import (
	"bytes"
	"regexp"
	"strings"
)

// Prefix is the beginning of the name of every benchmark function. perftrack shows names without
// it.
const Prefix = "Benchmark"

// DeclarationStart is the beginning of a benchmark's declaration, for tools that search line by
// line.
const DeclarationStart = "func " + Prefix

// A Declaration is a benchmark function in a test file.
type Declaration struct {
	Name string // without Prefix
	Line int    // counted from 1
}

// nameTail matches the part of a benchmark function's name after Prefix. It cannot begin with a
// lower-case letter, so Go does not treat a function named Benchmarks as a benchmark.
const nameTail = `(?:[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\pN_][\pL\pN_]*)?`

var (
	functionName = regexp.MustCompile(`^` + Prefix + nameTail + `$`)
	// The parameter may be on the next line. A function with two parameters is a helper.
	declaration = regexp.MustCompile(`(?m)^` + DeclarationStart + `(` + nameTail + `)[ \t]*\([ \t]*(?:\r?$|(?:[\pL\pN_]+[ \t]+)?\*(?:\w+\.)?B[ \t]*,?[ \t]*(?:\)|\r?$))`)
)

// Declarations returns the benchmark functions declared in text, a test file or some of its lines.
// Some of them may be in comments.
func Declarations(text []byte) (found []Declaration) {
	line, at := 1, 0
	for _, m := range declaration.FindAllSubmatchIndex(text, -1) {
		line += bytes.Count(text[at:m[0]], []byte("\n"))
		at = m[0]
		found = append(found, Declaration{string(text[m[2]:m[3]]), line})
	}
	return found
}

// IsFunction reports whether name, including the prefix, can be the name of a benchmark function.
func IsFunction(name string) bool { return functionName.MatchString(name) }

// Function returns the name of a benchmark's function, such as BenchmarkSort for Sort/n=10.
func Function(name string) string {
	name, _, _ = strings.Cut(name, "/")
	return Prefix + name
}

// Expression returns a -test.bench expression for exactly the given benchmarks, level by level. The
// names are without Prefix.
func Expression(names ...string) string {
	all := make([]string, len(names))
	for i, name := range names {
		levels := strings.Split(Prefix+name, "/")
		for j, level := range levels {
			levels[j] = "^" + regexp.QuoteMeta(level) + "$"
		}
		all[i] = strings.Join(levels, "/")
	}
	return strings.Join(all, "|")
}
