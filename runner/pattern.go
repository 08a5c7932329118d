package runner

import (
	"fmt"
	"regexp"
	"strings"
)

// A pattern is a go test -bench expression: alternatives separated by |, each
// a list of regular expressions separated by /, one a level of sub-benchmark.
// It is taken apart because every benchmark function runs in a process of its
// own and still has to get the expressions for its sub-benchmarks.
type pattern []alternative

type alternative struct {
	top *regexp.Regexp // matches the function's name
	sub string         // the rest, from the first slash on
}

func parsePattern(expr string) (pattern, error) {
	if expr == "" {
		expr = "."
	}
	var p pattern
	for _, alt := range splitOutside(expr, '|') {
		levels := splitOutside(alt, '/')
		for _, level := range levels {
			if _, err := regexp.Compile(level); err != nil {
				return nil, fmt.Errorf("benchmark pattern %q: %w", expr, err)
			}
		}
		a := alternative{top: regexp.MustCompile(levels[0])}
		if len(levels) > 1 {
			a.sub = "/" + strings.Join(levels[1:], "/")
		}
		p = append(p, a)
	}
	return p, nil
}

// splitOutside splits at separators that stand outside brackets and
// parentheses and are not escaped, as package testing does.
func splitOutside(s string, sep byte) []string {
	var parts []string
	start, square, round := 0, 0, 0
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '[':
			square++
		case ']':
			square = max(square-1, 0)
		case '(':
			if square == 0 {
				round++
			}
		case ')':
			if square == 0 {
				round--
			}
		case '\\':
			i++
		case sep:
			if square == 0 && round == 0 {
				parts = append(parts, s[start:i])
				start = i + 1
			}
		}
	}
	return append(parts, s[start:])
}

// forFunction returns the -test.bench expression that runs the function's part
// of the pattern, and whether there is any. Name is without the Benchmark prefix.
func (p pattern) forFunction(name string) (string, bool) {
	var exprs []string
	full := "Benchmark" + name
	for _, a := range p {
		if a.top.MatchString(full) {
			exprs = append(exprs, "^"+regexp.QuoteMeta(full)+"$"+a.sub)
		}
	}
	return strings.Join(exprs, "|"), len(exprs) > 0
}
