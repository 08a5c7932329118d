package exchange

import (
	"context"
	"maps"
	"slices"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/fault"
	"github.com/perftrack/perftrack/runner/gitrepo/parcel"
)

// keepParcels creates references to the new parcels without bad files. The next sync will fetch and
// report the other parcels again.
func (s *syncer) keepParcels(ctx context.Context, fresh []parcel.Parcel) error {
	var sound []parcel.Parcel
	for _, p := range fresh {
		files, ok := s.files[p.Commit]
		bad := func(f parcel.File) bool { return s.wrong[f] || s.lost[f] }
		if ok && !slices.ContainsFunc(files, bad) && s.kept[p.Name] == "" {
			sound = append(sound, p)
		}
	}
	if err := s.clone.Keep(ctx, sound, nil); err != nil {
		return fault.Git(err)
	}
	for _, p := range sound {
		s.kept[p.Name] = p.Commit
	}
	return nil
}

// unkeep removes parcels from this clone.
func (s *syncer) unkeep(ctx context.Context, list []parcel.Parcel) error {
	list = slices.DeleteFunc(slices.Clone(list), func(p parcel.Parcel) bool { return s.kept[p.Name] != p.Commit })
	if err := s.clone.Keep(ctx, nil, list); err != nil {
		return fault.Git(err)
	}
	for _, p := range list {
		delete(s.kept, p.Name)
	}
	return nil
}

// forget removes parcels kept here but no longer on the remote, if each of their files is in one of
// the remote's parcels or contains a deleted run.
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
	return s.unkeep(ctx, remove)
}
