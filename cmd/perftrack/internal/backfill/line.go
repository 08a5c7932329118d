package backfill

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/fault"
	"github.com/perftrack/perftrack/runner/gitrepo"
	"github.com/perftrack/perftrack/runner/record"
)

// A line is the commits of a range along first parents, the oldest first: the state of a branch
// after each thing that came into it, and its first state.
type line struct {
	name     string // the range, as the user writes it
	first    string // its beginning, likewise
	from, to gitrepo.Commit
	commits  []gitrepo.Commit
}

// readLine finds the commits of A..B. Unlike in git, A is one of them, unless it is not of that
// line itself: then it was merged into it.
func readLine(ctx context.Context, repo *gitrepo.Repo, rng string) (l line, err error) {
	from, to, ok := strings.Cut(rng, "..")
	if !ok || from == "" || strings.HasPrefix(to, ".") {
		return l, fault.Usagef("%q is not a range such as v1.0..main", rng)
	}
	to = cmp.Or(to, "HEAD")
	l.name, l.first = from+".."+to, from
	if l.from, err = repo.Resolve(ctx, from); err != nil {
		return l, fault.Git(err)
	}
	if l.to, err = repo.Resolve(ctx, to); err != nil {
		return l, fault.Git(err)
	}
	if l.from.SHA == l.to.SHA {
		return l, fault.Usagef("%s is empty: both ends are the commit %s; to measure that one: perftrack run --rev %s", l.name, record.ShortHash(l.to.SHA), to)
	}
	base, err := repo.MergeBase(ctx, l.from.SHA, l.to.SHA)
	switch {
	case err != nil:
		return l, fault.Git(err)
	case base.SHA == l.to.SHA:
		return l, fault.Usagef("%s goes back in time: write it as %s..%s", l.name, to, from)
	case base.SHA != l.from.SHA:
		return l, fault.Usagef("%s is not in the history of %s: begin where they parted, %s..%s", from, to, record.ShortHash(base.SHA), to)
	}
	after, err := repo.Line(ctx, l.from, l.to)
	if err != nil {
		return l, fault.Git(err)
	}
	on, err := repo.FirstParents(ctx, l.to.SHA)
	if err != nil {
		return l, fault.Git(err)
	}
	if on[l.from.SHA] {
		l.commits = append(l.commits, l.from)
	}
	l.commits = append(l.commits, after...)
	return l, nil
}

// A Choice says which commits of a range are measured. The zero value is all.
type Choice struct {
	Steps int           // so many, evenly spaced; 0 is not chosen by number
	Tags  bool          // those with a tag
	Every time.Duration // the newest of each period of this length, by commit date
}

// choose returns the positions of the commits that are chosen, ascending. At the positions in
// have there are points already: with Steps, each stands for what would have been chosen near
// it, so that a branch that grew is not measured all over.
func (l line) choose(ctx context.Context, repo *gitrepo.Repo, c Choice, have []int) ([]int, error) {
	switch {
	case c.Steps > 0:
		return spaced(len(l.commits), c.Steps, have), nil
	case c.Tags:
		return l.tagged(ctx, repo)
	case c.Every > 0:
		return periodic(l.commits, c.Every), nil
	}
	all := make([]int, len(l.commits))
	for i := range all {
		all[i] = i
	}
	return all, nil
}

func (l line) tagged(ctx context.Context, repo *gitrepo.Repo) (positions []int, err error) {
	tags, err := repo.Tags(ctx)
	if err != nil {
		return nil, fault.Git(err)
	}
	for i, c := range l.commits {
		if len(tags[c.SHA]) > 0 {
			positions = append(positions, i)
		}
	}
	if len(positions) == 0 {
		err := errors.New("there are no tags here: fetch them with: git fetch --tags")
		if len(tags) > 0 {
			err = fmt.Errorf("no commit of the first-parent line of %s has a tag: tags of other branches do not count; choose with --steps or --every", l.name)
		}
		return nil, fault.Usage(err)
	}
	return positions, nil
}

// spaced returns n of the positions below size, as evenly spaced as they go, with both ends; of
// one only the last. In place of one between the ends it returns the nearest position in have
// to which none of the others is nearer.
func spaced(size, n int, have []int) (positions []int) {
	if n == 1 || size == 1 {
		return []int{size - 1}
	}
	n = min(n, size)
	step := float64(size-1) / float64(n-1)
	for i := range n {
		positions = append(positions, int(math.Round(float64(i)*step)))
	}
	away := make([]float64, n) // of the position in have that was taken; 0 is none
	for _, h := range have {
		i := int(math.Round(float64(h) / step))
		d := math.Abs(float64(h)-float64(i)*step) + 1
		if 0 < i && i < n-1 && (away[i] == 0 || d < away[i]) {
			positions[i], away[i] = h, d
		}
	}
	return positions
}

// periodic returns the position of the newest commit of each period, counted back from the
// newest commit. A commit from after that one, by a clock that was wrong, is of the first.
func periodic(commits []gitrepo.Commit, every time.Duration) (positions []int) {
	last := len(commits) - 1
	seen := map[time.Duration]bool{}
	for i := last; i >= 0; i-- {
		period := max(0, commits[last].Time.Sub(commits[i].Time)/every)
		if !seen[period] {
			positions = append(positions, i)
		}
		seen[period] = true
	}
	slices.Reverse(positions)
	return positions
}
