package comparison

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/fault"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/workspace"
	"github.com/perftrack/perftrack/compare"
	comparisonreport "github.com/perftrack/perftrack/reports/comparison"
	"github.com/perftrack/perftrack/runner/gitrepo"
	"github.com/perftrack/perftrack/runner/record"
	"github.com/perftrack/perftrack/store"
)

// AcceptOptions say which change is accepted, and why.
type AcceptOptions struct {
	Target  string // where several targets have the benchmark
	Package string // where several packages have it, or where none of its runs is stored
	Commit  string // revision or full hash that made the change; "" is HEAD
	Reason  string
	Pull    int // number of the pull request, 0 for none
}

// An AcceptedChange is an acceptance, or a revocation, as it is stored.
type AcceptedChange struct {
	ID    string
	Added bool // false: it was accepted already
	record.Acceptance
}

// Accept records that the change which a commit made to a benchmark was intended.
func Accept(ctx context.Context, a *workspace.Session, bench string, opt AcceptOptions) (done AcceptedChange, err error) {
	rec := record.Acceptance{Target: opt.Target, Package: opt.Package, Benchmark: bench, Reason: reasonWithPull(opt.Reason, opt.Pull), Time: a.Now()}
	if rec.Reason == "" {
		return done, fault.Usagef("--reason is empty: say why the change is intended")
	}
	if opt.Reason == comparisonreport.WhyAccept {
		return done, fault.Usagef("--reason %q only stands for the reason: say why the change is intended", opt.Reason)
	}
	if rec.Commit, err = acceptedCommit(ctx, a, opt.Commit); err != nil {
		return done, err
	}
	if rec.Author, err = author(ctx, a); err != nil {
		return done, err
	}
	db, _, err := a.OpenForWriting(ctx)
	if err != nil {
		return done, err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	all, err := db.Benchmarks(ctx, store.Filter{Target: opt.Target})
	if err != nil {
		return done, err
	}
	if opt.Package != "" {
		all = slices.DeleteFunc(all, func(b store.BenchmarkInfo) bool { return b.Package != opt.Package })
	}
	if len(all) > 0 || opt.Target == "" {
		found, err := acceptedBenchmark(all, bench)
		if err != nil {
			return done, err
		}
		rec.Target, rec.Package, rec.Benchmark = found.Target, found.Package, found.Name
	}
	inForce, err := ReadAcceptances(ctx, a, db, rec.Target)
	if err != nil {
		return done, err
	}
	for _, old := range inForce.Of(rec.Target, record.BenchmarkID{Package: rec.Package, Name: rec.Benchmark}) {
		if old.Commit == rec.Commit {
			return AcceptedChange{old.ID(), false, old}, nil
		}
	}
	id, added, err := db.Accept(ctx, rec)
	if err != nil {
		return done, fault.Data(err)
	}
	return AcceptedChange{id, added, rec}, nil
}

// author is who records something, as git names the author of a commit; "" where git does not know.
func author(ctx context.Context, a *workspace.Session) (string, error) {
	where, err := a.Locate(ctx)
	if err != nil || where.Repo == nil {
		return "", err
	}
	name, err := where.Repo.Author(ctx)
	if err != nil {
		return "", fault.Git(err)
	}
	return record.OneLine(name), nil
}

// acceptedCommit returns the full hash of the commit that rev means.
func acceptedCommit(ctx context.Context, a *workspace.Session, rev string) (string, error) {
	where, err := a.Locate(ctx)
	if err != nil {
		return "", err
	}
	switch {
	case gitrepo.IsHash(rev):
		return rev, nil // perhaps of a commit that this clone does not have
	case where.RepoErr != nil:
		return "", where.RepoErr
	case where.Repo == nil:
		return "", fault.Usagef("name the commit by its full hash with --commit: this is no git repository")
	case rev == "":
		rev = "HEAD"
	}
	commit, err := where.Repo.Resolve(ctx, rev)
	if err != nil {
		return "", fault.Git(err)
	}
	return commit.SHA, nil
}

// acceptedBenchmark returns the one benchmark that name means; that several
// suites have it makes no difference.
func acceptedBenchmark(all []store.BenchmarkInfo, name string) (store.BenchmarkInfo, error) {
	if len(all) == 0 {
		return store.BenchmarkInfo{}, fault.Data(errors.New("no benchmark is stored here: get what others measured with `perftrack sync`, " +
			"or name the target with --target"))
	}
	found, err := FindBenchmarks(all, name)
	if err != nil {
		return store.BenchmarkInfo{}, fault.Data(err)
	}
	for _, b := range found {
		switch {
		case b.Target != found[0].Target:
			return b, fault.Usagef("%s is in the targets %s and %s: name one with --target", name, found[0].Target, b.Target)
		case b.Package != found[0].Package:
			return b, fault.Usagef("%s is in several packages: name one of%s", name, candidates(found))
		}
	}
	return found[0], nil
}

// Revoke takes an acceptance back that is in force, by its id or the beginning
// of it.
func Revoke(ctx context.Context, a *workspace.Session, id, reason string) (done AcceptedChange, err error) {
	if len(id) < record.MinHashPrefix || strings.Trim(id, "0123456789abcdef") != "" {
		return done, fault.Usagef("%q is no id of an acceptance: see `perftrack accept --list`", id)
	}
	db, _, err := a.OpenForWriting(ctx)
	if err != nil {
		return done, err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	all, err := ReadAcceptances(ctx, a, db, "")
	if err != nil {
		return done, err
	}
	var found []record.Acceptance
	for _, one := range all {
		if strings.HasPrefix(one.ID(), id) {
			found = append(found, one)
		}
	}
	if len(found) == 0 {
		return done, fault.Data(fmt.Errorf("revoke %s: no acceptance in force has that id: see `perftrack accept --list`", id))
	}
	if len(found) > 1 {
		return done, fault.Data(fmt.Errorf("the id %s begins %d acceptances in force: give more of it, see `perftrack accept --list`", id, len(found)))
	}
	rec := found[0]
	rec.Revokes, rec.Time, rec.Reason = found[0].ID(), a.Now(), record.OneLine(reason)
	if rec.Reason == "" {
		rec.Reason = "taken back"
	}
	if rec.Author, err = author(ctx, a); err != nil {
		return done, err
	}
	done = AcceptedChange{Acceptance: rec}
	if done.ID, done.Added, err = db.Accept(ctx, rec); err != nil {
		return done, fault.Data(err)
	}
	return done, nil
}

// ListAcceptances returns the acceptances in force, of one target or, for "", of all.
func ListAcceptances(ctx context.Context, a *workspace.Session, target string) (all compare.Accepted, err error) {
	db, err := a.OpenForReading(ctx)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	return ReadAcceptances(ctx, a, db, target)
}

// ReadAcceptances returns the acceptances in force of a target, "" for all. Whoever
// asks narrows them to what is compared ([compare.Accepted.In]) or places them
// in the history ([compare.Accepted.Start]).
func ReadAcceptances(ctx context.Context, a *workspace.Session, db *store.DB, target string) (compare.Accepted, error) {
	all, err := db.Acceptances(ctx, target)
	if err != nil {
		return nil, fault.IO(err)
	}
	return all, nil
}

// AcceptancesBetween returns the acceptances in force of the commits that head adds to base:
// those that the comparison of the two must heed.
func AcceptancesBetween(ctx context.Context, a *workspace.Session, db *store.DB, where workspace.Place, base, head string) (compare.Accepted, error) {
	all, err := ReadAcceptances(ctx, a, db, "")
	if err != nil || len(all) == 0 || where.Repo == nil {
		return nil, err
	}
	var ends [2]string
	for i, rev := range []string{base, head} {
		c, err := where.Repo.Resolve(ctx, rev)
		if err != nil {
			return nil, fault.Git(err)
		}
		ends[i] = c.SHA
	}
	commits, err := where.Repo.Between(ctx, ends[0], ends[1])
	if err != nil {
		return nil, fault.Git(err)
	}
	if all, err = AddLanded(ctx, where, all, ends[1]); err != nil {
		return nil, err
	}
	return all.In(commits), nil
}

// acceptancesFor returns the acceptances that a comparison must heed. Where git does not
// know its commits, as in a shallow clone, those of the head alone count, and the
// comparison says so.
func acceptancesFor(ctx context.Context, a *workspace.Session, db *store.DB, where workspace.Place, c *compare.Comparison) (compare.Accepted, error) {
	if len(c.Base.Runs) == 0 || len(c.Head.Runs) == 0 {
		return nil, nil
	}
	base, head := c.Base.Runs[0].Commit.SHA, c.Head.Runs[0].Commit.SHA
	if base == "" || head == "" {
		return nil, nil
	}
	accepted, err := AcceptancesBetween(ctx, a, db, where, base, head)
	if missing := new(gitrepo.MissingError); !errors.As(err, &missing) {
		return accepted, err
	}
	NoteUnreadAcceptances(c, err)
	all, err := ReadAcceptances(ctx, a, db, "")
	return all.In([]string{head}), err
}

// NoteUnreadAcceptances adds the caveat that there may be more acceptances than those that
// count, because some could not be read.
func NoteUnreadAcceptances(c *compare.Comparison, err error) {
	c.Caveats = append(c.Caveats, compare.Caveat{
		Code: compare.CodeAcceptances, Text: "not all changes accepted with perftrack accept could be read; those do not count here", Detail: fault.FirstLine(err),
	})
}

// FindAcceptances returns the acceptances in this workspace's database, if there is one, that
// a comparison must heed.
func FindAcceptances(ctx context.Context, a *workspace.Session, where workspace.Place, c *compare.Comparison) (accepted compare.Accepted, err error) {
	db, err := a.OpenForReading(ctx)
	if errors.Is(err, store.ErrNoDatabase) {
		return nil, nil
	} else if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	return acceptancesFor(ctx, a, db, where, c)
}
