package naming

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/perftrack/perftrack/runner/spelling"
)

// A Pattern is a go test -bench expression: alternatives separated by |, each a list of regular
// expressions separated by /, one for each level of sub-benchmarks. It has to be split because
// every benchmark function runs in its own process and still needs the expressions for its
// sub-benchmarks.
//
// Every command parses --bench as a Pattern. An expression may match a name with the prefix
// Benchmark, as in go test, or without it, as perftrack shows the name: ^Sort and ^BenchmarkSort
// are equivalent.
type Pattern struct {
	text         string
	alternatives []alternative
}

type alternative struct {
	top    *regexp.Regexp   // matches the function's name
	sub    []string         // expressions for the other levels
	levels []*regexp.Regexp // the same, compiled
}

// ParsePattern parses an expression; "" selects all benchmarks.
func ParsePattern(expr string) (Pattern, error) {
	p := Pattern{text: expr}
	if expr == "" {
		expr = "."
	}
	for _, alt := range splitOutside(expr, '|') {
		levels := splitOutside(alt, '/')
		var compiled []*regexp.Regexp
		for _, level := range levels {
			re, err := regexp.Compile(level)
			if err != nil {
				return Pattern{}, fmt.Errorf("benchmark pattern %q: %w", expr, err)
			}
			compiled = append(compiled, re)
		}
		p.alternatives = append(p.alternatives, alternative{top: compiled[0], sub: levels[1:], levels: compiled[1:]})
	}
	return p, nil
}

// splitOutside splits s at each unescaped sep outside brackets and parentheses, as package testing
// does.
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

// Matches reports whether the pattern selects the benchmark called name, without the prefix
// Benchmark, as in results.
func (p Pattern) Matches(name string) bool {
	levels := strings.Split(name, "/")
	return slices.ContainsFunc(p.alternatives, func(a alternative) bool {
		if !a.function(levels[0]) {
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

// function reports whether the first level matches a name, with or without the prefix.
func (a alternative) function(name string) bool {
	return a.top.MatchString("Benchmark"+name) || a.top.MatchString(name)
}

// ForFunction returns the -test.bench expression for a function running at GOMAXPROCS procs, and
// reports whether the pattern covers the function. name has no prefix Benchmark. The pattern may
// end like a printed name: Sort-4 means Sort at a GOMAXPROCS of 4.
func (p Pattern) ForFunction(name string, procs int) (string, bool) {
	full := "^Benchmark" + regexp.QuoteMeta(name) + "$"
	var exprs []string
	for _, a := range p.alternatives {
		switch {
		case a.function(name):
			exprs = append(exprs, strings.Join(append([]string{full}, atProcs(a.sub, procs)...), "/"))
		case len(a.sub) == 0 && procs > 1 && a.function(name+"-"+strconv.Itoa(procs)):
			exprs = append(exprs, full)
		}
	}
	return strings.Join(exprs, "|"), len(exprs) > 0
}

// atProcs makes the last level also match a name without its -N suffix, because package testing
// matches names before it appends the suffix.
func atProcs(levels []string, procs int) []string {
	if len(levels) == 0 || procs < 2 {
		return levels
	}
	levels = slices.Clone(levels)
	last := &levels[len(levels)-1]
	name, ok := strings.CutSuffix(strings.TrimSuffix(*last, "$"), "-"+strconv.Itoa(procs))
	if _, err := regexp.Compile(name); ok && err == nil {
		*last = "(?:" + *last + "|(?:" + name + ")$)"
	}
	return levels
}

// mark matches the special characters of an expression, and the prefix Benchmark.
var mark = regexp.MustCompile(`[\^$()\[\]?*+\\]|^Benchmark`)

// Nearest suggests functions whose names resemble a pattern that matched nothing. It returns the
// end of a message, or "".
func (p Pattern) Nearest(functions []string) string {
	var near []string
	for _, alt := range splitOutside(p.text, '|') {
		typed := mark.ReplaceAllString(mark.ReplaceAllString(splitOutside(alt, '/')[0], ""), "") // twice, to remove Benchmark after ^ as well
		for _, name := range functions {
			if len(typed) >= 3 && strings.Contains(strings.ToLower(name), strings.ToLower(typed)) {
				near = append(near, name)
			}
		}
		if word := spelling.Nearest(typed, functions); word != "" {
			near = append(near, word)
		}
	}
	slices.Sort(near)
	near = slices.Compact(near)
	const most = 5
	if len(near) > most {
		near = append(near[:most], "...")
	}
	if len(near) == 0 {
		return ""
	}
	return ": did you mean " + strings.Join(near, ", ") + "?"
}
