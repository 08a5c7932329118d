package exchange

import (
	"context"
	"errors"
	"strings"

	"github.com/perftrack/perftrack/runner/record"
	"github.com/perftrack/perftrack/store"
)

// A storedRecord is a record in the database, missing on the remote.
type storedRecord struct {
	kind
	id   string
	text func(context.Context) ([]byte, error)
}

func (r storedRecord) file() string { return r.id + string(r.kind) }

// unsent returns the records to share that are missing on the remote.
func (s *syncer) unsent(ctx context.Context) (send []storedRecord, err error) {
	there := map[string]bool{}
	for _, p := range s.theirs {
		for _, f := range s.files[p.Commit] {
			if !s.wrong[f] && !s.lost[f] {
				there[f.Name] = true
			}
		}
	}
	for _, p := range s.left {
		folder, id, _ := strings.Cut(p.Name, "/")
		for k, of := range folders {
			there[id+string(k)] = there[id+string(k)] || of == folder+"/"
		}
	}
	add := func(k kind, id string, text func(context.Context) ([]byte, error)) {
		if r := (storedRecord{k, id, text}); !there[r.file()] {
			send = append(send, r)
		}
	}
	infos, err := s.db.Runs(ctx, store.Filter{})
	if err != nil {
		return nil, err
	}
	s.done.Unshared = 0
	for _, info := range infos {
		switch {
		case s.deleted[info.ID]: // a dry run does not delete it from the database
		case !s.opt.All && (!shared(&info) || info.Commit.SHA == ""):
			s.done.Unshared++
		default:
			add(runKind, info.ID, func(ctx context.Context) ([]byte, error) { return s.runText(ctx, info.ID) })
		}
	}
	fixed := func(text []byte) func(context.Context) ([]byte, error) {
		return func(context.Context) ([]byte, error) { return text, nil }
	}
	acceptances, err := s.db.AcceptanceRecords(ctx, "")
	if err != nil {
		return nil, err
	}
	for _, one := range acceptances {
		add(acceptedKind, one.ID(), fixed(one.Text()))
	}
	deletions, err := s.db.Deletions(ctx)
	if err != nil {
		return nil, err
	}
	for _, d := range deletions {
		add(deletedKind, d.ID(), fixed(d.Text()))
	}
	return send, nil
}

// shared reports whether a run is of interest to other clones because it counts for a commit or
// shows failing benchmarks of a commit.
func shared(info *record.RunInfo) bool {
	return info.Baseline() || info.CarriedFrom() != "" || info.Status == record.Failed && !info.Commit.Dirty
}

// errDamagedRun is returned for a damaged run in the database.
var errDamagedRun = errors.New("it is damaged: see `perftrack db verify`")

func (s *syncer) runText(ctx context.Context, id string) ([]byte, error) {
	run, err := s.db.Get(ctx, id)
	if errors.Is(err, store.ErrDamaged) {
		return nil, errDamagedRun
	}
	if err != nil {
		return nil, err
	}
	return textOf(run, id)
}

// textOf returns the text of a run, or an error if its hash is not the id. The database checks only
// the digests of a run, and other clones would skip a run with a wrong id.
func textOf(run *record.Run, id string) ([]byte, error) {
	text, err := run.Text()
	if err != nil || record.IDOf(text) != id {
		return nil, errDamagedRun
	}
	return text, nil
}
