package main

import (
	"fmt"
	"regexp"
	"strings"
	"testing"
)

// An expression evaluates the part of GitHub's expressions that the workflows use:
// ||, &&, !, ==, !=, parentheses, texts, names and a few functions.
type expression struct {
	t       *testing.T
	context map[string]any
	tokens  []string
}

var expressionToken = regexp.MustCompile(`\|\||&&|==|!=|[!(),]|'[^']*'|[A-Za-z_][\w.-]*`)

func evaluate(t *testing.T, text string, context map[string]any) any {
	t.Helper()
	e := &expression{t, context, expressionToken.FindAllString(text, -1)}
	if rest := strings.TrimSpace(expressionToken.ReplaceAllString(text, "")); rest != "" {
		t.Fatalf("nobody evaluates %q in %q", rest, text)
	}
	v := e.or()
	if len(e.tokens) > 0 {
		t.Fatalf("%q is left of %q", e.tokens, text)
	}
	return v
}

func (e *expression) next(tokens ...string) bool {
	for _, want := range tokens {
		if len(e.tokens) > 0 && e.tokens[0] == want {
			e.tokens = e.tokens[1:]
			return true
		}
	}
	return false
}

func (e *expression) or() any {
	v := e.and()
	for e.next("||") {
		if w := e.and(); !truth(v) {
			v = w
		}
	}
	return v
}

func (e *expression) and() any {
	v := e.compared()
	for e.next("&&") {
		if w := e.compared(); truth(v) {
			v = w
		}
	}
	return v
}

func (e *expression) compared() any {
	v := e.value()
	switch {
	case e.next("=="):
		return asText(v) == asText(e.value())
	case e.next("!="):
		return asText(v) != asText(e.value())
	}
	return v
}

func (e *expression) value() any {
	switch {
	case e.next("!"):
		return !truth(e.value())
	case e.next("("):
		v := e.or()
		if !e.next(")") {
			e.t.Fatal("a parenthesis is open")
		}
		return v
	case len(e.tokens) == 0:
		e.t.Fatal("an expression ends too early")
	}
	word := e.tokens[0]
	e.tokens = e.tokens[1:]
	if strings.HasPrefix(word, "'") {
		return strings.Trim(word, "'")
	}
	if e.next("(") {
		return e.call(word)
	}
	var v any = e.context
	for part := range strings.SplitSeq(word, ".") {
		m, _ := v.(map[string]any)
		v = m[part]
	}
	return v
}

func (e *expression) call(name string) any {
	var args []any
	for !e.next(")") {
		args = append(args, e.or())
		e.next(",")
	}
	switch {
	case name == "cancelled" && len(args) == 0:
		return false
	case name == "startsWith" && len(args) == 2:
		return strings.HasPrefix(asText(args[0]), asText(args[1]))
	}
	e.t.Fatalf("nobody plays %s(%v)", name, args)
	return nil
}

func truth(v any) bool { return v != nil && v != false && v != "" }

func asText(v any) string {
	if v == nil {
		return ""
	}
	return fmt.Sprint(v)
}
