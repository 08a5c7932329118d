package reports

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// visible replaces whatever is no visible character in a terminal or to a reader: control
// and format characters (ESC, bidirectional overrides), line and paragraph separators,
// broken UTF-8. It also breaks the mark by which the runner of GitHub Actions finds
// commands anywhere in a log.
func visible(s string) string {
	s = strings.ReplaceAll(s, "##[", "#♯[")
	ok := utf8.ValidString(s) && !strings.ContainsFunc(s, invisible)
	if ok {
		return s
	}
	return strings.Map(func(r rune) rune {
		if invisible(r) {
			return utf8.RuneError
		}
		return r
	}, strings.ToValidUTF8(s, string(utf8.RuneError)))
}

func invisible(r rune) bool {
	return unicode.In(r, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp)
}

// logLine keeps a line from being a command to the runner of GitHub Actions, which takes
// commands from the start of a log line, after any of Unicode's spaces.
func logLine(s string) string {
	if rest := strings.TrimLeftFunc(s, unicode.IsSpace); strings.HasPrefix(rest, "::") {
		return s[:len(s)-len(rest)] + "∶" + rest[1:]
	}
	return s
}

// Message makes lines that quote words from outside harmless in a terminal and in the log
// of a CI job. Line ends stay.
func Message(text string) string {
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		lines[i] = logLine(visible(strings.ReplaceAll(line, "\t", "    ")))
	}
	return strings.Join(lines, "\n")
}

// maxCode is the longest name that a code span keeps whole, in characters.
const maxCode = 120

// CodeSpan makes words from outside harmless in GitHub's Markdown. In a code span neither
// mentions nor links nor HTML work, and neither of the two characters that could end the
// span or its table cell is left in it. A name that is too long is visibly cut in the
// middle, because its ends tell it from others.
func CodeSpan(s string) string {
	return "`" + strings.NewReplacer("|", "│", "`", "ˋ").Replace(Printable(s)) + "`"
}

// codeSpan makes the words of a column of code harmless, cut if they are too long and may be.
func codeSpan(s string, whole bool) string {
	if whole && s != "" {
		return "`" + strings.NewReplacer("|", "│", "`", "ˋ").Replace(visible(s)) + "`"
	}
	return CodeSpan(s)
}

// Printable is a name from outside as a reader sees it: in one line, of visible characters,
// never empty, and cut in the middle if it is too long. It is not escaped for any format.
func Printable(s string) string {
	s = visible(s)
	if r := []rune(s); len(r) > maxCode {
		s = string(r[:maxCode*2/3]) + "…" + string(r[len(r)-(maxCode-maxCode*2/3-1):])
	}
	if strings.TrimSpace(s) == "" {
		s = "(empty)"
	}
	return s
}

// Prose escapes perftrack's own words for GitHub's Markdown, so that a star or a bracket
// stands for itself.
func Prose(s string) string {
	var b strings.Builder
	for _, r := range visible(s) {
		if strings.ContainsRune("\\`*_[]<>|#~&@", r) {
			b.WriteByte('\\')
		}
		b.WriteRune(r)
	}
	return b.String()
}

// formula reports whether a spreadsheet would run the text as a formula.
func formula(s string) bool {
	return s != "" && strings.ContainsRune("=+-@\t\r", rune(s[0]))
}
