package exchange

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/perftrack/perftrack/runner/gitrepo/parcel"
)

// MaxReferences is the number of parcels on a remote above which a sync combines some of them, because
// every push of every clone lists the reference of each.
const MaxReferences = 8

// compact combines parcels until the remote has at most MaxReferences.
//
// Other clones may push, combine and remove parcels at the same time. Nothing is lost, because a
// parcel is removed only after the remote has listed a later one with all its files. The last clone
// to push still lists the parcels afterwards, and therefore sees how many are left.
func (s *syncer) compact(ctx context.Context) error {
	err := s.sendParcel(ctx, nil)
	for tries := 0; err == nil && s.untidy == nil && s.many() && tries < MaxTries; tries++ {
		if err := s.pause(ctx, firstWait<<tries); err != nil { // another clone may be about to do the same
			return err
		}
		if err := s.receiveFresh(ctx, nil); err != nil {
			return err
		}
		if !s.many() || len(s.gather(0)) == 0 {
			break
		}
		err = s.sendParcel(ctx, nil)
	}
	return s.leave(ctx, err)
}

// leave notes why the remote keeps more parcels than it should. It returns an error only if this
// sync cannot continue.
func (s *syncer) leave(ctx context.Context, err error) error {
	if err == nil || ctx.Err() != nil {
		return err
	}
	s.untidy = cmp.Or(s.untidy, err)
	return nil
}

// noticeUntidy prints a notice about why the remote keeps more parcels than it should. When
// pruning, it returns this as an error instead, because the parcels may contain deleted runs.
func (s *syncer) noticeUntidy() error {
	if s.untidy != nil && s.opt.Prune {
		return s.untidy
	}
	if s.untidy != nil {
		s.session.Noticef("%s keeps more references than it needs: %v", s.remoteName(), s.untidy)
	}
	return nil
}

// many reports whether the remote has too many parcels.
func (s *syncer) many() bool { return s.count() > MaxReferences }

// count returns the number of the remote's parcels, without other references.
func (s *syncer) count() (n int) {
	for _, p := range s.theirs {
		if !s.odd[p.Commit] {
			n++
		}
	}
	return n
}

// movable returns the remote's parcels whose files can be put into another parcel, the smallest
// first, and counts for each file how many of them contain it. A parcel unreadable to this sync may have
// been written by a newer perftrack.
func (s *syncer) movable() (all []parcel.Parcel, holders map[string]int) {
	holders = map[string]int{}
	for _, p := range s.theirs {
		files, listed := s.files[p.Commit]
		if !listed || slices.ContainsFunc(files, func(f parcel.File) bool { return s.lost[f] }) {
			continue
		}
		all = append(all, p)
		for _, f := range files {
			holders[f.Name]++
		}
	}
	slices.SortFunc(all, func(a, b parcel.Parcel) int {
		return cmp.Or(cmp.Compare(len(s.files[a.Commit]), len(s.files[b.Commit])), strings.Compare(a.Name, b.Name))
	})
	return all, holders
}

// gather returns the parcels to replace by a new one with n other files: those with a file that
// clones should no longer receive, those with a file also in another parcel and, if there are too
// many parcels, the smallest. Half of MaxReferences are left, so most syncs need not gather any.
func (s *syncer) gather(n int) (old []parcel.Parcel) {
	if s.untidy != nil {
		return nil
	}
	all, holders := s.movable()
	twice := func(f parcel.File) bool { return holders[f.Name] > 1 }
	left := s.count() + min(n, 1)
	many := left > MaxReferences
	for _, p := range all {
		files := s.files[p.Commit]
		wanted := many && left >= MaxReferences/2 || s.spoiled(p) || slices.ContainsFunc(files, twice)
		if wanted && n+len(files) <= parcel.MaxFiles {
			old = append(old, p)
			n += len(files)
			left--
		}
	}
	if len(old) == 1 && n == len(s.files[old[0].Commit]) && !s.spoiled(old[0]) {
		return nil // the new parcel would differ only in its name
	}
	return old
}

// removeReplaced removes parcels from the remote that an earlier sync has replaced, but could not
// remove.
func (s *syncer) removeReplaced(ctx context.Context) error {
	all, holders := s.movable()
	all = slices.DeleteFunc(all, func(p parcel.Parcel) bool {
		return !slices.ContainsFunc(s.files[p.Commit], func(f parcel.File) bool { return holders[f.Name] > 1 })
	})
	parents, err := s.clone.Parents(ctx, all)
	if err != nil {
		return remoteError(err)
	}
	var old []parcel.Parcel
	for _, p := range all {
		if slices.ContainsFunc(all, func(q parcel.Parcel) bool { return slices.Contains(parents[q.Commit], p.Commit) && s.includes(q, p) }) {
			old = append(old, p)
		}
	}
	return s.remove(ctx, old)
}

// includes reports whether a parcel has all of another's files, except those that clones should no
// longer receive.
func (s *syncer) includes(all, some parcel.Parcel) bool {
	in := map[string]bool{}
	for _, f := range s.files[all.Commit] {
		in[f.Name] = true
	}
	return !slices.ContainsFunc(s.files[some.Commit], func(f parcel.File) bool { return !in[f.Name] && !s.bad(f) })
}

// remove removes parcels replaced by another from the remote and from this clone.
func (s *syncer) remove(ctx context.Context, old []parcel.Parcel) error {
	if len(old) == 0 {
		return nil
	}
	if err := s.push(ctx, nil, old); err != nil {
		return s.leave(ctx, err)
	}
	s.done.Replaced += len(old)
	return s.unkeep(ctx, old)
}

// spoiled reports whether a parcel has a file that clones should no longer receive.
func (s *syncer) spoiled(p parcel.Parcel) bool {
	return s.mixed[p.Commit] || slices.ContainsFunc(s.files[p.Commit], s.bad)
}

// bad reports whether clones should no longer receive a file.
func (s *syncer) bad(f parcel.File) bool { return s.wrong[f] || s.isDeleted(f) }
