package queue

import (
	"context"
	"errors"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/fault"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/workspace"
)

// Read returns the state of the queue in the session's database, or nil if the database has no
// fleet.
func Read(ctx context.Context, a *workspace.Session) (_ *State, err error) {
	db, err := a.OpenForReading(ctx)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	q, err := db.Queue(ctx)
	if err != nil {
		return nil, fault.IO(err)
	}
	if !q.Exists {
		return nil, nil
	}
	s := Of(q, a.Now())
	return &s, nil
}
