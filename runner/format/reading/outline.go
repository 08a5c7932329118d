package reading

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// An outline lists the paths of the JSON documents at the beginning of an input.
type outline struct {
	places []place
	index  map[string]int // index in places by path
	err    error          // the first mistake in the JSON, unless the head ended before
	cut    bool           // the head ends within a document
	line   int            // line of the mistake, or of the end of the head
}

// A place is a path in a JSON document: keys, and "[]" for the elements of arrays.
type place struct {
	path  []string
	kinds string // the first characters of its values, as in jsontext.Kind
	line  int    // line of its first value
}

// Limits on an outline. A hostile document has at most this many distinct paths.
const (
	maxPlaces = 4096
	maxDepth  = 16
)

// maxStarts is the number of lines at which a document is looked for, after lines of other output.
const maxStarts = 20

// documentStart returns the offset at which the JSON document in text begins. Programs such as npm
// print lines of their own before it.
func documentStart(text []byte) (at int, found *outline) {
	text = withZeros(text)
	starts, least := 0, 0
	for line := range bytes.Lines(text) {
		trimmed := bytes.TrimLeft(line, " \t")
		if len(trimmed) > 0 && (trimmed[0] == '{' || trimmed[0] == '[') {
			o := parseOutline(text[at:], bytes.Count(text[:at], []byte("\n")))
			indent := len(line) - len(trimmed)
			if found == nil || o.err == nil || indent < least || indent == least && len(o.places) > len(found.places) {
				found, least = o, indent // a part of a broken document is indented
			}
			if starts++; o.err == nil || starts == maxStarts {
				return at, found
			}
		}
		at += len(line)
	}
	return 0, found
}

func outlineOf(text []byte) *outline {
	if _, o := documentStart(text); o != nil {
		return o
	}
	return &outline{}
}

// parseOutline parses documents in text, which may end anywhere. before is the number of lines before
// the text.
func parseOutline(text []byte, before int) *outline {
	o := &outline{index: map[string]int{}}
	dec := jsontext.NewDecoder(bytes.NewReader(text), jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
	var path []string
	at, line := 0, before+1
	for len(o.places) < maxPlaces {
		kind := dec.PeekKind()
		tok, err := dec.ReadToken()
		end := int(dec.InputOffset())
		line += bytes.Count(text[at:min(end, len(text))], []byte("\n"))
		at = end
		if err != nil {
			var wrong *jsontext.SyntacticError
			if !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) && errors.As(err, &wrong) {
				o.err, o.line = syntax(err), before+1+bytes.Count(text[:wrong.ByteOffset], []byte("\n"))
			} else if dec.StackDepth() > 0 {
				o.cut, o.line = true, before+1+bytes.Count(bytes.TrimSpace(text), []byte("\n"))
			}
			return o
		}
		depth := dec.StackDepth()
		if kind == '}' || kind == ']' {
			path = path[:max(0, min(len(path), depth))]
			continue
		}
		opened := kind == '{' || kind == '['
		inside := depth
		if opened {
			inside--
		}
		container, n := dec.StackIndex(inside)
		switch {
		case inside == 0:
			path = path[:0]
		case container == '{' && n%2 == 1 && !opened: // a key
			path = append(path[:inside-1], tok.String())
			continue
		case container == '[':
			path = append(path[:inside-1], "[]")
		}
		if inside <= maxDepth {
			o.note(path, kind, line)
		}
	}
	return o
}

// syntax returns the text of a decoding error without the position, which is an offset.
func syntax(err error) error {
	var at *jsontext.SyntacticError
	if errors.As(err, &at) && at.Err != nil {
		return at.Err
	}
	return err
}

func (o *outline) note(path []string, kind jsontext.Kind, line int) {
	key := strings.Join(path, "\x00")
	i, known := o.index[key]
	if !known {
		i = len(o.places)
		o.index[key] = i
		o.places = append(o.places, place{path: slices.Clone(path), line: line})
	}
	if p := &o.places[i]; !strings.Contains(p.kinds, string(kind)) {
		p.kinds += string(kind)
	}
}

// A wanted is a parsed path of a shape.
type wanted struct {
	path []string
	kind string // as in place, or ""
}

var kindNames = map[string]string{"string": `"`, "number": "0", "object": "{", "array": "["}

// parsePath parses a path such as "benchmarks[].real_time:number".
func parsePath(text string) (w wanted) {
	text, kind, _ := strings.Cut(text, ":")
	w.kind = kindNames[kind]
	for word := range strings.SplitSeq(text, ".") {
		key := strings.TrimRight(word, "[]")
		if key != "" {
			w.path = append(w.path, key)
		}
		for range strings.Count(word, "[]") {
			w.path = append(w.path, "[]")
		}
	}
	return w
}

func (w wanted) matches(p place) bool {
	return len(w.path) == len(p.path) && w.begins(p.path) && (w.kind == "" || strings.Contains(p.kinds, w.kind))
}

// begins reports whether path, which may be shorter, has the keys of w.
func (w wanted) begins(path []string) bool {
	for i, key := range path {
		if i == len(w.path) || w.path[i] != key && (w.path[i] != "*" || key == "[]") {
			return false
		}
	}
	return true
}

// find returns the first place that w matches.
func (o *outline) find(w wanted) (place, bool) {
	for _, p := range o.places {
		if w.matches(p) {
			return p, true
		}
	}
	return place{}, false
}

// lacks describes the first path of a shape that the outline does not have: the line of the value
// that should have it.
func (o *outline) lacks(shape []string) (found int, line int, why string) {
	line = 1
	for _, text := range shape {
		w := parsePath(text)
		if _, ok := o.find(w); ok {
			found++
			continue
		}
		if why != "" {
			continue
		}
		why = fmt.Sprintf("there is no %s", text)
		deepest := -1
		for _, p := range o.places {
			if w.begins(p.path) && len(p.path) > deepest {
				deepest, line = len(p.path), p.line
			}
		}
	}
	return found, line, why
}
