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

	"github.com/perftrack/perftrack/runner/format/bounds"
	"github.com/perftrack/perftrack/runner/gitrepo/parcel"
	"github.com/perftrack/perftrack/runner/record"
	"github.com/perftrack/perftrack/runner/record/decode"
)

// listFiles reads the names of the files in parcels. It skips unreadable parcels with a notice.
func (s *syncer) listFiles(ctx context.Context, parcels []parcel.Parcel) error {
	err := s.clone.Files(ctx, parcels, func(p parcel.Parcel, files []parcel.File, others int, err error) error {
		if err != nil {
			s.odd[p.Commit] = true
			s.skip("refs/perftrack/"+p.Name, err)
			return nil
		}
		s.mixed[p.Commit] = others > 0
		s.files[p.Commit] = files
		return nil
	})
	if err != nil {
		return remoteError(err)
	}
	return nil
}

// storeReceived stores the records missing in the database, and keeps the new parcels. It skips
// files that are unreadable or do not match their name, with a notice.
func (s *syncer) storeReceived(ctx context.Context, mine, fresh []parcel.Parcel) error {
	todo := s.unread(mine, fresh)
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
		if err := s.storeWaiting(ctx); err != nil {
			return err
		}
	}
	if s.opt.DryRun {
		return nil
	}
	return s.keepParcels(ctx, fresh)
}

// unread returns the files to read, by kind; "" means unknown kinds. It includes all files in new
// parcels, but only those files in this clone's parcels with records missing in the database.
func (s *syncer) unread(mine, fresh []parcel.Parcel) map[kind][]parcel.File {
	todo := map[kind][]parcel.File{}
	for i, p := range slices.Concat(mine, fresh) {
		for _, f := range s.files[p.Commit] {
			k := kindOf(f)
			known := s.records[k][idOf(f)] || k == runKind && (s.runs[idOf(f)] || s.deleted[idOf(f)])
			if folders[k] == "" {
				k, known = "", true
			}
			if !s.seen[f] && !(known && i < len(mine)) {
				todo[k] = append(todo[k], f)
			}
			s.seen[f] = true
		}
	}
	for _, files := range todo {
		slices.SortFunc(files, func(a, b parcel.File) int {
			return cmp.Or(strings.Compare(a.Name, b.Name), strings.Compare(a.Blob, b.Blob))
		})
	}
	return todo
}

// byStart sorts files with runs by the start of the run, because the order of storage decides which
// of two runs of a commit is the newer one. Runs already in the database need not be sorted.
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

// startOf returns the start time from the header of a run's text, or zero if it has none.
func startOf(text io.Reader) time.Time {
	lines := bufio.NewScanner(text)
	for lines.Scan() && !strings.HasPrefix(lines.Text(), "Benchmark") {
		if value, ok := strings.CutPrefix(lines.Text(), "start: "); ok {
			t, _ := time.Parse(time.RFC3339Nano, value) // the zero time if value is malformed
			return t
		}
	}
	return time.Time{}
}

// storeFile stores the record in a file. It skips an unreadable file with a notice, so one bad file
// does not block the rest.
func (s *syncer) storeFile(ctx context.Context, k kind, f parcel.File, size int64, content io.Reader) error {
	text, err := readLimited(size, content)
	switch {
	case errors.Is(err, io.ErrUnexpectedEOF):
		return err // git was killed
	case err != nil:
		s.lost[f] = true
	case record.IDOf(text) == idOf(f):
		return s.storeText(ctx, k, f, text)
	case f.Holds(text):
		s.wrong[f], err = true, errNotItsName
	default:
		s.lost[f], err = true, errors.New("its content is damaged in this clone: see `git fsck`")
	}
	s.skip(f.Name, err)
	return nil
}

func (s *syncer) storeText(ctx context.Context, k kind, f parcel.File, text []byte) error {
	id := idOf(f)
	switch {
	case k == runKind && (s.deleted[id] || s.runs[id]), s.records[k][id]:
		return nil
	case k == runKind:
		run, err := decode.ParseRun(text)
		if err != nil {
			s.skip("run "+record.ShortHash(id), err)
			return nil
		}
		s.runs[id] = true
		s.waiting = append(s.waiting, run)
		if s.waitingBytes += len(text); s.waitingBytes >= maxWaiting {
			if err := s.storeWaiting(ctx); err != nil {
				return err
			}
		}
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
		return nil // written by a newer perftrack
	}
	s.done.Received.count(k, 1)
	return nil
}

// maxWaiting is the number of bytes of text to receive before storing runs. Storing many small runs
// at once saves most of the time.
const maxWaiting = 1 << 20

// storeWaiting stores the waiting runs, unless this is a dry run.
func (s *syncer) storeWaiting(ctx context.Context) error {
	runs := s.waiting
	s.waiting, s.waitingBytes = nil, 0
	if s.opt.DryRun || len(runs) == 0 {
		return nil
	}
	_, err := s.db.PutAll(ctx, runs)
	return err
}

// delete deletes the runs listed in d from the database, unless this is a dry run.
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

// readLimited returns a file's content. It returns an error if the file is missing or too large.
func readLimited(size int64, content io.Reader) ([]byte, error) {
	switch {
	case content == nil:
		return nil, errors.New("its content is missing")
	case size > bounds.MaxInput:
		return nil, fmt.Errorf("larger than the input limit of %d MiB", bounds.MaxInput>>20)
	}
	text := make([]byte, size)
	_, err := io.ReadFull(content, text)
	return text, err
}

// isDeleted reports whether a file contains a deleted run.
func (s *syncer) isDeleted(f parcel.File) bool { return kindOf(f) == runKind && s.deleted[idOf(f)] }
