package workspace

import (
	"context"
	"errors"
	"slices"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/modules"
	"github.com/perftrack/perftrack/runner/naming"
	"github.com/perftrack/perftrack/runner/record"
	"github.com/perftrack/perftrack/store"
)

// Words holds names for completion in a shell.
type Words struct {
	Targets, Suites, Units, Environments []string
	Benchmarks                           []string         // only those with samples
	Runs                                 []record.RunInfo // the newest runs
}

// Words reads at most limit stored names of each kind and adds the configured targets and the
// engine's suites. It does not write to the database, migrate it or wait for a lock. If there is an
// error, Words returns it along with the names read so far.
func (a *Session) Words(ctx context.Context, limit int) (w Words, err error) {
	d, err := a.Database(ctx)
	if err == nil {
		err = w.read(ctx, d, limit)
	}
	where, placeErr := a.Locate(ctx)
	w.Targets = append(w.Targets, where.targetWords()...)
	w.Suites = append(w.Suites, naming.EngineSuites()...)
	return w, errors.Join(err, placeErr)
}

func (w *Words) read(ctx context.Context, d Database, limit int) (err error) {
	db, err := d.openUntouched(ctx)
	if err != nil {
		return err
	}
	var read Words
	benchmarks, err := db.Benchmarks(ctx, store.Filter{}) // from their summaries, so it is fast
	if err == nil {
		read.Runs, err = db.Runs(ctx, store.Filter{Newest: true, Limit: limit})
	}
	for _, b := range benchmarks {
		read.Targets, read.Suites, read.Benchmarks = append(read.Targets, b.Target), append(read.Suites, b.Suite), append(read.Benchmarks, b.Name)
		read.Units = append(read.Units, b.Units...)
	}
	for _, r := range read.Runs {
		read.Environments = append(read.Environments, r.EnvironmentID)
	}
	for _, list := range []*[]string{&read.Targets, &read.Suites, &read.Units, &read.Environments, &read.Benchmarks} {
		slices.Sort(*list)
		*list = slices.DeleteFunc(slices.Compact(*list), func(name string) bool { return name == "" })
		*list = (*list)[:min(limit, len(*list))]
	}
	if err = errors.Join(err, db.Close()); err == nil { // the result is only valid if Close succeeds
		*w = read
	}
	return err
}

// targetWords returns the names of the targets known without running the go command.
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
