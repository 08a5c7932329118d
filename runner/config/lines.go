package config

import (
	"fmt"
	"strings"
)

// keyLines returns the line, from 1, at which each key of a TOML text stands, by its
// path: "defaults", "defaults.alpha", "target[1]", "target[1].name". The TOML library
// tells positions for syntax errors only. The text must be valid TOML; keys inside an
// inline table are not listed, since their line is mostly that of the key before it.
func keyLines(text string) map[string]int {
	lines := make(map[string]int)
	elements := make(map[string]int) // of each array of tables, so far
	table, line := "", 1
	note := func(path string, line int) {
		if lines[path] == 0 {
			lines[path] = line
		}
	}
	for len(text) > 0 {
		text = strings.TrimLeft(text, " \t\r")
		start := line
		switch {
		case strings.HasPrefix(text, "[["):
			name, rest := keyPath(text[2:])
			table = fmt.Sprintf("%s[%d]", name, elements[name])
			elements[name]++
			note(table, start)
			note(name, start)
			text = rest
		case strings.HasPrefix(text, "["):
			var name string
			name, text = keyPath(text[1:])
			// A table inside the newest element of an array.
			if array, inner, ok := strings.Cut(name, "."); ok && elements[array] > 0 {
				name = fmt.Sprintf("%s[%d].%s", array, elements[array]-1, inner)
			}
			note(name, start)
			table = name
		case text != "" && text[0] != '#' && text[0] != '\n':
			var name string
			name, text = keyPath(text)
			if table != "" {
				name = table + "." + name
			}
			// A dotted key stands for the tables on its way, too.
			for i, r := range name {
				if r == '.' {
					note(name[:i], start)
				}
			}
			note(name, start)
		}
		skipped := skipStatement(text)
		line += strings.Count(text[:skipped], "\n")
		text = text[skipped:]
	}
	return lines
}

// keyPath reads a dotted key, whose parts may be quoted, and returns it as one path.
func keyPath(text string) (path, rest string) {
	var parts []string
	for {
		text = strings.TrimLeft(text, " \t")
		var part string
		switch {
		case strings.HasPrefix(text, `"`), strings.HasPrefix(text, `'`):
			end := stringEnd(text)
			part, text = text[1:max(end-1, 1)], text[end:]
		default:
			end := strings.IndexAny(text, ".=] \t\n")
			if end < 0 {
				end = len(text)
			}
			part, text = text[:end], text[end:]
		}
		parts = append(parts, part)
		text = strings.TrimLeft(text, " \t")
		if !strings.HasPrefix(text, ".") {
			return strings.Join(parts, "."), text
		}
		text = text[1:]
	}
}

// skipStatement returns the length of the rest of a statement with its line break,
// over strings, arrays and inline tables of several lines.
func skipStatement(text string) int {
	depth := 0
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '"', '\'':
			i += stringEnd(text[i:]) - 1
		case '[', '{':
			depth++
		case ']', '}':
			depth-- // below zero after a table header, whose bracket was read before
		case '#':
			if end := strings.IndexByte(text[i:], '\n'); end >= 0 {
				i += end - 1
			} else {
				i = len(text)
			}
		case '\n':
			if depth <= 0 {
				return i + 1
			}
		}
	}
	return len(text)
}

// stringEnd returns the length of the string that text begins with, quotes included.
func stringEnd(text string) int {
	quote := text[:1]
	if triple := strings.Repeat(quote, 3); strings.HasPrefix(text, triple) {
		for i := 3; i < len(text); i++ {
			if quote == `"` && text[i] == '\\' {
				i++
				continue
			}
			if strings.HasPrefix(text[i:], triple) {
				// Up to two quotes may stand directly before the closing three.
				for i += 3; i < len(text) && text[i] == quote[0]; i++ {
				}
				return i
			}
		}
		return len(text)
	}
	for i := 1; i < len(text); i++ {
		switch {
		case quote == `"` && text[i] == '\\':
			i++
		case text[i] == quote[0]:
			return i + 1
		case text[i] == '\n':
			return i
		}
	}
	return len(text)
}
