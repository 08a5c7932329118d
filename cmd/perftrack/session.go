package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/buildinfo"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/fault"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/helptext"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/history"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/measure"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/measure/measureflags"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/outputs"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/pages"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/sources"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/workspace"
	"github.com/perftrack/perftrack/reports"
	"github.com/perftrack/perftrack/runner/proc"
	"github.com/perftrack/perftrack/runner/record"
)

// now is the clock of the session; tests replace it.
var now = time.Now

// start returns the session for the current directory. It returns an error if one of checks is an
// error or the value of a flag is invalid.
func (g *globals) start(cmd *cobra.Command, checks ...error) (*workspace.Session, error) {
	checks = append(checks, measureflags.Check(cmd, g.values()), helptext.OneOf("color", g.term.Color, "auto", "always", "never"))
	if err := errors.Join(checks...); err != nil {
		return nil, &helptext.Error{Err: err, Command: cmd.CommandPath()}
	}
	if err := outputs.Prepare(g.term.Files); err != nil {
		g.term.Files = nil
		return nil, fault.IO(err)
	}
	dir, err := os.Getwd()
	if err != nil {
		return nil, fmt.Errorf("find the current directory: %w", err)
	}
	exe, err := os.Executable()
	if err != nil {
		return nil, fmt.Errorf("find perftrack's own binary: %w", err)
	}
	seed := uint64(time.Now().UnixNano())
	a := g.session
	a.Dir, a.DB, a.Stdin = dir, cmp.Or(a.DB, os.Getenv("PERFTRACK_DB")), g.term.Stdin
	a.Version, a.Commit, a.CommitDirty = buildinfo.Version(), buildinfo.Commit(), buildinfo.Dirty()
	a.Engine, a.Command = []string{exe, engineArg}, typed(cmd)
	a.Now, a.Rand = now, rand.New(rand.NewPCG(seed, uint64(os.Getpid())))
	a.Progress, a.Milestone, a.Notice, a.Reading = g.term.Progress, g.term.Milestone, g.term.Notice, g.term.Reading
	if cache, err := os.UserCacheDir(); err == nil { // otherwise nothing is cached
		a.Cache = filepath.Join(cache, "perftrack", "pages")
	}
	if err := isolate(cmd, g); err != nil {
		return nil, err
	}
	g.term.Ticks = true
	g.term.Damaged, g.term.Command = a.Damaged, cmd.CommandPath()
	g.term.Finish = func(ctx context.Context) { keepHistories(ctx, a) }
	g.term.Places = sync.OnceValue(func() func(string, record.BenchmarkID) reports.Place {
		return sources.PlacesIn(context.WithoutCancel(cmd.Context()), a)
	})
	return a, nil
}

// manyPoints is [history.ManyPoints]; tests lower it.
var manyPoints = history.ManyPoints

// keepHistories stores the summaries of all histories if the command wrote to the database. They
// only save time, so nothing fails without them.
func keepHistories(ctx context.Context, a *workspace.Session) {
	if !a.Wrote || ctx.Err() != nil {
		return
	}
	stored, err := history.Keep(ctx, a, manyPoints)
	if err == nil && stored {
		err = pages.Keep(ctx, a)
	}
	if err != nil {
		a.Noticef("keep summaries of the histories: %v", err)
	}
}

// isolate prepares for benchmarks that the flag or perftrack.toml may isolate: it lists the
// database files to hide from them. If the flag is given but this machine cannot isolate
// benchmarks, it returns an error.
func isolate(cmd *cobra.Command, g *globals) error {
	ctx := cmd.Context()
	if cmd.Flag("isolate") == nil {
		return nil
	}
	if g.flags.Isolate {
		if err := proc.Boxable(ctx); err != nil {
			return fault.IO(err)
		}
	}
	if path, err := g.session.DatabasePath(ctx); err == nil { // on an error, the command will report it
		g.flags.Hidden = measure.DatabaseFiles(path)
	}
	return nil
}

// typed returns the command line without flags, truncated to 100 characters.
func typed(cmd *cobra.Command) string {
	const longest = 100
	text := []rune(cmd.CommandPath() + " " + strings.Join(cmd.Flags().Args(), " "))
	return strings.TrimSpace(string(text[:min(len(text), longest)]))
}
