package main

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// An expression evaluates the part of GitHub's expression language used in the workflows: ||, &&,
// !, ==, !=, parentheses, strings, names and a few functions.
type expression struct {
	t       *testing.T
	context map[string]any
	tokens  []string
}

var expressionToken = regexp.MustCompile(`\|\||&&|==|!=|[!(),]|'[^']*'|[A-Za-z_][\w.*-]*`)

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
	return member(e.context, strings.Split(word, "."))
}

// member returns the value at a path of keys. A * in the path selects each element of a list.
func member(v any, path []string) any {
	for i, part := range path {
		if part == "*" {
			var list, found []any
			text, _ := json.Marshal(v)
			_ = json.Unmarshal(text, &list)
			for _, element := range list {
				found = append(found, member(element, path[i+1:]))
			}
			return found
		}
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
	case name == "always" && len(args) == 0:
		return true
	case name == "cancelled" && len(args) == 0:
		return false
	case name == "contains" && len(args) == 2:
		list, _ := args[0].([]any)
		return slices.ContainsFunc(list, func(v any) bool { return strings.EqualFold(asText(v), asText(args[1])) })
	case name == "format" && len(args) > 1:
		text := asText(args[0])
		for i, v := range args[1:] {
			text = strings.ReplaceAll(text, fmt.Sprintf("{%d}", i), asText(v))
		}
		return text
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
