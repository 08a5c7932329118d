package naming

import (
	"unicode/utf8"

	"github.com/perftrack/perftrack/runner/record"
)

// MatchesBenchmark reports whether a glob matches a benchmark's name with or without the -N suffix
// for GOMAXPROCS: Sort also matches Sort-4, as in --bench Sort.
func MatchesBenchmark(pattern, name string) bool {
	return Matches(pattern, name) || Matches(pattern, record.WithoutProcs(name))
}

// Matches reports whether a glob matches all of name. A * matches any text, including slashes, a ?
// matches any single character, and everything else matches itself. On a mismatch, only the last *
// is retried with more text. This is sufficient and limits the time to len(pattern) * len(name).
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
