package reading

import (
	"bytes"
	"iter"
	"slices"
)

// HeadSize is the number of bytes at the beginning of an input by which its format is recognized. It
// leaves room for build messages and log lines before the first result.
const HeadSize = 64 << 10

// A Head is the beginning of an input.
type Head struct {
	Text  []byte
	whole bool // the input ends with the head
	json  *outline
}

// NewHead returns the head of an input that begins with text. A text of less than HeadSize bytes is
// the whole input.
func NewHead(text []byte) *Head {
	text = text[:min(len(text), HeadSize)]
	return &Head{Text: bytes.TrimPrefix(text, []byte("\uFEFF")), whole: len(text) < HeadSize}
}

// Lines returns the complete lines with their numbers from 1, without line breaks.
func (h *Head) Lines() iter.Seq2[int, []byte] {
	return func(yield func(int, []byte) bool) {
		n := 0
		for line := range bytes.Lines(h.Text) {
			if n++; !h.whole && !bytes.HasSuffix(line, []byte("\n")) {
				return // the head ends within the line
			}
			if !yield(n, bytes.TrimRight(line, "\r\n")) {
				return
			}
		}
	}
}

// Has reports whether the JSON document at the beginning has a path; see [Format].Shape.
func (h *Head) Has(path string) bool {
	_, ok := h.outline().find(parsePath(path))
	return ok
}

// HasAll reports whether the JSON document has all paths of a shape; see [Format].Shape.
func (h *Head) HasAll(shape []string) bool {
	return !slices.ContainsFunc(shape, func(path string) bool { return !h.Has(path) })
}

// Only reports whether each value of the JSON document at the beginning has one of the paths, apart
// from the document itself.
func (h *Head) Only(paths ...string) bool {
	var known []wanted
	for _, text := range paths {
		known = append(known, parsePath(text))
	}
	for _, p := range h.outline().places {
		if len(p.path) > 0 && !slices.ContainsFunc(known, func(w wanted) bool { return w.matches(p) }) {
			return false
		}
	}
	return h.JSON()
}

// JSON reports whether the input is a JSON document, or a sequence of documents, as far as the head
// shows it.
func (h *Head) JSON() bool { return h.outline().err == nil && len(h.outline().places) > 0 }

func (h *Head) outline() *outline {
	if h.json == nil {
		h.json = outlineOf(h.Text)
	}
	return h.json
}
