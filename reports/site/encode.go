package site

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"regexp"
	"strconv"

	"github.com/perftrack/perftrack/reports"
)

// Script returns a document as a classic script of the form perftrack.data("b/ID", {...}, "STAMP").
// Documents made from the same state of the store have the same stamp. If stamps differ, the page
// reloads, because indices from one state mean nothing in another. The result is safe inside a
// script element: it escapes <, >, & and JavaScript's line separators, and replaces invalid UTF-8.
func Script(name string, document any, stamp string) ([]byte, error) {
	return calling("data", name, document, stamp)
}

// FailScript returns a script that makes the page show why a document could not be made.
func FailScript(name, why string) ([]byte, error) { return calling("fail", name, why) }

// A Behind describes the progress of making the version that will replace an older page.
type Behind struct {
	Time  int64  `json:"time"`  // time of the version shown; 0 if the page knows it
	Doing string `json:"doing"` // what is being done
	Done  int    `json:"done"`
	Of    int    `json:"of"`  // 0 if the total is unknown
	Why   string `json:"why"` // the error, or "" while work continues
}

// BehindScript returns a script that tells an older page about the progress of the new version. If
// how is nil, the new version is ready.
func BehindScript(how *Behind) ([]byte, error) {
	text, err := json.Marshal(how)
	if err != nil {
		return nil, fmt.Errorf("encode progress: %w", err)
	}
	return fmt.Appendf(nil, "perftrack.behind(%s);\n", text), nil
}

// calling returns a script that calls a function of the page with name and args.
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

// MarshalJSON writes NaN and infinities as null, integers exactly, and all other numbers with six
// significant digits. Six digits are more than any page shows, and they take half as many bytes as
// all digits.
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

// UnmarshalJSON reads null as NaN.
func (n *Number) UnmarshalJSON(text []byte) error {
	if string(text) == "null" {
		*n = Number(math.NaN())
		return nil
	}
	v, err := strconv.ParseFloat(string(text), 64)
	*n = Number(v)
	return err
}

// safeName matches file names valid on every system. Such a name cannot lead out of its folder, and
// no two of them differ only in case.
var safeName = regexp.MustCompile(`^[a-z0-9][a-z0-9_-]{3,79}(\.\.[a-z0-9][a-z0-9_-]{3,79})?$`)

// SafeID returns a document name for an untrusted name, such as the id of a trial. It is the name
// itself if it is a safe file name, and a hash of it otherwise.
func SafeID(name string) string {
	if safeName.MatchString(name) {
		return name
	}
	return reports.HashID("x", name)
}
