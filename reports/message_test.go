package reports

import (
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"
)

func TestWrapMessage(t *testing.T) {
	for _, tt := range []struct{ about, text, want string }{
		{"short", "perftrack: no", "perftrack: no"},
		{"at words", "perftrack: a sentence of words", "perftrack: a\nsentence of words"},
		{"what is quoted stays together", "see `perftrack help x` or so", "see\n`perftrack help x`\nor so"},
		{"what is quoted and too long does not", "see `perftrack compare main` or so", "see `perftrack\ncompare main` or so"},
		{"a quote behind one that is too long", "see `perftrack compare main` or `b c`", "see `perftrack\ncompare main` or\n`b c`"},
		{"a quote that nobody closes", "it`s a long way to go", "it`s a long way to\ngo"},
		{"commands below", "to measure:\n  cd below && perftrack run", "to measure:\n  cd below && perftrack run"},
		{"harmless", "\x1b[31mred", "\ufffd[31mred"},
	} {
		if got := WrapMessage(tt.text, 20); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.about, got, tt.want)
		}
	}
	if got := WrapMessage("no terminal, no lines that end early", 0); strings.Contains(got, "\n") {
		t.Errorf("%q", got)
	}
}

// A line that Fit has cut fits the width, contains no partial characters, and is a single line.
func TestFitLine(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text, width := hostile.Draw(t, "text"), rapid.IntRange(2, 40).Draw(t, "width")
		line := Fit(text, width)
		if !utf8.ValidString(line) || strings.ContainsAny(line, "\n\r\x1b") {
			t.Fatalf("%q is %q", text, line)
		}
		if Columns(line) > max(width, 3) { // a wide character and the ellipsis
			t.Fatalf("%q is %q, of %d columns in %d", text, line, Columns(line), width)
		}
	})
}
