// Package remote measures two commits on the workers of a fleet, for commands that decide by
// themselves how many rounds they need: the search for a commit and the backfill.
//
// Begin with rounds.go: [Rounds.Measure] measures rounds of one target. fleet.go names the workers,
// and failed.go says why they could not measure.
package remote

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/fleet"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/measure"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/stretch"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/workspace"
	"github.com/perftrack/perftrack/runner"
	"github.com/perftrack/perftrack/runner/config"
)

// Workers says which machines measure.
type Workers struct {
	Class string // "" means this machine
	URL   string // where they clone the repository; "" means its remote, or its own path
}

// A Fleet is the workers of a class, measuring one repository.
type Fleet struct {
	Staff *fleet.Staff

	session         *workspace.Session
	where           workspace.Place
	repository, url string // see fleet.Repository
}

// Open returns the fleet for the repository at a place.
func (w Workers) Open(ctx context.Context, a *workspace.Session, where workspace.Place) (*Fleet, error) {
	f := &Fleet{Staff: fleet.NewStaff(a, w.Class), session: a, where: where}
	var err error
	f.repository, f.url, err = fleet.Repository(ctx, a, where, w.URL)
	return f, err
}

// A Pair is two commits to measure against each other.
type Pair struct {
	Target     config.Target
	Flags      measure.Flags // its list of CPUs does not count: each worker has its own
	Base, Head string        // hashes of the commits
	Priority   string        // one of those of package fleet
}

// describe returns the trial of a pair for the queue.
func (f *Fleet) describe(p Pair, id string) (fleet.Trial, error) {
	plain, err := stretch.PlainOf(f.where, p.Target)
	return fleet.Trial{
		ID: id, Repository: f.repository, URL: f.url, Dir: ".", Base: p.Base, Head: p.Head,
		Class: f.Staff.Class, Procedure: fleet.Procedure, Priority: p.Priority,
		Flags: append(flags(p.Flags, p.Target), "--plain="+plain.String()),
	}, err
}

// flags returns the flags of `perftrack rounds`. GOMAXPROCS is a setting of the target already.
func flags(f measure.Flags, t config.Target) (args []string) {
	for _, of := range [][2]string{
		{"bench", f.Bench}, {"suite", f.Suite}, {"benchtime", cmp.Or(f.Benchtime, t.Benchtime, runner.TrialBenchtime)}, {"pairs", f.Pairs},
	} {
		if of[1] != "" {
			args = append(args, "--"+of[0]+"="+of[1])
		}
	}
	if f.Timeout > 0 {
		args = append(args, fmt.Sprintf("--timeout=%v", f.Timeout))
	}
	if f.Isolate {
		args = append(args, "--isolate")
	}
	return args
}

// TrialID returns the id of the trial of a pair. It is the same for the same measurement, so a later
// process continues what an earlier one began.
func (f *Fleet) TrialID(prefix string, p Pair) (string, error) {
	t, err := f.describe(p, "")
	if err != nil {
		return "", err
	}
	text, err := json.Marshal(t)
	sum := sha256.Sum256(text)
	return fmt.Sprintf("%s-%.7s-%.7s-%x", prefix, p.Base, p.Head, sum[:6]), err
}
