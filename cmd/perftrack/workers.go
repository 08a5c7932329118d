package main

import (
	"errors"

	"github.com/spf13/cobra"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/helptext"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/remote"
)

const repoUsage = "`address` from which workers clone the repository (default the remote origin, or its path if the database is a file)"

// addWorkersFlags declares the flags of a command that lets workers measure past commits.
func addWorkersFlags(cmd *cobra.Command, w *remote.Workers) {
	f := cmd.Flags()
	f.StringVar(&w.Class, "workers", "", "let the workers of this `class` measure: see perftrack help scaling")
	f.StringVar(&w.URL, "repo", "", repoUsage)
}

// checkWorkers returns an error if flags for workers contradict each other.
func checkWorkers(cmd *cobra.Command) error {
	changed := cmd.Flags().Changed
	switch {
	case changed("repo") && !changed("workers"):
		return errors.New("--repo needs --workers")
	case changed("cpus") && changed("workers"):
		return errors.New("--cpus and --workers exclude each other: workers have CPUs of their own, see perftrack worker --cpus")
	}
	return helptext.RefuseEmpty(cmd, "workers", "repo")
}
