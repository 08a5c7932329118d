package history

import (
	"bytes"
	"context"
	"encoding/gob"
	"errors"
	"slices"
	"time"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/fault"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/workspace"
	"github.com/perftrack/perftrack/reports/filecache"
	"github.com/perftrack/perftrack/runner/record"
	"github.com/perftrack/perftrack/store"
)

const (
	keptForm   = "perftrack outlines 6"
	keptAnswer = "outlines"  // name of the summaries in the database
	keptFrom   = time.Second // summaries computed in less time are not worth a file
	keptPause  = time.Minute
)

// ManyPoints is the minimum number of points in all histories for [Keep] to store summaries. With
// fewer points, computing them takes about a second.
const ManyPoints = 100_000

// keptSummaries holds summaries in their stored form.
type keptSummaries struct {
	When time.Time
	All  []keptSummary
}

// A keptSummary is a summary with the stamp of its inputs.
type keptSummary struct {
	Stamp   Stamp
	Summary summary
}

func encodeKept(all []keptSummary, now time.Time) ([]byte, error) {
	var b bytes.Buffer
	err := gob.NewEncoder(&b).Encode(keptSummaries{now, all})
	return b.Bytes(), err
}

// decodeKept decodes stored summaries. It returns the zero value if their format is unknown,
// perhaps from another version.
func decodeKept(text []byte) (kept keptSummaries) {
	if gob.NewDecoder(bytes.NewReader(text)).Decode(&kept) != nil {
		return keptSummaries{}
	}
	return kept
}

// Keep stores the summaries of all histories in the database, for [Outline] and [Regressions] in
// this and other clones, unless there are fewer than least points. It computes only the summaries
// of changed benchmarks, and reports whether there were any. Commands call it after writing to the
// database. It does nothing if the last call was less than keptPause ago, to avoid slowing down
// scripts that import many files one by one.
func Keep(ctx context.Context, a *workspace.Session, least int) (stored bool, err error) {
	d, err := a.Database(ctx)
	if err != nil {
		return false, err
	}
	db, err := d.Open(ctx)
	if err != nil {
		return false, fault.IO(err)
	}
	defer func() { err = errors.Join(err, db.Close()) }() // after the reader is closed, so that no file of SQLite remains
	due, err := isDue(ctx, db, a.Now(), least)
	if err != nil {
		return false, fault.IO(err)
	}
	if !due {
		return false, nil
	}
	text, err := newKept(ctx, a)
	if err != nil || text == nil {
		return false, err
	}
	if err := db.KeepAnswer(ctx, keptAnswer, text); err != nil {
		return false, fault.IO(err)
	}
	return true, nil
}

// isDue reports whether there are enough points, and the summaries were not stored a moment ago.
func isDue(ctx context.Context, db *store.DB, now time.Time, least int) (bool, error) {
	all, err := db.Benchmarks(ctx, store.Filter{})
	if err != nil {
		return false, err
	}
	points := 0
	for _, b := range all {
		points += b.Runs
	}
	if points < least {
		return false, nil
	}
	stored, err := db.Answer(ctx, keptAnswer)
	return now.Sub(decodeKept(stored).When).Abs() >= keptPause, err
}

// newKept returns the text to store, or nil if the stored text is still valid or a damaged run was
// left out.
func newKept(ctx context.Context, a *workspace.Session) (text []byte, err error) {
	r, err := openReader(ctx, a, Options{})
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, r.db.Close()) }()
	all, computed, err := r.summaries(ctx, a, r.all, "")
	if err != nil || computed == 0 || len(r.db.Damaged()) > 0 {
		return nil, err
	}
	return encodeKept(all, a.Now())
}

// summaries returns the summaries of benchmarks, and the number of newly computed ones. It reuses
// valid summaries from the database and from the file keep, unless keep is "". If computing took at
// least keptFrom and no damaged run was left out, it stores all summaries in the file.
func (r *reader) summaries(ctx context.Context, a *workspace.Session, list []store.BenchmarkInfo, keep string) (all []keptSummary, computed int, err error) {
	begin := a.Now()
	stamps, known := r.newStamps(a.Version), map[Stamp]*summary{}
	all = make([]keptSummary, len(list))
	missing := make([]int, len(list))
	for i, b := range list {
		all[i].Stamp, missing[i] = stamps.Of(b), i
	}
	find := func(text []byte) {
		for _, k := range decodeKept(text).All {
			known[k.Stamp] = &k.Summary
		}
		missing = slices.DeleteFunc(missing, func(i int) bool {
			found := known[all[i].Stamp]
			if found != nil {
				all[i].Summary = *found
				r.notes.add(found)
			}
			return found != nil
		})
	}
	file := filecache.File{Path: keep, Form: keptForm}
	if r.opt.Anchor == "" { // the revision may refer to a different commit tomorrow
		stored, err := r.db.Answer(ctx, keptAnswer)
		if err != nil {
			return nil, 0, fault.IO(err)
		}
		find(stored)
		if text, ok := file.Read(); ok && len(missing) > 0 {
			find(text)
		}
	}
	did := a.Counting("computing the histories", len(missing))
	if err := EachOf(ctx, len(missing), func(ctx context.Context, k int) (err error) {
		one, b := &all[missing[k]], list[missing[k]]
		var points []record.HistoryPoint
		if one.Summary, points, err = r.summary(ctx, b); stamps.Miss(b, points) {
			one.Stamp = Stamp{} // so that nobody uses the summary again
		}
		did()
		return err
	}); err != nil {
		return nil, 0, err
	}
	if end := a.Now(); len(missing) > 0 && r.opt.Anchor == "" && end.Sub(begin) >= keptFrom && len(r.db.Damaged()) == 0 {
		if text, err := encodeKept(all, end); err == nil {
			file.Write(text, end)
		}
	}
	return all, len(missing), nil
}

// summary computes the summary of a benchmark, which is empty if the benchmark lacks the unit in the
// options. It also returns all stored points.
func (r *reader) summary(ctx context.Context, b store.BenchmarkInfo) (s summary, all []record.HistoryPoint, err error) {
	if r.opt.Unit != "" && len(shownUnits(b, r.opt.Unit)) == 0 {
		return s, nil, nil
	}
	n := newNotes()
	series, all, err := r.seriesOf(ctx, b, r.anchor == nil, n)
	if err != nil {
		return s, nil, err
	}
	return r.summarize(b, series, n), all, nil
}

// summarize sums up the series of a benchmark and the notes about its runs.
func (r *reader) summarize(b store.BenchmarkInfo, series []branchSeries, n *notes) summary {
	s := summarize(b, series)
	s.Hidden, s.Levelled = numbers(n.hidden), numbers(n.levelled)
	r.notes.add(&s)
	return s
}
