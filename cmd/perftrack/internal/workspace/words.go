package workspace

import (
	"context"
	"errors"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/modules"
	"github.com/perftrack/perftrack/runner/naming"
	"github.com/perftrack/perftrack/runner/record"
	"github.com/perftrack/perftrack/store"
	"github.com/perftrack/perftrack/store/sqlite"
)

// Words are what the user may mean where he stands, for a shell that completes them.
type Words struct {
	store.Names
	Runs []record.RunInfo // the newest
}

// Words reads what is stored, at most limit of a kind, and adds the targets of the configuration
// and the engine's suites. It writes nothing, migrates nothing and waits for nobody. What cannot be
// read is left out, and returned as an error.
func (a *Session) Words(ctx context.Context, limit int) (w Words, err error) {
	path, err := a.DatabasePath(ctx)
	if err == nil {
		err = w.read(ctx, path, limit)
	}
	where, placeErr := a.Locate(ctx)
	w.Targets = append(w.Targets, where.targetWords()...)
	w.Suites = append(w.Suites, naming.EngineSuites()...)
	return w, errors.Join(err, placeErr)
}

func (w *Words) read(ctx context.Context, path string, limit int) (err error) {
	db, err := sqlite.OpenUntouched(ctx, path)
	if err != nil {
		return err
	}
	var read Words
	read.Names, err = db.Names(ctx, limit)
	if err == nil {
		read.Runs, err = db.Runs(ctx, store.Filter{Newest: true, Limit: limit})
	}
	if err = errors.Join(err, db.Close()); err == nil { // only now it is certain what was read
		*w = read
	}
	return err
}

// targetWords are the names of targets as far as they are known without the go command.
func (p Place) targetWords() (names []string) {
	if p.Config == nil {
		return nil
	}
	for _, t := range p.Config.Targets {
		names = append(names, t.Name)
	}
	if root := modules.FindRoot(p.Dir); len(names) == 0 && root != "" {
		names = append(names, modules.Name(root))
	}
	return append(names, engineTarget.Name)
}
