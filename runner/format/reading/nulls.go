package reading

import (
	"bytes"
	"io"
)

// nulls replaces the words NaN, Infinity and -Infinity by null. They are not JSON, but the libraries of
// Python, C++ and others write them for numbers that are not finite.
type nulls struct {
	r      io.Reader
	buf    []byte // read from r, reused
	spare  []byte // replaced text, reused
	out    []byte // not yet returned
	word   []byte // letters outside strings, after a minus or not, of which the rest may follow
	zeros  bool   // replace words by 0.0, which is as long as NaN
	quoted bool   // the next byte is within a string
	escape bool   // the next byte follows a backslash
	err    error
}

func (n *nulls) Read(p []byte) (int, error) {
	for len(n.out) == 0 {
		if n.err != nil {
			return 0, n.err
		}
		if n.buf == nil {
			n.buf = make([]byte, 16<<10)
		}
		var k int
		k, n.err = n.r.Read(n.buf)
		n.out = n.replaced(n.buf[:k])
	}
	k := copy(p, n.out)
	n.out = n.out[k:]
	return k, nil
}

// replaced returns the text with the words replaced, and without a word that may continue.
func (n *nulls) replaced(text []byte) []byte {
	if len(n.word) == 0 && n.pass(text) {
		return text
	}
	out := n.spare[:0]
	for _, c := range text {
		switch letter := 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'; {
		case n.quoted:
			out = append(out, c)
			n.quoted = n.escape || c != '"'
			n.escape = !n.escape && c == '\\'
		case letter && len(n.word) <= len("-Infinity"):
			n.word = append(n.word, c)
		case c == '-':
			out = n.flush(out)
			n.word = append(n.word, c)
		default:
			out = append(n.flush(out), c)
			n.quoted = c == '"'
		}
	}
	if n.err != nil {
		out = n.flush(out)
	}
	n.spare = out
	return out
}

// flush appends the word, or null instead of it.
func (n *nulls) flush(out []byte) []byte {
	switch string(n.word) {
	case "NaN", "Infinity", "-Infinity":
		if n.zeros {
			out = append(out, "0.0000000"[:len(n.word)]...)
		} else {
			out = append(out, "null"...)
		}
	default:
		out = append(out, n.word...)
	}
	n.word = n.word[:0]
	return out
}

// pass skips a text without such a word, as nearly all are. It returns false, and changes nothing, if
// the text may have one.
func (n *nulls) pass(text []byte) bool {
	quoted, escape := n.quoted, n.escape
	for len(text) > 0 {
		if escape {
			text, escape = text[1:], false
			continue
		}
		end := bytes.IndexByte(text, '"')
		part := text
		if end >= 0 {
			part = text[:end]
		}
		switch {
		case !quoted && (bytes.IndexByte(part, 'N') >= 0 || bytes.IndexByte(part, 'I') >= 0):
			return false
		case !quoted && end < 0 && part[len(part)-1] == '-':
			return false // Infinity may follow
		case quoted:
			if at := bytes.IndexByte(part, '\\'); at >= 0 {
				text, escape = text[at+1:], true
				continue
			}
		}
		if end < 0 {
			break
		}
		text, quoted = text[end+1:], !quoted
	}
	n.quoted, n.escape = quoted, escape
	return true
}

// withZeros returns a text of the same length with 0 instead of the words.
func withZeros(text []byte) []byte {
	if !bytes.Contains(text, []byte("NaN")) && !bytes.Contains(text, []byte("Infinity")) {
		return text
	}
	out, _ := io.ReadAll(&nulls{r: bytes.NewReader(text), zeros: true}) // a bytes.Reader does not fail
	return out
}
