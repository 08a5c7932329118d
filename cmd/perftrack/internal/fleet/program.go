// Package fleet talks to perftrack-fleet, a separate program with the queue of a fleet of measuring
// machines.
//
// Begin with queue.go: a [Queue] is a conversation about one trial. wire.go has its messages, and
// program.go finds and prepares the program.
package fleet

import (
	"context"
	"os"
	"slices"
	"strings"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/fault"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/handover"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/workspace"
)

// program is the name of the queue's program, and module is its import path.
const (
	program = "perftrack-fleet"
	module  = "github.com/perftrack/perftrack/fleet/" + program
)

// Procedure names the way in which workers measure rounds. All rounds of a trial are measured in
// one way, so workers of another version leave its jobs alone. The number grows whenever rounds are
// measured differently.
const Procedure = "1"

// Find returns the path of perftrack-fleet: beside perftrack or in PATH, but never in the repository
// around dir. The error says how to install it.
func Find(a *workspace.Session) (string, error) {
	path, refused := handover.Find(program, handover.Locations{Self: a.Engine[0], Path: os.Getenv("PATH"), Dir: a.Dir})
	if path != "" {
		return path, nil
	}
	return "", fault.Usagef("%s", handover.NotInstalled(program, module, a.Version, refused, "the repository"))
}

// Environ returns the environment of perftrack-fleet, with the address of the database, which must
// exist.
func Environ(ctx context.Context, a *workspace.Session) ([]string, error) {
	address, err := a.DatabaseAddress(ctx)
	if err != nil {
		return nil, err
	}
	env := slices.DeleteFunc(os.Environ(), func(v string) bool { return strings.HasPrefix(v, "PERFTRACK_DB=") })
	return append(env, "PERFTRACK_DB="+address), nil
}

// Repository returns the name of the place's repository in the database, and the address from which
// workers clone it: url, or else the repository itself if the database is a file of this machine,
// or else the remote origin.
func Repository(ctx context.Context, a *workspace.Session, where workspace.Place, url string) (name, address string, err error) {
	d, err := a.Database(ctx)
	if err != nil {
		return "", "", err
	}
	name, address = d.Repository, url
	switch {
	case address != "":
	case d.IsFile():
		address = where.Repo.Root()
	default:
		if address, err = where.Repo.RemoteClone(ctx); err != nil {
			return "", "", fault.Git(err)
		}
	}
	if address == "" {
		return "", "", fault.Usagef("the repository has no remote from which workers could clone it: name its address with --repo")
	}
	if name == "" {
		name = address
	}
	return name, address, nil
}
