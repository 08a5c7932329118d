package site

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math"
	"regexp"
	"strconv"
)

// Script returns a document as the classic script that hands it to the page under its name:
// perftrack.data("b/ID", {...}, "STAMP"). The stamp is the same in all documents that were made
// of the same state: places in the lists of one mean nothing in those of another, so the page
// loads anew where they differ. Whatever stands in its texts, nothing of them ends the
// script, the string or the element that it may be put in: <, >, & and the line separators
// of JavaScript are escaped, and broken UTF-8 is replaced.
func Script(name string, document any, stamp string) ([]byte, error) {
	return calling("data", name, document, stamp)
}

// FailScript returns what takes the place of a document that could not be made: the page says why.
func FailScript(name, why string) ([]byte, error) { return calling("fail", name, why) }

// A Behind is how far the version of a site is that takes the place of an older one on the page.
type Behind struct {
	Time  int64  `json:"time"`  // of what is shown; 0 where the page knows it already
	Doing string `json:"doing"` // what is being done
	Done  int    `json:"done"`
	Of    int    `json:"of"`  // 0 where it is not known how much there is to do
	Why   string `json:"why"` // why it cannot be made, "" while it can
}

// BehindScript returns what tells an older page how far the newer version is; nil: it is there.
func BehindScript(how *Behind) ([]byte, error) {
	text, err := json.Marshal(how)
	if err != nil {
		return nil, fmt.Errorf("encode progress: %w", err)
	}
	return fmt.Appendf(nil, "perftrack.behind(%s);\n", text), nil
}

// calling is a script that calls a function of the page.
func calling(function, name string, args ...any) ([]byte, error) {
	var b bytes.Buffer
	b.WriteString("perftrack." + function + "(")
	for i, v := range append([]any{name}, args...) {
		text, err := json.Marshal(v)
		if err != nil {
			return nil, fmt.Errorf("encode %s: %w", name, err)
		}
		if i > 0 {
			b.WriteByte(',')
		}
		b.Write(text)
	}
	b.WriteString(");\n")
	return b.Bytes(), nil
}

// MarshalJSON writes what is no number as null, whole numbers as they are, and others to six
// significant digits: more than any page shows, at half of the bytes.
func (n Number) MarshalJSON() ([]byte, error) {
	v := float64(n)
	switch {
	case math.IsNaN(v) || math.IsInf(v, 0):
		return []byte("null"), nil
	case v == math.Trunc(v) && math.Abs(v) < 1e15:
		return strconv.AppendInt(nil, int64(v), 10), nil
	}
	return strconv.AppendFloat(nil, v, 'g', 6, 64), nil
}

// UnmarshalJSON reads null as what is no number.
func (n *Number) UnmarshalJSON(text []byte) error {
	if string(text) == "null" {
		*n = Number(math.NaN())
		return nil
	}
	v, err := strconv.ParseFloat(string(text), 64)
	*n = Number(v)
	return err
}

// safeName is what a file may be called on any system: it cannot leave its folder, and two of
// them do not differ by case alone.
var safeName = regexp.MustCompile(`^[a-z0-9][a-z0-9_-]{3,79}(\.\.[a-z0-9][a-z0-9_-]{3,79})?$`)

// SafeID returns the text by which a document is called whose own name came from outside, such
// as the id of a trial: the name itself if a file may be called so, else one made of its hash.
func SafeID(name string) string {
	if safeName.MatchString(name) {
		return name
	}
	return HashID("x", name)
}

// HashID returns an id that tells the parts from any others, 17 characters long. It is the
// same at every time and place.
func HashID(kind string, parts ...string) string {
	h := sha256.New()
	for _, p := range parts {
		_, _ = fmt.Fprintf(h, "%d:%s", len(p), p) // a hash has no errors
	}
	return kind + hex.EncodeToString(h.Sum(nil))[:16]
}
