package exchange

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/fault"
	"github.com/perftrack/perftrack/runner/gitrepo/parcel"
	"github.com/perftrack/perftrack/runner/record"
)

// send gives the remote what it lacks: one parcel a record.
func (s *syncer) send(ctx context.Context, records []storedRecord) error {
	if len(records) == 0 {
		return nil
	}
	parcels, err := s.parcels(ctx, records)
	if err != nil {
		return err
	}
	if err := s.push(ctx, parcels, nil); err != nil {
		return err
	}
	for _, p := range parcels {
		for _, f := range s.files[p.Commit] {
			s.done.Sent.count(kindOf(f), 1)
		}
	}
	return nil
}

// parcels makes the parcels of records, but for those that an earlier sync made and
// could not send. A record whose name on the remote is taken by something else goes
// into a parcel of another name.
func (s *syncer) parcels(ctx context.Context, records []storedRecord) (all []parcel.Parcel, err error) {
	taken := map[string]bool{}
	for _, p := range s.theirs {
		taken[p.Name] = true
	}
	var write, apart []storedRecord
	for _, r := range records {
		switch commit := s.kept[r.parcel()]; {
		case taken[r.parcel()]:
			apart = append(apart, r)
		case commit != "":
			all = append(all, parcel.Parcel{Name: r.parcel(), Commit: commit})
		default:
			write = append(write, r)
		}
	}
	made, err := s.write(ctx, write, apart)
	return append(all, made...), err
}

// write makes one parcel of each record, and one of all those that go apart.
func (s *syncer) write(ctx context.Context, each, apart []storedRecord) ([]parcel.Parcel, error) {
	if len(each)+len(apart) == 0 {
		return nil, nil
	}
	n := 0
	text := func(r storedRecord) ([]byte, error) {
		if n++; n%16 == 0 {
			s.progress("writing", n, len(each)+len(apart))
		}
		content, err := r.text(ctx)
		if errors.Is(err, errDamagedRun) {
			s.skip("run "+record.ShortHash(r.id), err)
			return nil, nil
		}
		return content, err
	}
	made, err := s.clone.Write(ctx, func(w *parcel.Writer) error {
		for _, r := range each {
			content, err := text(r)
			if err == nil && content != nil {
				err = errors.Join(w.New(r.parcel()), w.Write(r.file(), content))
			}
			if err != nil {
				return err
			}
		}
		if len(apart) == 0 {
			return nil
		}
		var names []string
		for _, r := range apart {
			names = append(names, r.file())
		}
		if err := w.New(packName(names)); err != nil {
			return err
		}
		for _, r := range apart {
			content, err := text(r)
			if err == nil && content != nil {
				err = w.Write(r.file(), content)
			}
			if err != nil {
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

// packName is the name of a parcel with files of the given names: two clones that
// pack the same files make the same parcel.
func packName(files []string) string {
	files = slices.Clone(files)
	slices.Sort(files)
	return PackFolder + record.IDOf([]byte(strings.Join(files, "\n")))
}

// listMade lists the files of parcels that were made here, which need no check.
func (s *syncer) listMade(ctx context.Context, made []parcel.Parcel) error {
	for _, p := range made {
		s.checked[p.Commit] = true
		if s.kept[p.Name] == "" {
			s.kept[p.Name] = p.Commit
		}
	}
	return s.listFiles(ctx, made)
}

// A remote turns away a part of a push because of other pushers' locks, or a hook of its
// own. Every try that got anything through starts the count anew.
const (
	// MaxTries is how often a push is tried without any success.
	MaxTries  = 8
	firstWait = 50 * time.Millisecond
	longWait  = 2 * time.Second
)

// push sends parcels and removes others until the remote has the ones and not the
// others, as its list of parcels says: a push that failed is not believed.
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
		// Not all at the same moment again.
		if err := s.session.Pause(ctx, wait/2+time.Duration(s.session.Rand.Int64N(int64(wait)))); err != nil {
			return err
		}
		wait = min(2*wait, longWait)
	}
}

// settle returns those of send that the remote still lacks, and those of remove that
// it still has.
func (s *syncer) settle(send, remove []parcel.Parcel) (lacks, has []parcel.Parcel) {
	there := make(map[parcel.Parcel]bool, len(s.theirs))
	for _, p := range s.theirs {
		there[p] = true
	}
	lacks = slices.DeleteFunc(slices.Clone(send), func(p parcel.Parcel) bool { return there[p] })
	has = slices.DeleteFunc(slices.Clone(remove), func(p parcel.Parcel) bool { return !there[p] })
	return lacks, has
}

// final reports whether trying again is no use: the remote does not let us, by its
// words.
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
			remedy := "allow them in its rules and hooks"
			if strings.Contains(why.Reason, "unpacker error") {
				remedy = "it cannot store them: look at its permissions and its disk"
			}
			return fault.Git(fmt.Errorf("write remote %s: it refuses %d of refs/perftrack/* (such as %s): %v: %s, or receive only with --no-push; "+
				"nothing is lost, the next sync sends them", s.remoteName(), len(send)+len(remove), p.Name, why, remedy))
		}
	}
	return fault.Git(fmt.Errorf("write remote %s: it took %d of refs/perftrack/* and does not have them: sync again", s.remoteName(), len(send)+len(remove)))
}
