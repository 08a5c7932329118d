package runner

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// A pattern is a go test -bench expression: alternatives separated by |, each
// a list of regular expressions separated by /, one a level of sub-benchmark.
// It is taken apart because every benchmark function runs in a process of its
// own and still has to get the expressions for its sub-benchmarks.
type pattern []alternative

type alternative struct {
	top    *regexp.Regexp   // matches the function's name
	sub    string           // the rest, from the first slash on
	levels []*regexp.Regexp // the same rest, level by level
}

func parsePattern(expr string) (pattern, error) {
	if expr == "" {
		expr = "."
	}
	var p pattern
	for _, alt := range splitOutside(expr, '|') {
		levels := splitOutside(alt, '/')
		var compiled []*regexp.Regexp
		for _, level := range levels {
			re, err := regexp.Compile(level)
			if err != nil {
				return nil, fmt.Errorf("benchmark pattern %q: %w", expr, err)
			}
			compiled = append(compiled, re)
		}
		a := alternative{top: compiled[0], levels: compiled[1:]}
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

// CheckPattern reports what is wrong with a -bench expression.
func CheckPattern(expr string) error {
	_, err := parsePattern(expr)
	return err
}

// matches reports whether the expression selects the result called name, for
// programs that cannot be told what to run. Name is without the Benchmark prefix.
func (p pattern) matches(name string) bool {
	levels := strings.Split("Benchmark"+name, "/")
	return slices.ContainsFunc(p, func(a alternative) bool {
		if !a.top.MatchString(levels[0]) {
			return false
		}
		for i, expr := range a.levels {
			if i+1 >= len(levels) || !expr.MatchString(levels[i+1]) {
				return false
			}
		}
		return true
	})
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
