package fault

import (
	"fmt"
	"strings"
)

// An Error is an error with its kind, shown in JSON output as error.kind.
type Error struct {
	Kind string // usage, config, build, data, io, git or budget
	Err  error
}

// KindBuild is the kind of the errors of [Build].
const KindBuild = "build"

// Error returns the message of the wrapped error.
func (e *Error) Error() string { return e.Err.Error() }

// Unwrap returns the wrapped error.
func (e *Error) Unwrap() error { return e.Err }

// Usagef formats an error and classifies it like [Usage].
func Usagef(format string, args ...any) error { return Usage(fmt.Errorf(format, args...)) }

// Usage classifies an error as caused by a wrong command line.
func Usage(err error) error { return &Error{Kind: "usage", Err: err} }

// Config classifies an error as caused by a mistake in a configuration file.
func Config(err error) error { return &Error{Kind: "config", Err: err} }

// Build classifies an error as caused by a failed build or by a program without results.
func Build(err error) error { return &Error{Kind: KindBuild, Err: err} }

// Data classifies an error as caused by wrong or missing data, whether in the input or in the
// store.
func Data(err error) error { return &Error{Kind: "data", Err: err} }

// IO classifies an error as a failure to read or write a file, directory or database.
func IO(err error) error { return &Error{Kind: "io", Err: err} }

// Git classifies an error as caused by a failure of git or by a missing repository.
func Git(err error) error { return &Error{Kind: "git", Err: err} }

// Budget classifies an error as caused by a time budget too small for a first evaluation.
func Budget(err error) error { return &Error{Kind: "budget", Err: err} }

// FirstLine returns the first line of err's message, cut to 300 characters, because the message may
// quote text from a pull request.
func FirstLine(err error) string {
	line, _, _ := strings.Cut(strings.TrimSpace(err.Error()), "\n")
	if r := []rune(line); len(r) > 300 {
		line = string(r[:300]) + "…"
	}
	return line
}

// SomeOf joins the first three names for a message and adds the number of other names.
func SomeOf(names []string, separator string) string {
	const most = 3
	if len(names) <= most {
		return strings.Join(names, separator)
	}
	return fmt.Sprintf("%s and %d more", strings.Join(names[:most], separator), len(names)-most)
}
