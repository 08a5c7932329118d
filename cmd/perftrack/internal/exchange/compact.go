package exchange

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/perftrack/perftrack/runner/gitrepo/parcel"
)

// compact puts files of the remote's parcels into one new parcel, without the runs
// that were deleted, and then takes the parcels away from which they came.
//
// Others push, pack and take away at the same time. Nothing is lost, because a parcel
// is taken away only when the remote has shown a parcel made here that has all its
// files: never on the word of one that was there before, which another clone may just
// be taking away for the same reason.
func (s *syncer) compact(ctx context.Context) error {
	gathered, files := s.gather()
	if len(gathered) == 0 {
		return nil
	}
	if len(files) > 0 {
		pack, err := s.pack(ctx, files)
		if err != nil {
			return err
		}
		if err := s.push(ctx, pack, nil); err != nil {
			return err
		}
		gathered = slices.DeleteFunc(gathered, func(p parcel.Parcel) bool { return p == pack[0] })
	}
	if err := s.push(ctx, nil, gathered); err != nil {
		return err
	}
	s.done.Packed, s.done.Removed = len(files), len(gathered)
	return nil
}

// gather returns the parcels to be taken away and the files that have to be in a new
// one. With Compact these are all small parcels; else only those with a run that was
// deleted.
//
// A pack joins when the others together are at least half its size: so a file is
// packed again only when its pack has grown by half, and there are few packs.
func (s *syncer) gather() (gathered []parcel.Parcel, files []parcel.File) {
	chosen := map[parcel.File]bool{}
	join := func(p parcel.Parcel) {
		gathered = append(gathered, p)
		for _, f := range s.files[p.Commit] {
			if !s.damaged[f] && !s.isDeleted(f) && !chosen[f] {
				chosen[f] = true
				files = append(files, f)
			}
		}
	}
	var packs []parcel.Parcel
	for _, p := range s.theirs {
		_, readable := s.files[p.Commit]
		switch {
		case !readable: // perhaps of a newer perftrack
		case s.spoiled(p):
			join(p)
		case strings.HasPrefix(p.Name, PackFolder):
			packs = append(packs, p)
		case s.opt.Compact:
			join(p)
		}
	}
	slices.SortFunc(packs, func(a, b parcel.Parcel) int {
		return cmp.Or(cmp.Compare(len(s.files[a.Commit]), len(s.files[b.Commit])), strings.Compare(a.Name, b.Name))
	})
	for _, p := range packs {
		n := len(s.files[p.Commit])
		if s.opt.Compact && n <= 2*len(files) && n+len(files) <= parcel.MaxFiles {
			join(p)
		}
	}
	if len(gathered) == 1 && !s.spoiled(gathered[0]) {
		return nil, nil // it would only get another name
	}
	slices.SortFunc(files, func(a, b parcel.File) int { return strings.Compare(a.Name, b.Name) })
	return gathered, slices.CompactFunc(files, func(a, b parcel.File) bool { return a.Name == b.Name })
}

// spoiled reports whether a parcel holds what no clone is to get.
func (s *syncer) spoiled(p parcel.Parcel) bool {
	return slices.ContainsFunc(s.files[p.Commit], func(f parcel.File) bool { return s.damaged[f] || s.isDeleted(f) })
}

// pack makes one parcel of files that are here.
func (s *syncer) pack(ctx context.Context, files []parcel.File) ([]parcel.Parcel, error) {
	names := make([]string, len(files))
	for i, f := range files {
		names[i] = f.Name
	}
	made, err := s.clone.Write(ctx, func(w *parcel.Writer) error {
		if err := w.New(packName(names)); err != nil {
			return err
		}
		for _, f := range files {
			if err := w.Add(f); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return nil, remoteError(err)
	}
	return made, s.listMade(ctx, made)
}
