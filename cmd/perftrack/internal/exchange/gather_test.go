package exchange

import (
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/perftrack/perftrack/runner/gitrepo/parcel"
	"github.com/perftrack/perftrack/runner/record"
)

// gather leaves few parcels, and replaces parcels only when needed.
func TestGather(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := &syncer{files: map[string][]parcel.File{}, wrong: map[parcel.File]bool{}, lost: map[parcel.File]bool{}, odd: map[string]bool{}}
		file := rapid.Custom(func(t *rapid.T) parcel.File {
			return parcel.File{Name: record.IDOf(fmt.Append(nil, rapid.IntRange(0, 1000).Draw(t, "file"))) + ".run"}
		})
		for i := range rapid.IntRange(0, 3*MaxReferences).Draw(t, "parcels") {
			p := parcel.Parcel{Name: fmt.Sprint("packs/", i), Commit: fmt.Sprint(i)}
			s.theirs = append(s.theirs, p)
			if rapid.IntRange(0, 20).Draw(t, "odd") == 0 {
				s.odd[p.Commit] = true
				continue
			}
			s.files[p.Commit] = rapid.SliceOfNDistinct(file, 1, 20, rapid.ID).Draw(t, "files")
			for _, f := range s.files[p.Commit] {
				kind := rapid.IntRange(0, 200).Draw(t, "kind")
				s.wrong[f], s.lost[f] = kind == 0, kind == 1
			}
		}
		sending := rapid.IntRange(0, 3).Draw(t, "sending")
		old := s.gather(sending)
		all, holders := s.movable()
		left := s.count() - len(old) + min(sending+len(old), 1)
		if fixed := s.count() - len(all); left > MaxReferences && left > fixed+1 {
			t.Errorf("of %d parcels, %d of them fixed, %d are left", s.count(), fixed, left)
		}
		for _, p := range s.theirs {
			twice := slices.ContainsFunc(s.files[p.Commit], func(f parcel.File) bool { return holders[f.Name] > 1 })
			chosen := slices.Contains(old, p)
			switch {
			case chosen && !slices.Contains(all, p):
				t.Errorf("%s is replaced unread", p.Name)
			case !chosen && slices.Contains(all, p) && s.spoiled(p):
				t.Errorf("%s stays, with a file that should go", p.Name)
			case chosen && s.count()+min(sending, 1) <= MaxReferences && !s.spoiled(p) && !twice:
				t.Errorf("%s is replaced without need", p.Name)
			}
		}
		if len(old) == 1 && sending == 0 && !s.spoiled(old[0]) {
			t.Errorf("%v only gets another name", old)
		}
	})
}

// The name of a parcel depends on the parcels it replaces, so it cannot be one of their names.
func TestPackName(t *testing.T) {
	files := func() []string { return []string{"b.run", "a.run"} }
	x, y := parcel.Parcel{Name: packName(files(), nil)}, parcel.Parcel{Name: "packs/y"}
	if again := packName([]string{"a.run", "b.run"}, nil); again != x.Name {
		t.Errorf("the same files are %s and %s", x.Name, again)
	}
	both := packName(files(), []parcel.Parcel{x, y})
	if again := packName(files(), []parcel.Parcel{y, x}); again != both {
		t.Errorf("the same parcels are replaced by %s and %s", both, again)
	}
	if one := packName(files(), []parcel.Parcel{y}); one == x.Name || one == both {
		t.Errorf("%s, %s and %s have the same files, but replace others", x.Name, both, one)
	}
}
