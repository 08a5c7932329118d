package reading

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/perftrack/perftrack/runner/format/bounds"
)

// JSON walks a JSON document of any size in constant memory. Its methods consume the next value, and
// return an error with file and line if that is of another kind. An error ends the walk.
type JSON struct {
	fileName string
	dec      *jsontext.Decoder
	in       *counter
}

// NewJSON returns a walker for the document in r. Lines before the document are skipped.
func NewJSON(r io.Reader, fileName string) *JSON {
	j := &JSON{fileName: fileName}
	j.in = &counter{r: r}
	j.in.skip()
	j.dec = jsontext.NewDecoder(j.in, jsontext.AllowDuplicateNames(true))
	j.in.offset = j.dec.InputOffset
	return j
}

// A counter counts the bytes and lines given to a decoder, and limits what the decoder keeps.
type counter struct {
	r      io.Reader
	lines  int
	given  int64
	offset func() int64 // end of the last token
}

// maxToken is the number of bytes in a token, or in a value read by Into. It is the limit on a line of
// text.
const maxToken = bounds.MaxLine

var errToken = fmt.Errorf("a value is longer than the limit of %d MiB", maxToken>>20)

// skip reads the head of the input and drops the lines before the document.
func (c *counter) skip() {
	head := make([]byte, HeadSize)
	n, err := io.ReadFull(c.r, head)
	head = bytes.TrimPrefix(head[:n], []byte("\uFEFF"))
	at, _ := documentStart(head)
	c.lines = bytes.Count(head[:at], []byte("\n"))
	var rest io.Reader
	switch {
	case err == nil:
		rest = c.r
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		rest = bytes.NewReader(nil)
	default:
		rest = failing{err}
	}
	c.r = &nulls{r: io.MultiReader(bytes.NewReader(head[at:]), rest)}
}

// failing returns its error to every Read.
type failing struct{ err error }

func (f failing) Read([]byte) (int, error) { return 0, f.err }

func (c *counter) Read(p []byte) (n int, err error) {
	if c.offset != nil && c.given-c.offset() > maxToken {
		return 0, errToken
	}
	n, err = c.r.Read(p)
	c.given += int64(n)
	c.lines += bytes.Count(p[:n], []byte("\n"))
	return n, err
}

// FileName returns the name of the input for messages.
func (j *JSON) FileName() string { return j.fileName }

// Line returns the line of the end of the last token, from 1.
func (j *JSON) Line() int {
	return 1 + j.in.lines - bytes.Count(j.dec.UnreadBuffer(), []byte("\n"))
}

// Errorf returns an error with the file and the current line.
func (j *JSON) Errorf(format string, args ...any) error {
	return fmt.Errorf("%s:%d: %w", j.fileName, j.Line(), fmt.Errorf(format, args...))
}

// wrap adds the position to an error of the decoder.
func (j *JSON) wrap(err error) error {
	rest := j.dec.UnreadBuffer()
	start := len(rest) - len(bytes.TrimLeft(rest, " \t\r\n,:"))
	var syntactic *jsontext.SyntacticError
	switch {
	case errors.Is(err, errToken):
		err = errToken
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		err = errors.New("the input ends in the middle of the JSON document")
	case errors.As(err, &syntactic):
		start = int(syntactic.ByteOffset - j.dec.InputOffset())
		err = fmt.Errorf("invalid JSON: %w", syntax(err))
	default:
		return cmp.Or(errors.Unwrap(err), err) // of the input itself
	}
	line := j.Line() + bytes.Count(rest[:max(0, min(start, len(rest)))], []byte("\n"))
	return fmt.Errorf("%s:%d: %w", j.fileName, line, err)
}

// Next returns the kind of the next value: '{', '[', '"', '0' for a number, 't', 'f' or 'n' for null.
// It returns 0 if there is none.
func (j *JSON) Next() byte { return byte(j.dec.PeekKind()) }

// More reports whether another document follows. It returns an error if anything else does.
func (j *JSON) More() (bool, error) {
	if j.dec.PeekKind() != 0 {
		return true, nil
	}
	_, err := j.dec.ReadToken()
	if errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
		return false, nil
	}
	return false, j.wrap(err)
}

// End returns an error if anything follows the document.
func (j *JSON) End() error {
	more, err := j.More()
	if err != nil || !more {
		return err
	}
	if _, err := j.dec.ReadToken(); err != nil {
		return j.wrap(err)
	}
	return j.Errorf("unexpected text after the JSON document")
}

func (j *JSON) open(kind jsontext.Kind, what string) error {
	if j.dec.PeekKind() != kind {
		return j.unexpected(what)
	}
	if _, err := j.dec.ReadToken(); err != nil {
		return j.wrap(err)
	}
	return nil
}

// unexpected returns the error for a value of the wrong kind.
func (j *JSON) unexpected(want string) error {
	tok, err := j.dec.ReadToken()
	if err != nil {
		return j.wrap(err)
	}
	return j.Errorf("expected %s, found %s", want, bounds.Quote(tok.String()))
}

// Object calls member for each key of an object. member has to consume the value. null counts as an
// empty object.
func (j *JSON) Object(member func(key string) error) error {
	if j.null() {
		return nil
	}
	if err := j.open('{', "an object"); err != nil {
		return err
	}
	for j.dec.PeekKind() != '}' {
		tok, err := j.dec.ReadToken()
		if err != nil {
			return j.wrap(err)
		}
		if err := member(tok.String()); err != nil {
			return err
		}
	}
	_, err := j.dec.ReadToken()
	return j.wrapped(err)
}

// Array calls element for each element of an array. element has to consume it. null counts as an
// empty array.
func (j *JSON) Array(element func() error) error {
	if j.null() {
		return nil
	}
	if err := j.open('[', "an array"); err != nil {
		return err
	}
	for j.dec.PeekKind() != ']' {
		if j.dec.PeekKind() == 0 {
			break // the error follows
		}
		if err := element(); err != nil {
			return err
		}
	}
	_, err := j.dec.ReadToken()
	return j.wrapped(err)
}

func (j *JSON) wrapped(err error) error {
	if err != nil {
		return j.wrap(err)
	}
	return nil
}

// null consumes a null, if there is one.
func (j *JSON) null() bool {
	if j.dec.PeekKind() != 'n' {
		return false
	}
	_, err := j.dec.ReadToken()
	return err == nil
}

// Text returns a string. A number or a boolean is returned as it is written, and null as "".
func (j *JSON) Text() (string, error) {
	if k := j.dec.PeekKind(); k == '{' || k == '[' {
		return "", j.unexpected("a string")
	}
	tok, err := j.dec.ReadToken()
	switch {
	case err != nil:
		return "", j.wrap(err)
	case tok.Kind() == 'n':
		return "", nil
	}
	return tok.String(), nil
}

// Number returns a number. It returns NaN for null, and an error for any number that is too large.
func (j *JSON) Number() (float64, error) {
	switch j.dec.PeekKind() {
	case 'n':
		j.null()
		return math.NaN(), nil
	case '0':
	default:
		return 0, j.unexpected("a number")
	}
	tok, err := j.dec.ReadToken()
	if err != nil {
		return 0, j.wrap(err)
	}
	v := tok.Float()
	if math.IsInf(v, 0) || math.Abs(v) == math.MaxFloat64 {
		return 0, j.Errorf("the number %s is too large", bounds.Quote(tok.String()))
	}
	return v, nil
}

// Count returns a number as a count; see [Count].
func (j *JSON) Count() (int, error) {
	v, err := j.Number()
	return Count(v), err
}

// Numbers adds the numbers of an array to s. It skips elements that are no numbers and counts them.
func (j *JSON) Numbers(s *Series) (others int, err error) {
	err = j.Array(func() error {
		if j.dec.PeekKind() != '0' {
			others++
			return j.Skip()
		}
		v, err := j.Number()
		s.Add(v)
		return err
	})
	return others, err
}

// Skip consumes a value of any kind and size.
func (j *JSON) Skip() error {
	depth := j.dec.StackDepth()
	for {
		if _, err := j.dec.ReadToken(); err != nil {
			return j.wrap(err)
		}
		if j.dec.StackDepth() <= depth {
			return nil
		}
	}
}

// Into decodes a value of at most 1 MiB with package encoding/json. A member of the wrong type is an
// error.
func (j *JSON) Into(v any) error {
	raw, err := j.dec.ReadValue()
	if err != nil {
		return j.wrap(err)
	}
	if len(raw) > maxToken {
		return j.Errorf("%w", errToken)
	}
	var kind *json.UnmarshalTypeError
	switch err := json.Unmarshal(raw, v); {
	case errors.As(err, &kind):
		return j.Errorf("%s is a %s", kind.Field, kind.Value)
	case err != nil:
		return j.Errorf("%w", err)
	}
	return nil
}
