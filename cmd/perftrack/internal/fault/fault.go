package fault

import (
	"fmt"
	"strings"
)

// An Error is an error with its class, which stands in JSON as error.kind.
type Error struct {
	Kind string // usage, config, build, data, io, git, budget
	Err  error
}

// KindBuild is the kind of [Build].
const KindBuild = "build"

// Error returns the message of the cause.
func (e *Error) Error() string { return e.Err.Error() }

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// Usagef returns the error of a command line that cannot be carried out.
func Usagef(format string, args ...any) error { return Usage(fmt.Errorf(format, args...)) }

// Usage returns the error of a command line that cannot be carried out.
func Usage(err error) error { return &Error{Kind: "usage", Err: err} }

// Config returns the error of a configuration file that cannot be used.
func Config(err error) error { return &Error{Kind: "config", Err: err} }

// Build returns the error of a program that was not built, or measured nothing.
func Build(err error) error { return &Error{Kind: KindBuild, Err: err} }

// Data returns the error of input or stored data that is not what was asked for.
func Data(err error) error { return &Error{Kind: "data", Err: err} }

// IO returns the error of a file, a directory or a database that cannot be read or written.
func IO(err error) error { return &Error{Kind: "io", Err: err} }

// Git returns the error of git, or of a repository that is not there.
func Git(err error) error { return &Error{Kind: "git", Err: err} }

// Budget returns the error of a budget that was too small for a first look.
func Budget(err error) error { return &Error{Kind: "budget", Err: err} }

// FirstLine returns the first line of an error, cut to 300 characters, for a place that has
// no more room. It may quote what a pull request wrote.
func FirstLine(err error) string {
	line, _, _ := strings.Cut(strings.TrimSpace(err.Error()), "\n")
	if r := []rune(line); len(r) > 300 {
		line = string(r[:300]) + "…"
	}
	return line
}

// SomeOf returns the first three names of a list, for a message, and how many more there
// are.
func SomeOf(names []string, separator string) string {
	const most = 3
	if len(names) <= most {
		return strings.Join(names, separator)
	}
	return fmt.Sprintf("%s and %d more", strings.Join(names[:most], separator), len(names)-most)
}
