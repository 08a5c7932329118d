package main

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/perftrack/perftrack/runner/spelling"
)

// meantCommand adds to the complaint about a word after c which command of c it may be.
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

// meantFlag adds to the complaint about a flag of c which one it may be, also one that was typed
// with one dash, as go test has it.
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
			return fmt.Errorf("%w: -cpu of go test is --procs here, as in %s --procs 1,2,4; --cpus pins to CPUs", err, c.CommandPath())
		case flags.Lookup("cpus") != nil:
			return fmt.Errorf("%w: at which GOMAXPROCS a benchmark is measured its name says, as Sort-4 of run --procs 1,4; --cpus pins to CPUs", err)
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

// ofGoTest says what a flag of go test is for a command that measures, where its name does not;
// "" of others.
func ofGoTest(c *cobra.Command, typed string) string {
	has := func(flag string) bool { return c.Flags().Lookup(flag) != nil }
	switch {
	case !has("bench"):
	case typed == "benchmem":
		return "B/op and allocs/op are always measured"
	case typed == "v":
		return "there is no more to show than is shown; --quiet shows less"
	case typed == "run":
		return "no tests are run here, and benchmarks are selected with --bench"
	case typed == "count" && has("rounds"):
		return "-count of go test is --rounds here"
	case typed == "count":
		return "how many rounds it takes is found out while measuring; --budget bounds the time"
	}
	return ""
}
