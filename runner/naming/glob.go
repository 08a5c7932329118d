package naming

import (
	"unicode/utf8"

	"github.com/perftrack/perftrack/runner/record"
)

// MatchesBenchmark reports whether a glob names a benchmark: its whole name, or where that ends in the
// -N of a GOMAXPROCS the name before it, so that one of Sort is also of Sort-4, as --bench Sort is.
func MatchesBenchmark(pattern, name string) bool {
	return Matches(pattern, name) || Matches(pattern, record.WithoutProcs(name))
}

// Matches reports whether all of name matches a glob, in which * is any text, slashes
// included, ? any one character, and all else stands for itself. On a mismatch only the last * is tried with more text, which is
// enough and keeps the time within len(pattern) * len(name).
func Matches(pattern, name string) bool {
	p, n := 0, 0
	star, resume := -1, 0
	for n < len(name) {
		_, width := utf8.DecodeRuneInString(name[n:])
		switch {
		case p < len(pattern) && pattern[p] == '*':
			star, resume = p, n
			p++
		case p < len(pattern) && pattern[p] == '?':
			p++
			n += width
		case p < len(pattern) && pattern[p] == name[n]:
			p++
			n++
		case star >= 0:
			resume++
			p, n = star+1, resume
		default:
			return false
		}
	}
	for p < len(pattern) && pattern[p] == '*' {
		p++
	}
	return p == len(pattern)
}
