package exchange

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/fault"
	"github.com/perftrack/perftrack/reports"
	"github.com/perftrack/perftrack/runner/gitrepo/parcel"
	"github.com/perftrack/perftrack/runner/record"
)

// maxBatch is the largest number of records in one push, so an interrupted first sync need not
// begin again.
const maxBatch = 1000

// send sends records missing on the remote, and keeps the number of its parcels small.
func (s *syncer) send(ctx context.Context, records []storedRecord) error {
	if err := s.removeReplaced(ctx); err != nil {
		return err
	}
	for some := range slices.Chunk(records, maxBatch) {
		if err := s.sendParcel(ctx, some); err != nil {
			return err
		}
	}
	return s.compact(ctx)
}

// sendParcel sends a parcel with the records and all files of some older parcels, and then removes
// these from the remote. After an error, the records were not sent.
func (s *syncer) sendParcel(ctx context.Context, records []storedRecord) error {
	old := s.gather(len(records))
	if len(records)+len(old) == 0 {
		return nil
	}
	made, err := s.write(ctx, records, old)
	if err != nil {
		return err
	}
	if made.Commit != "" {
		if err := s.push(ctx, []parcel.Parcel{made}, nil); err != nil {
			// Otherwise each sync refused by the remote would leave a parcel behind.
			return errors.Join(err, s.unkeep(context.WithoutCancel(ctx), []parcel.Parcel{made}))
		}
	}
	s.countSent(made, records)
	return s.remove(ctx, old)
}

// countSent counts the records in a parcel. The parcel has no damaged records.
func (s *syncer) countSent(made parcel.Parcel, records []storedRecord) {
	in := map[string]bool{}
	for _, f := range s.files[made.Commit] {
		in[f.Name] = true
	}
	for _, r := range records {
		if in[r.file()] {
			s.done.Sent.count(r.kind, 1)
		}
	}
}

// write makes a parcel of the records and of the files in old. The parcel has no commit if it would
// be empty.
func (s *syncer) write(ctx context.Context, records []storedRecord, old []parcel.Parcel) (made parcel.Parcel, err error) {
	parents := slices.DeleteFunc(slices.Clone(old), s.spoiled)
	slices.Reverse(parents) // the largest first
	made, err = s.clone.Write(ctx, parents, func(w *parcel.Writer) (string, error) {
		written := map[string]bool{}
		if len(parents) > 0 {
			for _, f := range s.files[parents[0].Commit] {
				written[f.Name] = true
			}
		}
		if err := s.writeRecords(ctx, w, records, written); err != nil {
			return "", err
		}
		for _, p := range old {
			for _, f := range s.files[p.Commit] {
				if s.bad(f) || written[f.Name] {
					continue
				}
				if err := w.Add(f); err != nil {
					return "", err
				}
				written[f.Name] = true
			}
		}
		return packName(slices.Collect(maps.Keys(written)), old), nil
	})
	if err != nil {
		return made, remoteError(err)
	}
	if made.Commit == "" {
		return made, nil
	}
	if s.kept[made.Name] == "" {
		s.kept[made.Name] = made.Commit
	}
	return made, s.listFiles(ctx, []parcel.Parcel{made})
}

// writeRecords adds the undamaged records to a parcel. It notes their files in written.
func (s *syncer) writeRecords(ctx context.Context, w *parcel.Writer, records []storedRecord, written map[string]bool) error {
	for i, r := range records {
		if i%16 == 15 {
			s.progress("writing", i+1, len(records))
		}
		text, err := r.text(ctx)
		if errors.Is(err, errDamagedRun) {
			s.skip("run "+record.ShortHash(r.id), err)
			continue
		}
		if err == nil {
			err = w.Write(r.file(), text)
		}
		if err != nil {
			return err
		}
		written[r.file()] = true
	}
	return nil
}

// packName returns a name for a parcel with the given files in place of the parcels in old. The
// same files in place of the same parcels have the same name in every clone. No parcel has the name
// of one it replaces, directly or not. So if one clone removes p because it has seen q, and another
// removes q because it has seen r, then r is not p.
func packName(files []string, old []parcel.Parcel) string {
	for _, p := range old {
		files = append(files, p.Name)
	}
	slices.Sort(files)
	return PackFolder + record.IDOf([]byte(strings.Join(files, "\n")))
}

// A remote may refuse part of a push because of other clients' locks or its own hooks. Each partial
// success resets the number of tries.
const (
	// MaxTries is the number of unsuccessful retries in a row before push gives up.
	MaxTries  = 8
	firstWait = 50 * time.Millisecond
	longWait  = 2 * time.Second
)

// push sends and removes parcels until the remote's list of parcels shows that everything is done.
// It relies on this list rather than on the result of a push.
func (s *syncer) push(ctx context.Context, send, remove []parcel.Parcel) error {
	total := len(send) + len(remove)
	for tries, wait := 0, firstWait; ; tries++ {
		refused, pushErr := s.clone.Push(ctx, s.remote, send, remove, func(n int) {
			s.progress("sending", total-len(send)-len(remove)+n, total)
		})
		theirs, _, err := s.clone.ListRemote(ctx, s.remote)
		if err != nil {
			return remoteError(errors.Join(pushErr, err))
		}
		before := len(send) + len(remove)
		s.theirs = theirs
		send, remove = s.settle(send, remove)
		left := len(send) + len(remove)
		if left == 0 {
			return nil
		}
		if left < before {
			tries, wait = 0, firstWait
		}
		if tries >= MaxTries || final(pushErr, refused) {
			return s.refusal(pushErr, refused, send, remove)
		}
		if err := s.pause(ctx, wait); err != nil {
			return err
		}
		wait = min(2*wait, longWait)
	}
}

// pause waits for a random time of about d, so clones do not all act at the same moment.
func (s *syncer) pause(ctx context.Context, d time.Duration) error {
	return s.session.Pause(ctx, d/2+time.Duration(s.session.Rand.Int64N(int64(d))))
}

// settle returns the parcels in send still missing on the remote, and the parcels in remove still
// on it.
func (s *syncer) settle(send, remove []parcel.Parcel) (lacks, has []parcel.Parcel) {
	there := make(map[parcel.Parcel]bool, len(s.theirs))
	for _, p := range s.theirs {
		there[p] = true
	}
	lacks = slices.DeleteFunc(slices.Clone(send), func(p parcel.Parcel) bool { return there[p] })
	has = slices.DeleteFunc(slices.Clone(remove), func(p parcel.Parcel) bool { return !there[p] })
	return lacks, has
}

// final reports whether retrying is useless because the remote does not permit the push.
func final(err error, refused map[string]parcel.Refusal) bool {
	var remote *parcel.RemoteError
	if errors.As(err, &remote) && remote.Denied {
		return true
	}
	for _, why := range refused {
		for _, word := range []string{"prohibited", "rotected", "rule violations", "hidden ref", "not allowed", "denied"} {
			if strings.Contains(why.Reason, word) {
				return true
			}
		}
	}
	return false
}

func (s *syncer) refusal(err error, refused map[string]parcel.Refusal, send, remove []parcel.Parcel) error {
	if err != nil && len(refused) == 0 {
		return remoteError(err)
	}
	for _, p := range slices.Concat(send, remove) {
		if why, ok := refused[p.Name]; ok {
			remedy := "allow them in the remote's rules and hooks"
			if strings.Contains(why.Reason, "unpacker error") {
				remedy = "the remote cannot store them; check its permissions and its disk"
			}
			return fault.Git(fmt.Errorf("write remote %s: it refused %s in refs/perftrack/* (such as %s): %v: %s, or only receive with --no-push; "+
				"nothing is lost: the next sync sends them", s.remoteName(), reports.Plural(len(send)+len(remove), "reference"), p.Name, why, remedy))
		}
	}
	return fault.Git(fmt.Errorf("write remote %s: it accepted %s in refs/perftrack/* but does not list them: sync again", s.remoteName(), reports.Plural(len(send)+len(remove), "reference")))
}
