package main

import (
	"fmt"

	"github.com/spf13/cobra"
)

func newHelpCommand(g *globals) *cobra.Command {
	return &cobra.Command{
		Use:   "help [COMMAND...]",
		Short: "Show how a command is used",
		Long:  "Show how a command is used, as its --help does; without one, what commands there are.\n" + exitStatus,
		Example: `  perftrack help check
  perftrack help bisect-helper auto`,
		RunE: func(cmd *cobra.Command, args []string) error {
			of, err := findCommand(cmd, args)
			if err != nil {
				return err
			}
			of.InitDefaultHelpFlag() // which it lists
			of.InitDefaultVersionFlag()
			return of.Help()
		},
	}
}

// findCommand returns the command with the path that was typed after help or man.
func findCommand(cmd *cobra.Command, path []string) (*cobra.Command, error) {
	of := cmd.Root()
	for _, word := range path {
		next, _, err := of.Find([]string{word})
		if err != nil || next == of {
			return nil, &usageError{meantCommand(of, []string{word}, fmt.Errorf("unknown command %q for %q", word, of.CommandPath())), cmd.CommandPath()}
		}
		of = next
	}
	return of, nil
}
