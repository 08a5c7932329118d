package imports

import (
	"context"
	"fmt"
	"hash/maphash"
	"slices"
	"strings"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/fault"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/workspace"
	"github.com/perftrack/perftrack/runner/format/reading"
	"github.com/perftrack/perftrack/runner/record/decode"
	"github.com/perftrack/perftrack/store"
)

// An Outcome says what an import stored and what it left out.
type Outcome struct {
	Runs       []Result
	Benchmarks int // different benchmarks in the runs
	Left       []LeftOut

	seen map[uint64]bool // hashes of the benchmarks
}

// A LeftOut is a group of entries that an import understood and did not store.
type LeftOut struct {
	Reason string
	Count  int
	First  string // file, line and name of the first entry, as far as they are known
}

// maxReasons is the number of groups in an outcome. Some formats give an error message as a reason.
const maxReasons = 20

const otherReasons = "other reasons"

// leaveOut adds an entry to the group with its reason.
func (o *Outcome) leaveOut(reason, first string) {
	at := slices.IndexFunc(o.Left, func(l LeftOut) bool { return l.Reason == reason })
	if at < 0 && len(o.Left) >= maxReasons {
		reason = otherReasons
		at = slices.IndexFunc(o.Left, func(l LeftOut) bool { return l.Reason == reason })
	}
	if at < 0 {
		at = len(o.Left)
		o.Left = append(o.Left, LeftOut{Reason: reason, First: first})
	}
	o.Left[at].Count++
}

// leaveOutOf adds an entry that a format leaves out.
func (o *Outcome) leaveOutOf(l *reading.LeftOut) {
	first := l.FileName
	if l.Line > 0 {
		first = fmt.Sprintf("%s:%d", first, l.Line)
	}
	if l.What != "" {
		first += " (" + l.What + ")"
	}
	o.leaveOut(l.Why, first)
}

var seed = maphash.MakeSeed()

// store stores a run from a file, unless it is already stored or was deleted.
func (o *Outcome) store(ctx context.Context, db *store.DB, file string, r *decode.Packed) error {
	id, added, err := db.PutPacked(ctx, r)
	if err != nil {
		return err
	}
	return o.stored(ctx, db, file, r, store.Stored{ID: id, Added: added})
}

// stored adds what became of a run.
func (o *Outcome) stored(ctx context.Context, db *store.DB, file string, r *decode.Packed, is store.Stored) error {
	one := Result{File: file, ID: is.ID, Added: is.Added, Target: r.Header.Target, Commit: r.Header.Commit, Benchmarks: r.Len(), Rounds: r.Rounds()}
	if !is.Added {
		if d, ok, err := db.DeletionOf(ctx, is.ID); err != nil {
			return err
		} else if ok {
			one.Deleted = &d
		}
	}
	if o.seen == nil {
		o.seen = map[uint64]bool{}
	}
	for b := range r.IDs() {
		if len(o.seen) < maxSeen {
			o.seen[maphash.Comparable(seed, b)] = true
		}
	}
	o.Benchmarks = len(o.seen)
	o.Runs = append(o.Runs, one)
	return nil
}

// maxSeen bounds the memory for counting benchmarks.
const maxSeen = 1 << 20

// notice prints notices about what was left out.
func (o *Outcome) notice(a *workspace.Session) {
	for _, l := range o.Left {
		switch {
		case l.First == "":
			a.Noticef("left out %d: %s", l.Count, l.Reason)
		case l.Count == 1:
			a.Noticef("left out %s: %s", l.First, l.Reason)
		default:
			a.Noticef("left out %d, such as %s: %s", l.Count, l.First, l.Reason)
		}
	}
	noticeDeleted(a, o.Runs)
}

// nothing returns the error for an input without runs. before are the groups before the input was
// read.
func (o *Outcome) nothing(label string, before []LeftOut) error {
	var reasons []string
	for i, l := range o.Left {
		if i >= len(before) || l.Count > before[i].Count {
			reasons = append(reasons, l.Reason)
		}
	}
	if len(reasons) == 0 {
		return fault.Data(fmt.Errorf("%w in %s: see `perftrack formats`", errNoRuns, label))
	}
	return fault.Data(fmt.Errorf("%w in %s: all of it is left out (%s)", errNoRuns, label, strings.Join(reasons, "; ")))
}
