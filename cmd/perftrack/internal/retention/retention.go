// Package retention decides which runs may be deleted and deletes them, for perftrack sync --prune
// and perftrack db prune.
//
// A [Rule] selects runs by their age, number, branch or commit. [Choose] then takes out those still
// needed: see [Kept]. Start with retention.go. needed.go finds the runs needed by histories and
// git, and report.go shows the choice.
package retention

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/fault"
	"github.com/perftrack/perftrack/reports"
	"github.com/perftrack/perftrack/runner/record"
)

// clockSlack is the largest expected difference between the clocks of two machines.
const clockSlack = time.Hour

// A Rule selects runs to delete: those that fulfil all given conditions.
type Rule struct {
	Older       time.Duration // measured longer ago than this
	Keep        int           // not among the newest runs of its target, environment and branch
	Branch      string        // measured on this branch
	Unreachable bool          // of a commit not reachable from any branch or tag
}

// Empty reports whether no condition is set.
func (r Rule) Empty() bool { return r == Rule{} }

// Reason describes the rule in one line. It is stored with the deletion.
func (r Rule) Reason(now time.Time) string {
	var parts []string
	if r.Older > 0 {
		parts = append(parts, fmt.Sprintf("measured before %s, %s ago", now.Add(-r.Older).UTC().Format(time.DateOnly), reports.Plural(int(r.Older/(24*time.Hour)), "day")))
	}
	if r.Keep > 0 {
		parts = append(parts, fmt.Sprintf("not among the %d newest of its series", r.Keep))
	}
	if r.Branch != "" {
		parts = append(parts, "of branch "+record.OneLine(r.Branch))
	}
	if r.Unreachable {
		parts = append(parts, "of a commit that no branch or tag leads to")
	}
	return strings.Join(parts, ", ")
}

// A Kept is the reason for keeping a run selected by the rule.
type Kept string

// The reasons to keep a run.
const (
	KeptBaseline Kept = "a baseline"           // newest complete run of a clean commit for its target, environment and branch
	KeptAccepted Kept = "an accepted change"   // an accepted change at its commit starts new baselines
	KeptCarried  Kept = "counts for another"   // it also counts for another commit with a kept run
	KeptTrial    Kept = "a side of a trial"    // another run of its trial is kept
	KeptUndated  Kept = "of an unknown time"   // and the rule depends on time
	KeptStep     Kept = "next to a step"       // without it, the history would no longer show the step
	KeptRelease  Kept = "a release"            // its commit has a tag
	KeptNewest   Kept = "a benchmark's newest" // the last run of some benchmark
)

// A Needed holds the uses of the runs, except those in the headers of the runs.
type Needed struct {
	Accepted map[string]bool // targets and commits with an accepted change, see AcceptedKey
	Tagged   map[string]bool // commits with a tag
	Newest   map[string]bool // ids of the newest runs of all benchmarks
	Steps    map[string]bool // ids of the runs next to steps
	// Reachable has the commits reachable from a branch or a tag. It is nil outside a repository.
	Reachable map[string]bool
	// Branches holds the names of the branches, here and on remotes. A baseline of another branch
	// is no longer in use if the rule names its branch or unreachable commits. It is nil outside a
	// repository, where all branches count as present.
	Branches map[string]bool
}

// AcceptedKey returns the key of an accepted change.
func AcceptedKey(target, commit string) string { return target + " " + commit }

// A Choice is the result of [Choose].
type Choice struct {
	Rule   Rule
	Delete []record.RunInfo // runs to delete, oldest first
	Kept   map[Kept]int     // number of selected runs kept, by reason
	Of     int              // total number of runs
}

// IDs returns the ids of the runs to delete.
func (c Choice) IDs() (ids []string) {
	for _, info := range c.Delete {
		ids = append(ids, info.ID)
	}
	return ids
}

// Choose returns the runs selected by the rule and not needed.
//
// If the clock is behind the newest run, Choose returns an error, because a wrong clock may be
// years ahead tomorrow and make runs expire too early.
func Choose(infos []record.RunInfo, rule Rule, needed Needed, now time.Time) (Choice, error) {
	c := Choice{Rule: rule, Kept: map[Kept]int{}, Of: len(infos)}
	for _, info := range infos {
		if at := measured(info); at.After(now.Add(clockSlack)) {
			return c, fault.Data(fmt.Errorf("run %s was measured at %s, and the time here is %s: nothing is deleted, as the clock is behind",
				record.ShortHash(info.ID), at.UTC().Format(time.RFC3339), now.UTC().Format(time.RFC3339)))
		}
	}
	selected := rule.selects(infos, needed, now)
	kept := reasons(infos, rule, needed, selected)
	for _, info := range infos {
		switch why, stays := kept[info.ID]; {
		case !selected[info.ID]:
		case stays:
			c.Kept[why]++
		default:
			c.Delete = append(c.Delete, info)
		}
	}
	return c, nil
}

// selects returns the ids of the runs fulfilling all conditions.
func (r Rule) selects(infos []record.RunInfo, needed Needed, now time.Time) map[string]bool {
	newest := r.newest(infos)
	selected := map[string]bool{}
	for _, info := range infos {
		old := r.Older == 0 || !measured(info).After(now.Add(-r.Older))
		selected[info.ID] = old && !newest[info.ID] &&
			(r.Branch == "" || info.Commit.Branch == r.Branch) &&
			(!r.Unreachable || info.Commit.SHA != "" && !needed.Reachable[info.Commit.SHA])
	}
	return selected
}

// A series identifies the runs of a target in an environment and on a branch.
type series struct{ target, environment, branch string }

func seriesOf(info record.RunInfo) series {
	return series{info.Target, info.EnvironmentID, info.Commit.Branch}
}

// newest returns the ids of the Keep newest runs of each series.
func (r Rule) newest(infos []record.RunInfo) map[string]bool {
	if r.Keep == 0 {
		return nil
	}
	all := map[series][]record.RunInfo{}
	for _, info := range infos {
		all[seriesOf(info)] = append(all[seriesOf(info)], info)
	}
	newest := map[string]bool{}
	for _, list := range all {
		slices.SortStableFunc(list, func(a, b record.RunInfo) int {
			return cmp.Or(measured(b).Compare(measured(a)), cmp.Compare(b.Seq, a.Seq))
		})
		for _, info := range list[:min(r.Keep, len(list))] {
			newest[info.ID] = true
		}
	}
	return newest
}

// reasons returns the reasons for keeping runs, by id. Runs not selected by the rule are kept
// without a reason, and so are the runs they need.
func reasons(infos []record.RunInfo, rule Rule, needed Needed, selected map[string]bool) map[string]Kept {
	kept, baselines := map[string]Kept{}, newestBaselines(infos, rule, needed)
	carried, trials := map[string]bool{}, map[string]bool{}
	for _, info := range infos {
		switch {
		case baselines[info.ID]:
			kept[info.ID] = KeptBaseline
		case needed.Accepted[AcceptedKey(info.Target, info.Commit.SHA)]:
			kept[info.ID] = KeptAccepted
		case needed.Tagged[info.Commit.SHA]:
			kept[info.ID] = KeptRelease
		case needed.Steps[info.ID]:
			kept[info.ID] = KeptStep
		case needed.Newest[info.ID]:
			kept[info.ID] = KeptNewest
		case rule.Older > 0 && measured(info).IsZero():
			kept[info.ID] = KeptUndated
		case !selected[info.ID]:
			kept[info.ID] = ""
		}
		if _, stays := kept[info.ID]; stays {
			carried[info.CarriedFrom()] = true
		}
	}
	for _, info := range infos {
		if _, stays := kept[info.ID]; !stays && carried[info.ID] {
			kept[info.ID] = KeptCarried
		}
		if _, stays := kept[info.ID]; stays {
			trials[info.Trial] = true
		}
	}
	for _, info := range infos {
		if _, stays := kept[info.ID]; !stays && info.Trial != "" && trials[info.Trial] {
			kept[info.ID] = KeptTrial
		}
	}
	return kept
}

// measured returns the start time of a run. If it is unknown, it returns the end time or, failing
// that, the time of its commit. If all three are unknown, it returns the zero time.
func measured(info record.RunInfo) time.Time {
	for _, t := range []time.Time{info.Start, info.End, info.Commit.Time} {
		if !t.IsZero() {
			return t
		}
	}
	return time.Time{}
}

// newestBaselines returns the ids of the newest baseline runs for each target, environment and
// branch, except those no longer in use.
func newestBaselines(infos []record.RunInfo, rule Rule, needed Needed) map[string]bool {
	newest := map[series]record.RunInfo{}
	for _, info := range infos {
		have, ok := newest[seriesOf(info)]
		if info.Baseline() && (!ok || !measured(info).Before(measured(have))) {
			newest[seriesOf(info)] = info
		}
	}
	ids := map[string]bool{}
	for of, info := range newest {
		named := rule.Unreachable || rule.Branch != "" // otherwise a clone without the branch would delete it everywhere
		ids[info.ID] = !named || needed.Branches == nil || needed.Branches[of.branch]
	}
	return ids
}
