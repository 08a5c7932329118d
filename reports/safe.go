package reports

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Visible replaces invisible characters: control and format characters (ESC, bidirectional
// overrides), line and paragraph separators, and invalid UTF-8. It also breaks up ##[, which starts
// a command in the logs of GitHub Actions.
func Visible(s string) string {
	s = strings.ReplaceAll(s, "##[", "#♯[")
	if printableASCII(s) {
		return s
	}
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

func printableASCII(s string) bool {
	for i := range len(s) {
		if s[i] < ' ' || s[i] > '~' {
			return false
		}
	}
	return true
}

func invisible(r rune) bool {
	return unicode.In(r, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp)
}

// logLine keeps a line from being read as a command by GitHub Actions, which looks for commands at
// the start of log lines, after any Unicode white space.
func logLine(s string) string {
	if rest := strings.TrimLeftFunc(s, unicode.IsSpace); strings.HasPrefix(rest, "::") {
		return s[:len(s)-len(rest)] + "∶" + rest[1:]
	}
	return s
}

// Message makes lines with external text safe for a terminal and the log of a CI job. It keeps line
// breaks.
func Message(text string) string {
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		lines[i] = logLine(Visible(strings.ReplaceAll(line, "\t", "    ")))
	}
	return strings.Join(lines, "\n")
}

// maxCode is the maximum length in characters of a name in a code span. Longer names are cut.
const maxCode = 120

// CodeSpan makes external text safe in GitHub's Markdown. A code span has no mentions, links or
// HTML. The two characters that could end the span or its table cell are replaced. A long name is
// cut in the middle, because its ends distinguish it.
func CodeSpan(s string) string {
	return "`" + strings.NewReplacer("|", "│", "`", "ˋ").Replace(Printable(s)) + "`"
}

// codeSpan makes the text of a cell in a Code column safe. It cuts long text unless whole is set.
func codeSpan(s string, whole bool) string {
	if whole && s != "" {
		return "`" + strings.NewReplacer("|", "│", "`", "ˋ").Replace(Visible(s)) + "`"
	}
	return CodeSpan(s)
}

// Printable returns an external name as one line of visible characters. The result is never empty,
// and it is cut in the middle if it is too long. It is not escaped for any format.
func Printable(s string) string {
	s = Visible(s)
	if r := []rune(s); len(r) > maxCode {
		s = string(r[:maxCode*2/3]) + "…" + string(r[len(r)-(maxCode-maxCode*2/3-1):])
	}
	if strings.TrimSpace(s) == "" {
		s = "(empty)"
	}
	return s
}

// Prose escapes perftrack's own words for GitHub's Markdown, so that stars and brackets are shown
// literally.
func Prose(s string) string {
	var b strings.Builder
	for _, r := range Visible(s) {
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
