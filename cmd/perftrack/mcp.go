package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/fault"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/handover"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/workspace"
	"github.com/perftrack/perftrack/runner/proc"
)

// agentServer is the program that serves agents, and where its source is.
const (
	agentServer       = "perftrack-mcp"
	agentServerModule = "github.com/perftrack/perftrack/mcp/" + agentServer
)

func newMCPCommand(g *globals) *cobra.Command {
	var dir string
	cmd := &cobra.Command{
		Use:   "mcp",
		Short: "Serve agents and editors, over the Model Context Protocol",
		Long: `Serve agents and editors, over the Model Context Protocol on stdin and stdout.

They call list, check, verdict, compare, history, steps, explain and doctor as tools, and
get the JSON documents of these commands. What a call names is confined to the
repository. perftrack help mcp says how clients are set up.

The server is perftrack-mcp, a program of its own, which takes over. Install it with

  go install github.com/perftrack/perftrack/mcp/perftrack-mcp@latest

or take it from a release. It is looked for beside perftrack and in PATH, and never in
the repository that is served.
` + exitStatus,
		Example: `  perftrack mcp
  perftrack mcp --dir ~/src/project`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			a, err := g.start(cmd, refuseEmpty(cmd, "dir"))
			if err != nil {
				return err
			}
			if dir, err = filepath.Abs(dir); err != nil {
				return fmt.Errorf("find the directory to serve: %w", err)
			}
			self := a.Engine[0]
			path, refused := handover.Find(agentServer, handover.Places{Self: self, Path: os.Getenv("PATH"), Dir: dir})
			if path == "" {
				return fault.Usagef("%s", notInstalled(refused, handover.Version(a.Version)))
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

// keepDatabase tells the server which database the user named, wherever that is started.
func keepDatabase(ctx context.Context, a *workspace.Session) error {
	if a.DB == "" {
		return nil
	}
	path, err := a.DatabasePath(ctx)
	if err != nil {
		return err
	}
	return os.Setenv("PERFTRACK_DB", path)
}

// notInstalled says how the server is installed.
func notInstalled(refused []string, version string) string {
	text := fmt.Sprintf("%s is not installed: go install %s@%s", agentServer, agentServerModule, version)
	if len(refused) > 0 {
		text += fmt.Sprintf(" (not run, because the repository that is served may have put it there: %s)", strings.Join(refused, ", "))
	}
	return text
}
