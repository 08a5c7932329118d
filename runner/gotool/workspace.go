package gotool

import (
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"

	"github.com/perftrack/perftrack/runner/build"
	"github.com/perftrack/perftrack/runner/proc"
)

// WorkspaceModules returns the directories of the modules in the go.work file in dir, as
// slash-separated paths relative to dir.
func WorkspaceModules(ctx context.Context, dir string) ([]string, error) {
	// The file is named explicitly, because GOWORK may disable workspaces or name another file.
	out, err := build.Step(ctx, "the list of modules in go.work",
		proc.Command{Argv: []string{"go", "work", "edit", "-json", "go.work"}, Dir: dir})
	if err != nil {
		return nil, err
	}
	var work struct{ Use []struct{ DiskPath string } }
	if err := json.Unmarshal(out, &work); err != nil {
		return nil, fmt.Errorf("read go.work: %w", err)
	}
	var modules []string
	for _, use := range work.Use {
		at := filepath.Clean(filepath.FromSlash(use.DiskPath))
		if filepath.IsAbs(at) {
			if at, err = filepath.Rel(dir, at); err != nil {
				return nil, fmt.Errorf("read go.work: %w", err)
			}
		}
		modules = append(modules, filepath.ToSlash(at))
	}
	return modules, nil
}

// Workspace returns the path of the go.work file used for builds in dir, or "" if there is no such
// file or GOWORK disables workspaces.
func Workspace(ctx context.Context, dir string) (string, error) {
	env, err := Env(ctx, dir, "GOWORK")
	if work := env["GOWORK"]; work != "off" {
		return work, err
	}
	return "", err
}
