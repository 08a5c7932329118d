package exchange

import (
	"context"
	"errors"
	"io"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/comparison"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/fault"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/workspace"
	"github.com/perftrack/perftrack/runner/record"
	"github.com/perftrack/perftrack/store"
)

// Export writes the runs that the words name (run ids, commits, trials), or all
// runs, in the Go benchmark format without loss.
func Export(ctx context.Context, a *workspace.Session, words []string, w io.Writer) error {
	return eachRun(ctx, a, words, record.NewWriter(w).Write)
}

// SelectRuns returns the runs that the words name, or all runs.
func SelectRuns(ctx context.Context, a *workspace.Session, words []string) (runs []*record.Run, err error) {
	err = eachRun(ctx, a, words, func(r *record.Run) error {
		runs = append(runs, r)
		return nil
	})
	return runs, err
}

// eachRun calls write with one run after the other, so that a large history need not
// be in memory.
func eachRun(ctx context.Context, a *workspace.Session, words []string, write func(*record.Run) error) (err error) {
	where, err := a.Locate(ctx)
	if err != nil {
		return err
	}
	r := &comparison.Resolver{Session: a, Where: where}
	defer func() { err = errors.Join(err, r.Close()) }()
	if err := r.Open(ctx); err != nil {
		return err
	}
	ids, err := resolvedIDs(ctx, r, comparison.SplitRange(words))
	if err != nil {
		return err
	}
	for _, id := range ids {
		run, err := r.DB.Get(ctx, id)
		if errors.Is(err, store.ErrDamaged) {
			continue // see Damaged
		}
		if err != nil {
			return err
		}
		if err := write(run); err != nil {
			return err
		}
	}
	return nil
}

func resolvedIDs(ctx context.Context, r *comparison.Resolver, words []string) (ids []string, err error) {
	if len(words) == 0 {
		infos, err := r.DB.Runs(ctx, store.Filter{})
		return IDsOf(infos), err
	}
	for _, word := range words {
		if workspace.IsFile(word) {
			return nil, fault.Usagef("%s is a file: export reads the database", word)
		}
		s, err := r.Find(ctx, word)
		switch {
		case errors.Is(err, store.ErrDamaged): // the run of that id
		case err != nil:
			return nil, err
		case s.Trial != "":
			infos, err := r.DB.Runs(ctx, store.Filter{Trial: s.Trial})
			if err != nil {
				return nil, err
			}
			ids = append(ids, IDsOf(infos)...)
		case s.Commit != "":
			newest, err := s.Newest()
			if err != nil {
				return nil, err
			}
			ids = append(ids, IDsOf(newest)...)
		default:
			for _, run := range s.Runs {
				ids = append(ids, run.ID())
			}
		}
	}
	return ids, nil
}

// IDsOf returns the ids of runs.
func IDsOf(infos []record.RunInfo) []string {
	ids := make([]string, len(infos))
	for i, info := range infos {
		ids[i] = info.ID
	}
	return ids
}
