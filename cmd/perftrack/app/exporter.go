package app

import (
	"context"
	"errors"
	"io"

	"github.com/perftrack/perftrack/runner/record"
	"github.com/perftrack/perftrack/store"
)

// Export writes the runs that the words mean (run ids, commits, trials), or all
// runs, in the Go benchmark format without loss.
func Export(ctx context.Context, a *App, words []string, w io.Writer) error {
	return eachRun(ctx, a, words, record.NewWriter(w).Write)
}

// Selected returns the runs that the words mean, or all runs.
func Selected(ctx context.Context, a *App, words []string) (runs []*record.Run, err error) {
	err = eachRun(ctx, a, words, func(r *record.Run) error {
		runs = append(runs, r)
		return nil
	})
	return runs, err
}

// eachRun hands on one run after the other, so that a large history need not
// be in memory.
func eachRun(ctx context.Context, a *App, words []string, take func(*record.Run) error) (err error) {
	where, err := a.place(ctx)
	if err != nil {
		return err
	}
	r := &resolver{session: a, where: where}
	defer func() { err = errors.Join(err, r.close()) }()
	if err := r.open(ctx); err != nil {
		return err
	}
	ids, err := r.ids(ctx, splitRange(words))
	if err != nil {
		return err
	}
	for _, id := range ids {
		run, err := r.db.Get(ctx, id)
		if errors.Is(err, store.ErrDamaged) {
			continue // see Damaged
		}
		if err != nil {
			return err
		}
		if err := take(run); err != nil {
			return err
		}
	}
	return nil
}

func (r *resolver) ids(ctx context.Context, words []string) (ids []string, err error) {
	if len(words) == 0 {
		infos, err := r.db.Runs(ctx, store.Filter{})
		return idsOf(infos), err
	}
	for _, word := range words {
		if isFile(word) {
			return nil, usagef("%s is a file: export reads the database", word)
		}
		s, err := r.find(ctx, word)
		switch {
		case errors.Is(err, store.ErrDamaged): // the run of that id
		case err != nil:
			return nil, err
		case s.trial != "":
			infos, err := r.db.Runs(ctx, store.Filter{Trial: s.trial})
			if err != nil {
				return nil, err
			}
			ids = append(ids, idsOf(infos)...)
		case s.commit != "":
			newest, _, err := choose(s, selection{})
			if err != nil {
				return nil, err
			}
			ids = append(ids, idsOf(newest)...)
		default:
			for _, run := range s.runs {
				ids = append(ids, run.ID())
			}
		}
	}
	return ids, nil
}

func idsOf(infos []record.RunInfo) []string {
	ids := make([]string, len(infos))
	for i, info := range infos {
		ids[i] = info.ID
	}
	return ids
}
