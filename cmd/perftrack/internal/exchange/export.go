package exchange

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/comparison"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/fault"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/workspace"
	"github.com/perftrack/perftrack/runner/record"
	"github.com/perftrack/perftrack/store"
)

// Export writes runs to w in the Go benchmark format, without loss. words select the runs by run
// id, commit or trial; without words, Export writes all runs.
func Export(ctx context.Context, a *workspace.Session, words []string, w io.Writer) error {
	return eachRun(ctx, a, words, record.NewWriter(w).Write)
}

// SelectRuns returns the runs selected by words, or all runs if there are no words.
func SelectRuns(ctx context.Context, a *workspace.Session, words []string) (runs []*record.Run, err error) {
	err = eachRun(ctx, a, words, func(r *record.Run) error {
		r.Normalize()
		runs = append(runs, r)
		return nil
	})
	return runs, err
}

// eachRun calls write for each selected run in turn, so a large history is never in memory all at
// once.
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
	if len(words) == 0 {
		infos, err := r.DB.Runs(ctx, store.Filter{})
		if err != nil {
			return err
		}
		return r.DB.Each(ctx, infos, func(info record.RunInfo, run *record.Run) error {
			if err := checkID(info.ID, run); err != nil {
				r.DB.NoteDamaged(info.ID, err)
				return nil
			}
			return write(run)
		})
	}
	ids, err := resolvedIDs(ctx, r, comparison.SplitRange(words))
	if err != nil {
		return err
	}
	for _, id := range ids {
		run, err := r.DB.Get(ctx, id)
		if err == nil {
			if err = checkID(id, run); err != nil {
				r.DB.NoteDamaged(id, err)
			}
		}
		if errors.Is(err, store.ErrDamaged) {
			continue // reported by Damaged
		}
		if err == nil {
			err = write(run)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// checkID returns an error if the content of a run does not have the hash that is its id.
func checkID(id string, run *record.Run) error {
	if got := run.ID(); got != id {
		return fmt.Errorf("run %s: %w: its content has the hash %s: see `perftrack db verify`", id, store.ErrDamaged, got)
	}
	return nil
}

func resolvedIDs(ctx context.Context, r *comparison.Resolver, words []string) (ids []string, err error) {
	for _, word := range words {
		if workspace.IsFile(word) {
			return nil, fault.Usagef("%s is a file, but export reads the database", word)
		}
		s, err := r.Find(ctx, word)
		switch {
		case errors.Is(err, store.ErrDamaged): // word is the id of a damaged run, which eachRun would skip
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
