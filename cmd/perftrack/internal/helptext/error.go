package helptext

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"
)

// An Error reports a mistake in the command line.
type Error struct {
	Err     error
	Command string // the command with help about it
}

func (e *Error) Error() string {
	return fmt.Sprintf("%v (see `%s --help`)", e.Err, e.Command)
}

func (e *Error) Unwrap() error { return e.Err }

// NameErrors makes cmd and its subcommands turn every error about the command line into an [Error]
// with a reference to the command's help.
func NameErrors(cmd *cobra.Command) {
	cmd.SetFlagErrorFunc(func(c *cobra.Command, err error) error {
		return &Error{meantFlag(c, err), c.CommandPath()}
	})
	if check := cmd.Args; check != nil {
		cmd.Args = func(c *cobra.Command, args []string) error {
			if err := check(c, args); err != nil {
				return &Error{meantCommand(c, args, err), c.CommandPath()}
			}
			return nil
		}
	}
	for _, sub := range cmd.Commands() {
		NameErrors(sub)
	}
}

// OneOf returns an error unless value, the value of a flag, is one of words.
func OneOf(flag, value string, words ...string) error {
	for _, w := range words {
		if value == w {
			return nil
		}
	}
	last := len(words) - 1
	return fmt.Errorf("--%s %q is not %s or %s", flag, value, strings.Join(words[:last], ", "), words[last])
}

// RefuseEmpty returns an error if one of the named flags was given an empty value.
func RefuseEmpty(cmd *cobra.Command, names ...string) error {
	for _, name := range names {
		if f := cmd.Flags().Lookup(name); f != nil && f.Changed && f.Value.String() == "" {
			return fmt.Errorf("--%s is empty: is a variable unset?", name)
		}
	}
	return nil
}

// BenchUsage is the help text of --bench in every command.
const BenchUsage = "only benchmarks that match `regexp`, as in go test -bench"
