package reading

import (
	"bytes"
	"fmt"
	"strings"
)

// An UnknownError means that an input is in no known format.
type UnknownError struct {
	Nearest string // name of the most similar format, or ""
	Line    int    // the first line that does not fit it, from 1
	Why     string // what is wrong there
	What    string // what the input is, if it is known to have no results
}

func (e *UnknownError) Error() string {
	switch {
	case e.What != "":
		return e.What
	case e.Nearest == "" && e.Why == "":
		return "no known format: see perftrack formats"
	case e.Nearest == "":
		return fmt.Sprintf("no known format (line %d: %s): see perftrack formats", e.Line, e.Why)
	}
	return fmt.Sprintf("no known format: the nearest is %s, but line %d does not fit: %s", e.Nearest, e.Line, e.Why)
}

// An AmbiguousError means that an input may be in several formats.
type AmbiguousError struct{ Names []string }

func (e *AmbiguousError) Error() string {
	return fmt.Sprintf("the format may be %s: name it with --from, or with format in perftrack.toml", strings.Join(e.Names, " or "))
}

// Unknown returns the error for an input that none of the formats matches.
func Unknown(all []Format, h *Head) *UnknownError {
	if what := h.other(); what != "" {
		return &UnknownError{What: what}
	}
	best, out := 0.0, &UnknownError{}
	consider := func(f *Format, share float64, line int, why string) {
		if share > best {
			best, out = share, &UnknownError{Nearest: f.Name, Line: line, Why: why}
		}
	}
	o := h.outline()
	for i := range all {
		f := &all[i]
		switch {
		case f.Forced:
		case len(f.Shape) > 0:
			found, line, why := o.lacks(f.Shape)
			if broken := h.broken(); broken != "" {
				line, why = o.line, broken
			}
			if why != "" { // otherwise Detect does not take it, for a reason of its own
				consider(f, float64(found)/float64(len(f.Shape)), line, why)
			}
		case !h.JSON():
			if share, line, text := f.marked(h); share >= leastMarked {
				consider(f, share, line, fmt.Sprintf("%q", clip(text)))
			}
		}
	}
	if start := bytes.TrimSpace(h.Text); out.Nearest == "" && h.broken() != "" && (start[0] == '{' || start[0] == '[') {
		out.Line, out.Why = o.line, h.broken()
	}
	if out.Nearest == "" && out.Why == "" && h.JSON() {
		out.What = "no known format: it is JSON without the keys of any"
	}
	return out
}

// broken says what is wrong with the JSON of an input, or "".
func (h *Head) broken() string {
	switch o := h.outline(); {
	case o.err != nil:
		return "invalid JSON: " + o.err.Error()
	case o.cut && h.whole:
		return "the input ends in the middle of the JSON document"
	}
	return ""
}

// leastMarked is the least share of a format's marks that makes it the nearest one, because a single
// word such as Total is in many texts.
const leastMarked = 0.9 / 2

// marked returns the share of the format's marks in the head, and the first line with one of them.
func (f *Format) marked(h *Head) (share float64, line int, text []byte) {
	seen := map[string]bool{}
	for n, l := range h.Lines() {
		for _, mark := range f.Marks {
			if !bytes.Contains(l, []byte(mark)) {
				continue
			}
			if seen[mark] = true; line == 0 {
				line, text = n, l
			}
		}
	}
	// One of many marks is less than one of two, but a text without JSON has only marks.
	return 0.9 * float64(len(seen)) / float64(max(1, len(f.Marks))), line, text
}

// clip shortens a line for a message.
func clip(line []byte) string {
	const most = 60
	if len(line) <= most {
		return string(line)
	}
	return strings.ToValidUTF8(string(line[:most]), "") + "..."
}
