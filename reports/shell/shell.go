// Package shell writes commands that can be pasted into a shell.
package shell

import (
	"fmt"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/perftrack/perftrack/reports"
)

// plainWord matches a word that shells leave unchanged. A leading ~ or = would be expanded.
var plainWord = regexp.MustCompile(`^[A-Za-z0-9_./@%+:,][A-Za-z0-9_./@%+:,=~-]*$`)

// Word quotes an external word for a command that is pasted into a shell. ok is false if the
// word is empty or contains a character that a terminal does not show.
func Word(s string) (word string, ok bool) {
	hidden := func(r rune) bool { return !unicode.IsPrint(r) }
	switch {
	case s == "" || reports.Visible(s) != s || !utf8.ValidString(s) || strings.ContainsFunc(s, hidden):
		return "", false
	case plainWord.MatchString(s):
		return s, true
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'", true
}

// Quote quotes any text as one word for a shell. In text that [Word] rejects, hidden
// characters become octal escapes, which bash, zsh and ksh understand.
func Quote(text string) string {
	switch word, ok := Word(text); {
	case ok:
		return word
	case text == "":
		return "''"
	}
	return escaped(text)
}

// Flag returns a flag with its value, preceded by a space. A value with a leading dash is
// joined to the flag by "=".
func Flag(name, value string) string {
	if strings.HasPrefix(value, "-") {
		return " --" + name + "=" + Quote(value)
	}
	return " --" + name + " " + Quote(value)
}

func escaped(text string) string {
	var b strings.Builder
	b.WriteString("$'")
	for i, r := range text {
		_, size := utf8.DecodeRuneInString(text[i:])
		switch {
		case r == '\'' || r == '\\':
			b.WriteString(`\` + string(r))
		case unicode.IsPrint(r) && (r != utf8.RuneError || size > 1):
			b.WriteRune(r)
		default:
			for _, c := range []byte(text[i : i+size]) {
				fmt.Fprintf(&b, `\%03o`, c)
			}
		}
	}
	return b.String() + "'"
}

// Command formats a command, quoting its arguments with [Word]. It returns "" if any of them cannot
// be quoted, because a wrong command is worse than a missing one.
func Command(format string, args ...string) string {
	words := make([]any, len(args))
	for i, s := range args {
		word, ok := Word(s)
		if !ok {
			return ""
		}
		words[i] = word
	}
	return fmt.Sprintf(format, words...)
}
