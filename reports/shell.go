package reports

import (
	"regexp"
	"strings"
)

// plainWord matches what a shell takes as it is. A leading dash would be a flag to the command.
var plainWord = regexp.MustCompile(`^[A-Za-z0-9_./@%+:,][A-Za-z0-9_./=,:@%+-]*$`)

// ShellWord quotes a word from outside for a command that is shown to be pasted into a shell.
// ok is false for one that no line can hold as it is: with a control character, or one that
// looks like something else.
func ShellWord(s string) (word string, ok bool) {
	switch {
	case s == "" || visible(s) != s || strings.HasPrefix(s, "-"):
		return "", false
	case plainWord.MatchString(s):
		return s, true
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'", true
}
