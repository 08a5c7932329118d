package pages

import (
	"cmp"
	"context"
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/fault"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/profiles"
	"github.com/perftrack/perftrack/compare/tree"
	"github.com/perftrack/perftrack/reports/flame"
	"github.com/perftrack/perftrack/reports/site/documents"
)

// mostProfiles is the maximum number of profile files on a site.
const mostProfiles = 200

// back returns the link from a flame graph back to its profile on the page.
func back(id string) string { return "../index.html#/p/" + id }

// A keptProfile is a stored profile, along with the profile of its base if it is stored, too.
type keptProfile struct {
	documents.ProfileRow
	sides []profiles.Profile // base first
}

// A keptProfiles is the list of the profiles next to the database. It is read only once.
type keptProfiles struct {
	sync.Mutex
	read bool
	list []keptProfile
}

// profileFolder returns the folder of the stored profiles.
func (s *Site) profileFolder(ctx context.Context) (string, error) {
	database, err := s.session.DatabasePath(ctx)
	return profiles.Folder(database), err
}

// profilesKept returns the profiles next to the database, newest first.
func (s *Site) profilesKept(ctx context.Context) ([]keptProfile, error) {
	s.beside.Lock()
	defer s.beside.Unlock()
	if s.beside.read {
		return s.beside.list, nil
	}
	list, err := s.readKept(ctx)
	s.beside.read, s.beside.list = err == nil, list
	return list, err
}

func (s *Site) readKept(ctx context.Context) ([]keptProfile, error) {
	dir, err := s.profileFolder(ctx)
	if err != nil {
		return nil, err
	}
	all, err := profiles.List(dir, mostProfiles, func(err error) { s.session.Noticef("%v: skipped", err) })
	if err != nil {
		return nil, fault.IO(err)
	}
	byPath := map[string]profiles.Profile{}
	for _, p := range all {
		byPath[filepath.Base(p.Path)] = p
	}
	var out []keptProfile
	shown := map[string]bool{} // files shown as the base of another profile
	for _, p := range all {
		k := keptProfile{ProfileRow: documents.ProfileRow{
			ID: profileID(p), Kind: map[string]string{profiles.CPU: "cpu", profiles.Allocs: "alloc"}[p.Kind], Target: p.Target, Package: p.Package,
			Benchmark: p.Benchmark, Commit: s.at.Commit(p.Commit), Base: -1, Hash: p.Commit, Time: p.Time,
		}}
		if k.Kind == "" || filepath.Base(profiles.Path("", p.Meta)) != filepath.Base(p.Path) {
			continue // not perftrack's file, because perftrack would have given it a different name
		}
		if base, ok := byPath[filepath.Base(profiles.Path("", p.OfBase()))]; ok && p.Base != "" {
			shown[base.Path] = true
			k.sides, k.Base, k.BaseHash = append(k.sides, base), s.at.Commit(base.Commit), base.Commit
		}
		k.sides = append(k.sides, p)
		out = append(out, k)
	}
	return slices.DeleteFunc(out, func(k keptProfile) bool {
		empty := k.Kind == "alloc" && profiles.Allocations(k.sides, profiles.Bytes) == nil
		return empty || len(k.sides) == 1 && shown[k.sides[0].Path]
	}), nil
}

// profileID derives the id of a profile from its file name.
func profileID(p profiles.Profile) string {
	return documents.SafeID(strings.ToLower(strings.ReplaceAll(strings.TrimSuffix(filepath.Base(p.Path), ".pb.gz"), ".", "-")))
}

// profiles returns rows for the stored profiles and for the newest scopes of each suite.
func (s *Site) profiles(ctx context.Context) ([]documents.ProfileRow, error) {
	kept, err := s.profilesKept(ctx)
	if err != nil {
		return nil, err
	}
	var rows []documents.ProfileRow
	for _, k := range kept {
		rows = append(rows, k.ProfileRow)
	}
	for _, suite := range s.suites() {
		rows = append(rows, suite.ProfileRow)
	}
	slices.SortStableFunc(rows, func(a, b documents.ProfileRow) int { return cmp.Compare(b.Time, a.Time) })
	return rows, nil
}

// Profile returns the document of the profile with the given id.
func (s *Site) Profile(ctx context.Context, id string) (*documents.Profile, error) {
	if suite, ok := s.suite(id); ok {
		return s.scopes(ctx, suite)
	}
	kept, err := s.profilesKept(ctx)
	if err != nil {
		return nil, err
	}
	i := slices.IndexFunc(kept, func(k keptProfile) bool { return k.ID == id })
	if i < 0 {
		return nil, documents.ErrUnknown
	}
	k := kept[i]
	p := &documents.Profile{ProfileRow: k.ProfileRow, Unit: "sec/op"}
	var cost, objects *tree.Sampled
	if k.Kind == "cpu" {
		cost, p.Samples = profiles.Time(k.sides)
	} else {
		p.Unit = "B/op"
		cost, objects = profiles.Allocations(k.sides, profiles.Bytes), profiles.Allocations(k.sides, profiles.Objects)
	}
	if cost != nil {
		p.AddSampled(cost, objects)
	}
	if slices.ContainsFunc(k.sides, func(side profiles.Profile) bool { return side.Operations == 0 }) {
		p.Notes = append(p.Notes, "The number of profiled operations is unknown, so values are sums over all samples and sides cannot be compared.")
	}
	for _, f := range profiles.Flames(k.sides) {
		if _, err := f.Page("", ""); err == nil { // fails if there is nothing to draw
			p.Flames = append(p.Flames, documents.FlameGraph{File: f.File, Side: f.Side, What: f.What})
		}
	}
	return p, nil
}

// Flame draws the flame graph with the file name given in a profile's document.
func (s *Site) Flame(ctx context.Context, file string) ([]byte, error) {
	if suite, ok := s.suite(strings.TrimSuffix(file, flameExtension)); ok {
		return s.scopesFlame(ctx, suite)
	}
	kept, err := s.profilesKept(ctx)
	if err != nil {
		return nil, err
	}
	for _, k := range kept {
		for _, f := range profiles.Flames(k.sides) {
			if f.File == file {
				page, err := f.Page(back(k.ID), "the profile as tables")
				if errors.Is(err, flame.ErrEmpty) {
					return nil, documents.ErrUnknown
				}
				return page, err
			}
		}
	}
	return nil, documents.ErrUnknown
}
