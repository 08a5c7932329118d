package main

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/perftrack/perftrack/runner/spelling"
)

// meantCommand adds to the complaint about a word after c which command of c it may be.
func meantCommand(c *cobra.Command, args []string, err error) error {
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

// meantFlag adds to the complaint about a flag of c which one it may be.
func meantFlag(c *cobra.Command, err error) error {
	var unknown *pflag.NotExistError
	if !errors.As(err, &unknown) || unknown.GetSpecifiedShortnames() != "" {
		return err
	}
	if unknown.GetSpecifiedName() == "cpu" && c.Flags().Lookup("cpus") != nil {
		return fmt.Errorf("%w: what -cpu of go test sets is GOMAXPROCS, each value an environment of its own: GOMAXPROCS=2 %s; --cpus pins to CPUs", err, c.CommandPath())
	}
	var names []string
	c.Flags().VisitAll(func(f *pflag.Flag) {
		if !f.Hidden && f.Deprecated == "" {
			names = append(names, f.Name)
		}
	})
	near := spelling.Nearest(unknown.GetSpecifiedName(), names)
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
