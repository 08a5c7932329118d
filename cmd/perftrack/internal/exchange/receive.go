package exchange

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/fault"
	"github.com/perftrack/perftrack/runner/format/bounds"
	"github.com/perftrack/perftrack/runner/gitrepo/parcel"
	"github.com/perftrack/perftrack/runner/record"
)

// listFiles reads the names of the files in parcels. A parcel that cannot be read has none.
func (s *syncer) listFiles(ctx context.Context, parcels []parcel.Parcel) error {
	err := s.clone.Files(ctx, parcels, func(p parcel.Parcel, files []parcel.File, err error) error {
		if err != nil {
			delete(s.checked, p.Commit)
			s.skip("refs/perftrack/"+p.Name, err)
			return nil
		}
		s.files[p.Commit] = files
		return nil
	})
	if err != nil {
		return remoteError(err)
	}
	return nil
}

// storeReceived stores the records that the database lacks and keeps the fresh parcels. What
// cannot be read, or does not match its name, is left out with a notice.
func (s *syncer) storeReceived(ctx context.Context, fresh []parcel.Parcel) error {
	todo := s.unread()
	for _, k := range []kind{deletedKind, acceptedKind, runKind, ""} {
		files := todo[k]
		if k == runKind {
			var err error
			if files, err = s.byStart(ctx, files); err != nil {
				return err
			}
		}
		n := 0
		err := s.clone.Read(ctx, files, func(f parcel.File, size int64, content io.Reader) error {
			if n++; n%16 == 0 || n == len(files) {
				s.progress("storing", n, len(files))
			}
			return s.storeFile(ctx, k, f, size, content)
		})
		if err != nil {
			return remoteError(err)
		}
	}
	if s.opt.DryRun {
		return nil
	}
	return s.keepParcels(ctx, fresh)
}

// unread returns the files to read, by kind; "" is any kind that this perftrack does not
// know. Of a parcel that was not kept before these are all its files, else those whose
// records the database lacks.
func (s *syncer) unread() map[kind][]parcel.File {
	todo := map[kind][]parcel.File{}
	seen := map[parcel.File]bool{}
	for commit, files := range s.files {
		for _, f := range files {
			k := kindOf(f)
			known := s.records[k][idOf(f)] || k == runKind && (s.runs[idOf(f)] || s.deleted[idOf(f)])
			if folders[k] == "" {
				k, known = "", true
			}
			if seen[f] || known && s.checked[commit] {
				continue
			}
			seen[f] = true
			todo[k] = append(todo[k], f)
		}
	}
	for _, files := range todo {
		slices.SortFunc(files, func(a, b parcel.File) int {
			return cmp.Or(strings.Compare(a.Name, b.Name), strings.Compare(a.Blob, b.Blob))
		})
	}
	return todo
}

// byStart puts files of runs into the order in which they were measured: the order of
// storage says which of two runs of a commit is the newer one. Runs that are here
// already need no order.
func (s *syncer) byStart(ctx context.Context, files []parcel.File) ([]parcel.File, error) {
	start := map[parcel.File]time.Time{}
	err := s.clone.Read(ctx, files, func(f parcel.File, size int64, content io.Reader) error {
		if content != nil && !s.runs[idOf(f)] {
			start[f] = startOf(content)
		}
		return nil
	})
	if err != nil {
		return nil, remoteError(err)
	}
	slices.SortStableFunc(files, func(a, b parcel.File) int { return start[a].Compare(start[b]) })
	return files, nil
}

// startOf returns the time in the header of a run's text, the zero time where there
// is none.
func startOf(text io.Reader) time.Time {
	lines := bufio.NewScanner(text)
	for lines.Scan() && !strings.HasPrefix(lines.Text(), "Benchmark") {
		if value, ok := strings.CutPrefix(lines.Text(), "start: "); ok {
			t, _ := time.Parse(time.RFC3339Nano, value) // the zero time where it is none
			return t
		}
	}
	return time.Time{}
}

// storeFile stores what one file holds. What it cannot read is left out with a notice:
// one file must not stand in the way of all others.
func (s *syncer) storeFile(ctx context.Context, k kind, f parcel.File, size int64, content io.Reader) error {
	text, err := readLimited(size, content)
	switch {
	case errors.Is(err, io.ErrUnexpectedEOF):
		return err // of git, which was stopped
	case err == nil && record.IDOf(text) != idOf(f):
		err = errNotItsName
	}
	if err != nil {
		s.damaged[f] = true
		s.skip(f.Name, err)
		return nil
	}
	return s.storeText(ctx, k, f, text)
}

func (s *syncer) storeText(ctx context.Context, k kind, f parcel.File, text []byte) error {
	id := idOf(f)
	switch {
	case k == runKind && (s.deleted[id] || s.runs[id]), s.records[k][id]:
		return nil
	case k == runKind:
		run, err := record.ParseRun(text)
		if err != nil {
			s.skip("run "+record.ShortHash(id), err)
			return nil
		}
		if !s.opt.DryRun {
			if _, _, err := s.db.Put(ctx, run); err != nil {
				return err
			}
		}
		s.runs[id] = true
	case k == acceptedKind:
		acceptance, err := record.ParseAcceptance(text)
		if err != nil {
			s.skip("acceptance "+record.ShortHash(id), err)
			return nil
		}
		if !s.opt.DryRun {
			if _, _, err := s.db.Accept(ctx, acceptance); err != nil {
				return err
			}
		}
		s.records[k][id] = true
	case k == deletedKind:
		deletion, err := record.ParseDeletion(text)
		if err != nil {
			s.skip("deletion "+record.ShortHash(id), err)
			return nil
		}
		if err := s.delete(ctx, deletion); err != nil {
			return err
		}
	default:
		return nil // of a newer perftrack
	}
	s.done.Received.count(k, 1)
	return nil
}

// delete deletes the runs here that d names.
func (s *syncer) delete(ctx context.Context, d record.Deletion) error {
	gone := 0
	for _, id := range d.Runs {
		if s.runs[id] {
			gone++
		}
	}
	if !s.opt.DryRun {
		if _, err := s.db.Delete(ctx, d); err != nil {
			return err
		}
	}
	s.addDeletion(d)
	s.done.Deleted += gone
	return nil
}

// readLimited reads a file whole, if it is one and not too large.
func readLimited(size int64, content io.Reader) ([]byte, error) {
	switch {
	case content == nil:
		return nil, errors.New("its content is missing")
	case size > bounds.MaxInput:
		return nil, fmt.Errorf("larger than %d MiB, the limit of an input", bounds.MaxInput>>20)
	}
	return io.ReadAll(content)
}

// keepParcels makes references to the fresh parcels that hold nothing damaged. The others are
// fetched, and noticed, again the next time.
func (s *syncer) keepParcels(ctx context.Context, fresh []parcel.Parcel) error {
	var sound []parcel.Parcel
	for _, p := range fresh {
		files, ok := s.files[p.Commit]
		if !ok || slices.ContainsFunc(files, func(f parcel.File) bool { return s.damaged[f] }) || s.kept[p.Name] != "" {
			continue
		}
		sound = append(sound, p)
	}
	if err := s.clone.Keep(ctx, sound, nil); err != nil {
		return fault.Git(err)
	}
	for _, p := range sound {
		s.kept[p.Name] = p.Commit
		s.checked[p.Commit] = true
	}
	return nil
}

// isDeleted reports whether a file is a run that was deleted.
func (s *syncer) isDeleted(f parcel.File) bool { return kindOf(f) == runKind && s.deleted[idOf(f)] }
