package site

import (
	"cmp"
	"fmt"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/perftrack/perftrack/compare/steps"
	"github.com/perftrack/perftrack/runner/record"
)

// A Place is what a command needs to know of a step: of which benchmark, and the hashes of the
// commits around it.
type Place struct {
	Target string
	record.BenchmarkID
	Unit         string // as stored: ns/op
	After, UpTo  string
	Found        steps.Found // what a bisection found there
	Commits      int         // in the range, 0 where this repository does not have them
	Drift        int
	OneTarget    bool // there is no other target
	DefaultUnits bool // the unit is the benchmark's time
}

// AcceptCommand returns the command that says that a step was intended; "" where no commit is
// known. Its reason is left to whoever types it: perftrack refuses an empty one.
func AcceptCommand(p Place) string {
	if p.UpTo == "" {
		return ""
	}
	name := p.Name
	if p.Package != "" {
		name = p.Package + "." + p.Name // exactly this one, whatever other package has the name
	}
	commit := cmp.Or(p.Found.Commit, p.UpTo)
	if p.Commits > 0 || p.Found.Commit != "" {
		commit = record.ShortHash(commit)
	}
	command := "perftrack accept"
	if !strings.HasPrefix(name, "-") {
		command += " " + Argument(name)
	}
	if !p.OneTarget {
		command += option("target", p.Target)
	}
	command += option("commit", commit) + ` --reason ""`
	if strings.HasPrefix(name, "-") {
		command += " -- " + Argument(name)
	}
	return command
}

// FindCommand returns the command that finds the commit of a step: the one that searches it
// or, of a single commit, says why, or of a drift measures both of its ends together. It is ""
// where this repository does not have the commits.
func FindCommand(p Place) string {
	if p.Found.Commit != "" {
		return fmt.Sprintf("perftrack explain %s %s%s", record.ShortHash(p.Found.Before), record.ShortHash(p.Found.Commit), option("bench", p.Name))
	}
	if p.UpTo == "" || p.After == "" || p.Commits == 0 {
		return ""
	}
	after, upTo := record.ShortHash(p.After), record.ShortHash(p.UpTo)
	flags := option("bench", p.Name)
	switch {
	case p.Drift > 0:
		return "perftrack run" + target(p) + option("rev", upTo) + option("against", after) + flags
	case p.Commits == 1:
		return fmt.Sprintf("perftrack explain %s %s%s", after, upTo, flags)
	}
	if p.Package != "" {
		flags += option("package", p.Package)
	}
	if !p.DefaultUnits {
		flags += option("unit", p.Unit)
	}
	if !p.OneTarget {
		flags += option("target", p.Target)
	}
	return fmt.Sprintf("perftrack bisect-helper auto %s..%s%s", after, upTo, flags)
}

func target(p Place) string {
	if p.OneTarget || p.Target == "" {
		return ""
	}
	return " " + Argument(p.Target)
}

// option is a flag with its value, in one word where the value may look like a flag.
func option(name, value string) string {
	if strings.HasPrefix(value, "-") {
		return " --" + name + "=" + Argument(value)
	}
	return " --" + name + " " + Argument(value)
}

var harmless = regexp.MustCompile(`^[A-Za-z0-9_][A-Za-z0-9_./=,:+@%-]*$`)

// Argument quotes text so that a shell takes it for one word, which is exactly the text. What
// a terminal does not show as it is, such as a cursor movement or a change of the direction of
// writing, stands as an escape that bash, zsh and ksh read.
func Argument(text string) string {
	if harmless.MatchString(text) {
		return text
	}
	for i, r := range text {
		_, size := utf8.DecodeRuneInString(text[i:])
		if !unicode.IsPrint(r) || r == utf8.RuneError && size == 1 {
			return escaped(text)
		}
	}
	return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'"
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
