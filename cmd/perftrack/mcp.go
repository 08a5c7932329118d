package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/fault"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/handover"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/helptext"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/workspace"
	"github.com/perftrack/perftrack/runner/proc"
)

// agentServer is the name of the MCP server program, and agentServerModule is its import path.
const (
	agentServer       = "perftrack-mcp"
	agentServerModule = "github.com/perftrack/perftrack/mcp/" + agentServer
)

func newMCPCommand(g *globals) *cobra.Command {
	var dir string
	cmd := &cobra.Command{
		Use:   "mcp",
		Short: "Serve agents and editors, over the Model Context Protocol",
		Long: `Serve agents and editors over the Model Context Protocol, on stdin and stdout.

The tools list, check, verdict, compare, history, steps, explain and doctor return the JSON
documents of the commands. A call cannot leave the repository. perftrack help mcp explains
how to set up clients.

mcp starts perftrack-mcp, a separate program, from the folder of perftrack or from PATH,
never from the repository. Install it with

  go install github.com/perftrack/perftrack/mcp/perftrack-mcp@latest
` + exitStatus,
		Example: `  perftrack mcp
  perftrack mcp --dir ~/src/project`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			a, err := g.start(cmd, helptext.RefuseEmpty(cmd, "dir"))
			if err != nil {
				return err
			}
			if dir, err = filepath.Abs(dir); err != nil {
				return fmt.Errorf("find the directory to serve: %w", err)
			}
			self := a.Engine[0]
			path, refused := handover.Find(agentServer, handover.Locations{Self: self, Path: os.Getenv("PATH"), Dir: dir})
			if path == "" {
				return fault.Usagef("%s", handover.NotInstalled(agentServer, agentServerModule, a.Version, refused, "the served repository"))
			}
			if err := keepDatabase(cmd.Context(), a); err != nil {
				return err
			}
			proc.Dismiss()
			return fault.IO(handover.Exec(path, []string{"-perftrack", self, "-dir", dir}, os.Environ()))
		},
	}
	cmd.Flags().StringVar(&dir, "dir", ".", "serve the repository around this `directory`")
	return cmd
}

// keepDatabase passes the user's choice of the database to the server in an environment variable.
func keepDatabase(ctx context.Context, a *workspace.Session) error {
	if a.DB == "" {
		return nil
	}
	address, err := a.DatabaseAddress(ctx)
	if err != nil {
		return err
	}
	return os.Setenv("PERFTRACK_DB", address)
}
