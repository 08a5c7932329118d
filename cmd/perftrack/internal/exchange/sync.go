package exchange

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/fault"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/workspace"
	"github.com/perftrack/perftrack/runner/gitrepo"
	"github.com/perftrack/perftrack/runner/gitrepo/parcel"
	"github.com/perftrack/perftrack/runner/record"
	"github.com/perftrack/perftrack/store"
)

// SyncOptions select the remote and the data to exchange.
type SyncOptions struct {
	Remote string // name, URL or path; "" means the default remote
	All    bool   // also send runs that are partial, dirty or without a commit
	NoPush bool   // only receive
	DryRun bool   // only report the pending changes
	Prune  bool   // delete expired runs, see Keep
	Keep   time.Duration
	// Progress is called as each stage proceeds. It may be nil.
	Progress func(stage string, n, of int)
}

// A SyncResult is the outcome of an exchange or, with DryRun, the expected outcome.
type SyncResult struct {
	Remote            string
	Received, Sent    Counts
	Deleted           int // number of runs deleted here
	Replaced          int // number of parcels replaced by a new one on the remote
	Parcels, Unshared int // parcels now on the remote, and local runs not shared because they are partial, dirty or without a commit
	LeftOut           int // number of skipped runs, files and parcels, damaged or invalid
}

// Counts holds the number of exchanged records of each kind.
type Counts struct{ Runs, Acceptances, Deletions int }

func (r *Counts) count(k kind, n int) {
	switch k {
	case runKind:
		r.Runs += n
	case acceptedKind:
		r.Acceptances += n
	case deletedKind:
		r.Deletions += n
	}
}

// A syncer carries out one exchange.
//
// Both the remote and this clone have parcels, see [parcel.Parcel]. Parcels kept in this clone
// contain only files matching their names. The database consists of the records in these files and
// the runs measured here. Therefore an interrupted exchange leaves nothing to repair: the next
// exchange simply compares both sides again.
type syncer struct {
	session *workspace.Session
	opt     SyncOptions
	clone   *parcel.Clone
	db      *store.DB
	remote  string

	theirs  []parcel.Parcel          // the remote's parcels, as last listed
	left    []parcel.Parcel          // parcels in theirs for the next sync to fetch
	kept    map[string]string        // commits of the parcels kept here, by parcel name
	files   map[string][]parcel.File // files in parcels, by the parcel's commit
	odd     map[string]bool          // commits of parcels with files that cannot be listed
	mixed   map[string]bool          // commits of parcels with other files than those of perftrack
	seen    map[parcel.File]bool     // files in these parcels that match their names or are in wrong or lost
	wrong   map[parcel.File]bool     // files not matching their names
	lost    map[parcel.File]bool     // files unreadable in this clone
	runs    map[string]bool          // ids of runs in the database
	records map[kind]map[string]bool // ids of acceptances and deletions in the database
	deleted map[string]bool          // ids of runs named in a deletion
	untidy  error                    // why the remote keeps more parcels than it should; nil if it does not
	waiting []*record.Run            // received runs not stored yet, with waitingBytes of text
	skipped int                      // number of skipped files, records and parcels; only the first few are reported one by one
	done    SyncResult

	waitingBytes int
}

// Sync exchanges runs, acceptances and deletions with a git remote.
func Sync(ctx context.Context, a *workspace.Session, opt SyncOptions) (done SyncResult, err error) {
	where, err := a.Locate(ctx)
	if err != nil {
		return done, err
	}
	if where.Repo == nil {
		return done, errors.Join(fault.Usagef("sync %s: not a git repository; run sync in a repository with a remote", a.Dir), where.RepoErr)
	}
	s := newSyncer(a, where.Repo, opt)
	if s.remote, err = s.clone.Remote(ctx, opt.Remote, a.Dir); err != nil {
		return done, fault.Git(fmt.Errorf("sync: %w", err))
	}
	unlock, err := s.clone.Lock(ctx, func() { a.Noticef("waiting for another perftrack sync in this repository") })
	if err != nil {
		return done, fault.IO(err)
	}
	defer unlock()
	if s.db, _, err = a.OpenForWriting(ctx); err != nil {
		return done, err
	}
	defer func() { err = errors.Join(err, s.db.Close()) }()
	err = s.sync(ctx)
	s.noticeSkipped()
	s.done.Remote, s.done.Parcels, s.done.LeftOut = s.remoteName(), len(s.theirs), s.skipped
	return s.done, err
}

func newSyncer(a *workspace.Session, repo *gitrepo.Repo, opt SyncOptions) *syncer {
	return &syncer{
		session: a, opt: opt, clone: parcel.Of(repo),
		kept: map[string]string{}, files: map[string][]parcel.File{}, odd: map[string]bool{}, mixed: map[string]bool{},
		seen: map[parcel.File]bool{}, wrong: map[parcel.File]bool{}, lost: map[parcel.File]bool{},
		runs: map[string]bool{}, deleted: map[string]bool{},
		records: map[kind]map[string]bool{acceptedKind: {}, deletedKind: {}},
	}
}

func (s *syncer) sync(ctx context.Context) error {
	if err := s.readKnown(ctx); err != nil {
		return err
	}
	if err := s.receive(ctx); err != nil {
		return err
	}
	if s.opt.Prune {
		if err := s.prune(ctx); err != nil {
			return err
		}
	}
	send, err := s.unsent(ctx)
	if err != nil {
		return err
	}
	switch {
	case s.opt.DryRun:
		for _, r := range send {
			s.done.Sent.count(r.kind, 1)
		}
		return nil
	case s.opt.NoPush:
		return s.forget(ctx)
	}
	if err := s.send(ctx, send); err != nil {
		return err
	}
	return errors.Join(s.forget(ctx), s.noticeUntidy())
}

// readKnown reads the ids of the records in the database.
func (s *syncer) readKnown(ctx context.Context) error {
	infos, err := s.db.Runs(ctx, store.Filter{})
	if err != nil {
		return err
	}
	for _, info := range infos {
		s.runs[info.ID] = true
	}
	acceptances, err := s.db.AcceptanceRecords(ctx, "")
	if err != nil {
		return err
	}
	for _, one := range acceptances {
		s.records[acceptedKind][one.ID()] = true
	}
	deletions, err := s.db.Deletions(ctx)
	if err != nil {
		return err
	}
	for _, d := range deletions {
		s.addDeletion(d)
	}
	return nil
}

func (s *syncer) addDeletion(d record.Deletion) {
	s.records[deletedKind][d.ID()] = true
	for _, id := range d.Runs {
		s.deleted[id] = true
		delete(s.runs, id)
	}
}

// remoteName returns the name of the remote for messages, without a password.
func (s *syncer) remoteName() string { return parcel.ShownRemote(s.remote) }

func remoteError(err error) error {
	if errors.Is(err, context.Canceled) {
		return err
	}
	return fault.Git(err)
}

func (s *syncer) progress(stage string, n, of int) {
	if s.opt.Progress != nil {
		s.opt.Progress(stage, n, of)
	}
}

// shownSkipped is the number of skipped items reported individually.
const shownSkipped = 10

// skip counts an item left out of the exchange, and prints a notice about each of the first few.
func (s *syncer) skip(what string, err error) {
	if s.skipped++; s.skipped <= shownSkipped {
		s.session.Noticef("skipped %s: %v", what, err)
	}
}

func (s *syncer) noticeSkipped() {
	if s.skipped > shownSkipped {
		s.session.Noticef("skipped %d more", s.skipped-shownSkipped)
	}
}
