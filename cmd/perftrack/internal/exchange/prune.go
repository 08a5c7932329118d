package exchange

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/comparison"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/fault"
	"github.com/perftrack/perftrack/compare"
	"github.com/perftrack/perftrack/runner/record"
	"github.com/perftrack/perftrack/store"
)

// clockSlack is how far the clocks of two machines may differ.
const clockSlack = time.Hour

// prune deletes the runs that the retention rule does not keep. They go here at once;
// elsewhere when the deletion arrives.
func (s *syncer) prune(ctx context.Context) error {
	infos, err := s.db.Runs(ctx, store.Filter{})
	if err == nil {
		infos, err = s.db.Sound(ctx, infos, nil) // by what a damaged one says of its age, it is not deleted
	}
	if err != nil {
		return err
	}
	accepted, err := comparison.ReadAcceptances(ctx, s.session, s.db, "")
	if err != nil {
		return err
	}
	infos = slices.DeleteFunc(infos, func(i record.RunInfo) bool { return s.deleted[i.ID] }) // in a dry run
	now := s.session.Now()
	old, err := expired(infos, accepted, now, s.opt.Keep)
	if err != nil {
		return err
	}
	reason := fmt.Sprintf("measured before %s, %s ago", now.Add(-s.opt.Keep).UTC().Format(time.DateOnly), days(s.opt.Keep))
	for batch := range slices.Chunk(old, record.MaxDeletedRuns) {
		if err := s.delete(ctx, record.Deletion{Runs: batch, Reason: reason, Time: now}); err != nil {
			return err
		}
	}
	return nil
}

func days(d time.Duration) string { return fmt.Sprintf("%d days", d/(24*time.Hour)) }

// expired returns the ids of the runs that began longer than keep ago, but for those
// that stay however old they are:
//
//   - the newest complete run of a clean commit, of each target, environment and
//     branch: the baseline of what comes next;
//   - the runs of commits at which a change was accepted: where baselines start;
//   - the other side of a trial of which one run stays;
//   - the run that counts for another commit, too, whose own run stays;
//   - runs whose time is not known.
//
// With a clock that is behind the newest run nothing is deleted: it may as well be
// years ahead tomorrow.
func expired(infos []record.RunInfo, accepted compare.Accepted, now time.Time, keep time.Duration) ([]string, error) {
	stays, trials := map[string]bool{}, map[string]bool{}
	for _, info := range newestBaselines(infos) {
		stays[info.ID] = true
	}
	commits := map[string]bool{}
	for _, a := range accepted {
		commits[a.Target+" "+a.Commit] = true
	}
	carried := map[string]bool{} // runs that count for commits whose own runs stay
	for _, info := range infos {
		at := measured(info)
		if at.After(now.Add(clockSlack)) {
			return nil, fault.Data(fmt.Errorf("run %s was measured at %s, and here it is %s: nothing is deleted by a clock that is behind",
				record.ShortHash(info.ID), at.UTC().Format(time.RFC3339), now.UTC().Format(time.RFC3339)))
		}
		if at.IsZero() || at.After(now.Add(-keep)) || commits[info.Target+" "+info.Commit.SHA] {
			stays[info.ID] = true
		}
		if stays[info.ID] {
			carried[info.CarriedFrom()] = true
		}
	}
	for _, info := range infos {
		stays[info.ID] = stays[info.ID] || carried[info.ID]
		if stays[info.ID] && info.Trial != "" {
			trials[info.Trial] = true
		}
	}
	var old []string
	for _, info := range infos {
		if !stays[info.ID] && !trials[info.Trial] {
			old = append(old, info.ID)
		}
	}
	return old, nil
}

// measured returns when a run began, as far as known.
func measured(info record.RunInfo) time.Time {
	for _, t := range []time.Time{info.Start, info.End, info.Commit.Time} {
		if !t.IsZero() {
			return t
		}
	}
	return time.Time{}
}

// newestBaselines returns, of each target, environment and branch, the baseline that
// was measured last.
func newestBaselines(infos []record.RunInfo) map[[3]string]record.RunInfo {
	newest := map[[3]string]record.RunInfo{}
	for _, info := range infos {
		key := [3]string{info.Target, info.EnvironmentID, info.Commit.Branch}
		have, ok := newest[key]
		if info.Baseline() && (!ok || !measured(info).Before(measured(have))) {
			newest[key] = info
		}
	}
	return newest
}
