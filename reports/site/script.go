package site

import (
	"bytes"
	"encoding/json"
	"fmt"
)

// Script returns a document as a classic script of the form perftrack.data("b/ID", {...}, "STAMP").
// Documents made from the same state of the store have the same stamp. If stamps differ, the page
// reloads, because indices from one state mean nothing in another. The result is safe inside a
// script element: it escapes <, >, & and JavaScript's line separators, and replaces invalid UTF-8.
func Script(name string, document any, stamp string) ([]byte, error) {
	return calling("data", name, document, stamp)
}

// FreshScript returns a document that refers to no other one as a script. The page may load it again
// at any time, whatever state of the store it shows.
func FreshScript(name string, document any) ([]byte, error) { return calling("fresh", name, document) }

// FailScript returns a script that makes the page show why a document could not be made.
func FailScript(name, why string) ([]byte, error) { return calling("fail", name, why) }

// A Behind describes the progress of making the version that will replace an older page.
type Behind struct {
	Time  int64  `json:"time"`  // time of the version shown; 0 if the page has the time already
	Doing string `json:"doing"` // what is being done
	Done  int    `json:"done"`
	Of    int    `json:"of"`  // 0 if the total is unknown
	Why   string `json:"why"` // the error, or "" while work continues
}

// BehindScript returns a script that shows the progress of the new version on an older page. If how
// is nil, the new version is ready.
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
