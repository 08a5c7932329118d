package exchange

import (
	"context"
	"slices"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/retention"
	"github.com/perftrack/perftrack/runner/record"
	"github.com/perftrack/perftrack/store"
)

// prune deletes expired runs: in this clone immediately, and in other clones when they receive the
// deletion.
func (s *syncer) prune(ctx context.Context) error {
	infos, err := s.db.Runs(ctx, store.Filter{}) // without damaged runs, since they do not expire
	if err != nil {
		return err
	}
	infos = slices.DeleteFunc(infos, func(i record.RunInfo) bool { return s.deleted[i.ID] }) // deletions received in a dry run are not in the database
	choice, err := retention.Plan(ctx, s.session, s.db, infos, retention.Rule{Older: s.opt.Keep})
	if err != nil {
		return err
	}
	for _, d := range choice.Deletions(s.session.Now()) {
		if err := s.delete(ctx, d); err != nil {
			return err
		}
	}
	return nil
}
