package exchange

import (
	"context"
	"slices"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/fault"
	"github.com/perftrack/perftrack/runner/gitrepo/parcel"
)

// receive stores the remote's records in the database and keeps the remote's parcels.
func (s *syncer) receive(ctx context.Context) error {
	mine, err := s.clone.List(ctx)
	if err != nil {
		return fault.Git(err)
	}
	for _, p := range mine {
		s.kept[p.Name] = p.Commit
	}
	if err := s.listFiles(ctx, mine); err != nil {
		return err
	}
	return s.receiveFresh(ctx, mine)
}

// receiveFresh lists the remote's parcels again and receives those new to this sync. It also stores
// records from mine, the parcels in this clone, if the database lacks them.
func (s *syncer) receiveFresh(ctx context.Context, mine []parcel.Parcel) error {
	fresh, err := s.fetch(ctx)
	if err != nil {
		return err
	}
	if err := s.listFiles(ctx, fresh); err != nil {
		return err
	}
	return s.storeReceived(ctx, mine, fresh)
}

// fetch lists the remote's parcels and fetches those missing in this clone.
func (s *syncer) fetch(ctx context.Context) (fresh []parcel.Parcel, err error) {
	var before []parcel.Parcel
	for first := s.theirs == nil; ; first = false {
		s.progress("listing", 0, 0)
		var others int
		if s.theirs, others, err = s.clone.ListRemote(ctx, s.remote); err != nil {
			return nil, remoteError(err)
		}
		if others > 0 && first {
			s.session.Noticef("skipped %d references of %s below refs/perftrack in an unknown form", others, s.remoteName())
		}
		fresh, s.left = nil, nil
		for _, p := range s.theirs {
			if _, listed := s.files[p.Commit]; !listed && !s.odd[p.Commit] {
				fresh = append(fresh, p)
			}
		}
		if n := len(fresh) - parcel.MaxParcels; n > 0 {
			s.session.Noticef("%s has more than is taken at once: %d parcels are taken later", s.remoteName(), n)
			fresh, s.left = fresh[:parcel.MaxParcels], fresh[parcel.MaxParcels:]
		}
		s.progress("receiving", 0, len(fresh))
		err := s.clone.Fetch(ctx, s.remote, fresh)
		if err == nil {
			return fresh, nil
		}
		// Another clone may have packed the listed parcels in the meantime, so list them again.
		if slices.Equal(before, s.theirs) || ctx.Err() != nil {
			return nil, remoteError(err)
		}
		before = s.theirs
	}
}
