package reading

import (
	"fmt"
	"io"
	"math"
	"strings"
	"testing"
	"testing/iotest"
)

// walk renders a document by walking it.
func walk(j *JSON) (string, error) {
	var out strings.Builder
	var value func() error
	value = func() error {
		switch j.Next() {
		case '{':
			out.WriteString("{")
			err := j.Object(func(key string) error {
				fmt.Fprintf(&out, " %s=", key)
				return value()
			})
			out.WriteString(" }")
			return err
		case '[':
			out.WriteString("[")
			err := j.Array(func() error {
				out.WriteString(" ")
				return value()
			})
			out.WriteString(" ]")
			return err
		case '0':
			v, err := j.Number()
			fmt.Fprint(&out, v)
			return err
		}
		s, err := j.Text()
		out.WriteString(s)
		return err
	}
	if err := value(); err != nil {
		return "", err
	}
	return out.String(), j.End()
}

func TestJSON(t *testing.T) {
	for _, tt := range []struct{ text, want string }{
		{`{"a": [1, 2.5e1, null], "b": {"c": "x", "d": true}}`, "{ a=[ 1 25  ] b={ c=x d=true } }"},
		{"\uFEFF{}\n", "{ }"},
		{"> bench\n> node bench.js\n\n[1]\n", "[ 1 ]"},
		{"[info] starting\n{\"a\": 1}\n", "{ a=1 }"},
		{`{"a": 1, "a": 2}`, "{ a=1 a=2 }"},
		{"noise\n{\n\"a\": [NaN],\n\"b\": [\n{}, -Infinity\n]\n}", "{ a=[  ] b=[ { }  ] }"},

		{"{\n\"a\": tru}", "f:2: invalid JSON: invalid character '}' in literal true (expecting 'e')"},
		{"{\"a\":\n\n [1,", "f:3: the input ends in the middle of the JSON document"},
		{"", "f:1: the input ends in the middle of the JSON document"},
		{"{}\n{}", "f:2: unexpected text after the JSON document"},
		{"{}\nDone", "f:2: invalid JSON: invalid character 'D' at start of value"},
		{"[1e999]", `f:1: the number "1e999" is too large`},
		{"[\"\xff\"]", "f:1: invalid JSON: invalid UTF-8"},
		{"[\n\"" + strings.Repeat("x", 2<<20) + "\"]", "f:2: a value is longer than the limit of 1 MiB"},
		{"[\n1" + strings.Repeat("0", 2<<20) + "]", "f:2: a value is longer than the limit of 1 MiB"},
	} {
		for _, r := range []io.Reader{strings.NewReader(tt.text), iotest.OneByteReader(strings.NewReader(tt.text))} {
			got, err := walk(NewJSON(r, "f"))
			if err != nil {
				got = err.Error()
			}
			if got != tt.want {
				t.Errorf("%.40q: %q, want %q", tt.text, got, tt.want)
			}
		}
	}
}

func TestJSONKinds(t *testing.T) {
	for _, tt := range []struct {
		text string
		read func(j *JSON) error
		want string
	}{
		{"1", func(j *JSON) error { return j.Object(nil) }, `f:1: expected an object, found "1"`},
		{"1", func(j *JSON) error { return j.Array(nil) }, `f:1: expected an array, found "1"`},
		{`"x"`, func(j *JSON) error { _, err := j.Number(); return err }, `f:1: expected a number, found "x"`},
		{`{}`, func(j *JSON) error { _, err := j.Text(); return err }, `f:1: expected a string, found "{"`},
		{`{"n": "x"}`, func(j *JSON) error { return j.Into(&struct{ N int }{}) }, "f:1: N is a string"},
		{"null", func(j *JSON) error { return j.Object(nil) }, ""},
		{"null", func(j *JSON) error { return j.Array(nil) }, ""},
		{"[[{}, 1], {\"a\": []}]", func(j *JSON) error { return j.Skip() }, ""},
	} {
		got := ""
		if err := tt.read(NewJSON(strings.NewReader(tt.text), "f")); err != nil {
			got = err.Error()
		}
		if got != tt.want {
			t.Errorf("%s: %q, want %q", tt.text, got, tt.want)
		}
	}
	if v, err := NewJSON(strings.NewReader("null"), "f").Number(); err != nil || !math.IsNaN(v) {
		t.Errorf("null is the number %v, %v", v, err)
	}
}

// A failing input is not taken for its end.
func TestJSONFails(t *testing.T) {
	broken := fmt.Errorf("broken")
	for _, text := range []string{"", "{", "{}", `{"a":` + strings.Repeat(" ", 2*HeadSize)} {
		if _, err := walk(NewJSON(io.MultiReader(strings.NewReader(text), iotest.ErrReader(broken)), "f")); err == nil || !strings.Contains(err.Error(), "broken") {
			t.Errorf("%.10q: %v", text, err)
		}
	}
}

func TestNulls(t *testing.T) {
	for _, tt := range []struct{ text, want string }{
		{`[NaN, 1, Infinity, -Infinity, -1e-05, 2E+3]`, `[null, 1, null, null, -1e-05, 2E+3]`},
		{`{"NaN": "a NaN, \" NaN \\\\", "b": [NaN]}`, `{"NaN": "a NaN, \" NaN \\\\", "b": [null]}`},
		{`[true, nullable, Nan, NaNs, InfinityInfinity]`, `[true, nullable, Nan, NaNs, InfinityInfinity]`},
		{`NaN`, `null`},
		{`-`, `-`},
		{``, ``},
	} {
		for _, r := range []io.Reader{strings.NewReader(tt.text), iotest.OneByteReader(strings.NewReader(tt.text)), iotest.DataErrReader(strings.NewReader(tt.text))} {
			got, err := io.ReadAll(&nulls{r: r})
			if string(got) != tt.want || err != nil {
				t.Errorf("%s: got %s, %v; want %s", tt.text, got, err, tt.want)
			}
		}
	}
}
