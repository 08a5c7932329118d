package helptext

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/perftrack/perftrack/runner/spelling"
)

// meantCommand adds a suggestion to the error about an unknown command.
func meantCommand(c *cobra.Command, args []string, err error) error {
	if len(args) == 1 && len(c.ValidArgs) > 0 {
		return meant(fmt.Errorf("%w: one of %s", err, strings.Join(c.ValidArgs, ", ")), spelling.Nearest(args[0], c.ValidArgs))
	}
	if len(args) == 0 || !c.HasAvailableSubCommands() {
		return err
	}
	return meant(err, spelling.Nearest(args[0], commandNames(c)))
}

func commandNames(c *cobra.Command) (names []string) {
	for _, sub := range c.Commands() {
		if !sub.Hidden {
			names = append(append(names, sub.Name()), sub.Aliases...)
		}
	}
	return names
}

// meantFlag adds a suggestion to the error about an unknown flag. It also handles flags of go test,
// with a single dash.
func meantFlag(c *cobra.Command, err error) error {
	var unknown *pflag.NotExistError
	if !errors.As(err, &unknown) {
		return err
	}
	typed := unknown.GetSpecifiedName()
	if short := unknown.GetSpecifiedShortnames(); short != "" {
		if typed, _, _ = strings.Cut(short, "="); len(typed) < 3 {
			if words := ofGoTest(c, typed); words != "" {
				return fmt.Errorf("%w: %s", err, words)
			}
			return err
		}
		err = fmt.Errorf("unknown flag: -%s", typed)
	}
	if typed == "cpu" {
		switch flags := c.Flags(); {
		case flags.Lookup("procs") != nil:
			return fmt.Errorf("%w: for go test's -cpu use --procs, as in %s --procs 1,2,4; --cpus pins to CPUs", err, c.CommandPath())
		case flags.Lookup("cpus") != nil:
			return fmt.Errorf("%w: a name's -N suffix is its GOMAXPROCS, as in Sort-4 from run --procs 1,4; --cpus pins to CPUs", err)
		}
	}
	if words := ofGoTest(c, typed); words != "" {
		return fmt.Errorf("%w: %s", err, words)
	}
	var names []string
	c.Flags().VisitAll(func(f *pflag.Flag) {
		if !f.Hidden && f.Deprecated == "" {
			names = append(names, f.Name)
		}
	})
	near := spelling.Nearest(typed, names)
	if near != "" {
		near = "--" + near
	}
	return meant(err, near)
}

func meant(err error, near string) error {
	if near == "" {
		return err
	}
	return fmt.Errorf("%w: did you mean %s?", err, near)
}

// ofGoTest names the replacement for a flag of go test in a measuring command. It returns "" for
// other flags and commands.
func ofGoTest(c *cobra.Command, typed string) string {
	has := func(flag string) bool { return c.Flags().Lookup(flag) != nil }
	switch {
	case !has("bench"):
	case typed == "benchmem":
		return "B/op and allocs/op are always measured"
	case typed == "v":
		return "perftrack always shows everything; --quiet shows less"
	case typed == "run":
		return "perftrack runs no tests; select benchmarks with --bench"
	case typed == "count" && has("rounds"):
		return "for go test's -count use --rounds"
	case typed == "count":
		return "the number of rounds depends on the results; limit the time with --budget"
	}
	return ""
}
