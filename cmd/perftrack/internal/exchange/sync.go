package exchange

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/fault"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/workspace"
	"github.com/perftrack/perftrack/runner/gitrepo"
	"github.com/perftrack/perftrack/runner/gitrepo/parcel"
	"github.com/perftrack/perftrack/runner/record"
	"github.com/perftrack/perftrack/store"
)

// SyncOptions say what to exchange, and with which remote.
type SyncOptions struct {
	Remote  string // name, URL or path; "" is the usual one
	All     bool   // send partial and dirty runs too
	NoPush  bool   // only receive
	DryRun  bool   // say what would be done
	Compact bool   // put what the remote has into few parcels
	Prune   bool   // delete runs that Keep does not keep
	Keep    time.Duration
	// Progress is called as a stage goes on. It may be nil.
	Progress func(stage string, n, of int)
}

// A SyncResult says what an exchange did, or with DryRun would do.
type SyncResult struct {
	Remote            string
	Received, Sent    Counts
	Deleted           int // runs that are here no more
	Packed, Removed   int // files that went into a new parcel, parcels taken away on the remote
	Parcels, Unshared int // parcels of the remote now; runs here that are not shared: partial, dirty, of no commit
}

// Counts says how many records of each kind were exchanged.
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
// What both sides have are parcels (see [parcel.Parcel]): the remote's, and those
// that this clone keeps, which all hold nothing but files that are what their names
// say. The database is made of their files and of what was measured here. So an
// exchange that is cut off anywhere leaves nothing to be repaired: the next one
// compares again what is there.
type syncer struct {
	session *workspace.Session
	opt     SyncOptions
	clone   *parcel.Clone
	db      *store.DB
	remote  string

	theirs  []parcel.Parcel          // of the remote, as last listed
	left    []parcel.Parcel          // of them, those that the next sync will fetch
	kept    map[string]string        // commits of the parcels kept here, by name
	checked map[string]bool          // commits whose files are all what they say
	files   map[string][]parcel.File // of parcels, by commit
	damaged map[parcel.File]bool     // files that are not what their name says
	runs    map[string]bool          // ids in the database
	records map[kind]map[string]bool // ids of acceptances and deletions in the database
	deleted map[string]bool          // runs that a deletion names
	skipped int                      // files and parcels left out, of which the first were noticed
	done    SyncResult
}

// Sync exchanges runs, acceptances and deletions with a git remote.
func Sync(ctx context.Context, a *workspace.Session, opt SyncOptions) (done SyncResult, err error) {
	where, err := a.Locate(ctx)
	if err != nil {
		return done, err
	}
	if where.Repo == nil {
		return done, errors.Join(fault.Usagef("sync %s: runs travel through a git remote: go into a git repository that has one", a.Dir), where.RepoErr)
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
	s.done.Remote, s.done.Parcels = s.remoteName(), len(s.theirs)
	return s.done, err
}

func newSyncer(a *workspace.Session, repo *gitrepo.Repo, opt SyncOptions) *syncer {
	return &syncer{
		session: a, opt: opt, clone: parcel.Of(repo),
		kept: map[string]string{}, checked: map[string]bool{}, files: map[string][]parcel.File{},
		damaged: map[parcel.File]bool{}, runs: map[string]bool{}, deleted: map[string]bool{},
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
	if s.opt.Compact || s.opt.Prune {
		if err := s.compact(ctx); err != nil {
			return err
		}
	}
	return s.forget(ctx)
}

// readKnown reads which records the database has.
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

// receive brings what the remote has into the database, and keeps its parcels.
func (s *syncer) receive(ctx context.Context) error {
	mine, err := s.clone.List(ctx)
	if err != nil {
		return fault.Git(err)
	}
	for _, p := range mine {
		s.kept[p.Name] = p.Commit
		s.checked[p.Commit] = true
	}
	fresh, err := s.fetch(ctx)
	if err != nil {
		return err
	}
	if err := s.listFiles(ctx, slices.Concat(mine, fresh)); err != nil {
		return err
	}
	return s.storeReceived(ctx, fresh)
}

// fetch lists the remote's parcels and brings those here that are not.
func (s *syncer) fetch(ctx context.Context) (fresh []parcel.Parcel, err error) {
	var before []parcel.Parcel
	for {
		s.progress("listing", 0, 0)
		var others int
		if s.theirs, others, err = s.clone.ListRemote(ctx, s.remote); err != nil {
			return nil, remoteError(err)
		}
		if others > 0 && before == nil {
			s.session.Noticef("%d references of %s below refs/perftrack are none of this perftrack's and are passed over", others, s.remoteName())
		}
		fresh = nil
		for _, p := range s.theirs {
			if !s.checked[p.Commit] {
				fresh = append(fresh, p)
			}
		}
		if n := len(fresh) - parcel.MaxParcels; n > 0 {
			s.session.Noticef("%s has more than is taken at once: %d parcels are left for the next sync", s.remoteName(), n)
			fresh, s.left = fresh[:parcel.MaxParcels], fresh[parcel.MaxParcels:]
		}
		s.progress("receiving", 0, len(fresh))
		err := s.clone.Fetch(ctx, s.remote, fresh)
		if err == nil {
			return fresh, nil
		}
		// Somebody may have packed meanwhile what was just listed.
		if slices.Equal(before, s.theirs) || ctx.Err() != nil {
			return nil, remoteError(err)
		}
		before = s.theirs
	}
}

// remoteName returns the remote as messages may name it: without a password.
func (s *syncer) remoteName() string { return parcel.ShownRemote(s.remote) }

func remoteError(err error) error {
	if errors.Is(err, context.Canceled) {
		return err
	}
	return fault.Git(err)
}

// forget removes the parcels kept here that the remote does not have and of which
// every file is in one that it has, or is a run that was deleted.
func (s *syncer) forget(ctx context.Context) error {
	there := map[parcel.File]bool{}
	names := map[string]string{}
	for _, p := range s.theirs {
		names[p.Name] = p.Commit
		for _, f := range s.files[p.Commit] {
			there[f] = true
		}
	}
	var remove []parcel.Parcel
	for _, name := range slices.Sorted(maps.Keys(s.kept)) {
		p := parcel.Parcel{Name: name, Commit: s.kept[name]}
		idle := func(f parcel.File) bool { return there[f] || s.isDeleted(f) }
		if names[name] != p.Commit && !slices.ContainsFunc(s.files[p.Commit], func(f parcel.File) bool { return !idle(f) }) {
			remove = append(remove, p)
		}
	}
	if err := s.clone.Keep(ctx, nil, remove); err != nil {
		return fault.Git(err)
	}
	for _, p := range remove {
		delete(s.kept, p.Name)
	}
	return nil
}

func (s *syncer) progress(stage string, n, of int) {
	if s.opt.Progress != nil {
		s.opt.Progress(stage, n, of)
	}
}

// shownSkipped is how many of the things left out are named one by one.
const shownSkipped = 10

// skip leaves something of the remote out, and says so.
func (s *syncer) skip(what string, err error) {
	if s.skipped++; s.skipped <= shownSkipped {
		s.session.Noticef("%s is left out: %v", what, err)
	}
}

func (s *syncer) noticeSkipped() {
	if s.skipped > shownSkipped {
		s.session.Noticef("%d more are left out", s.skipped-shownSkipped)
	}
}
