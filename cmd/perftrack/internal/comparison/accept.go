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
	"github.com/perftrack/perftrack/compare/acceptance"
	comparisonreport "github.com/perftrack/perftrack/reports/comparison"
	"github.com/perftrack/perftrack/runner/gitrepo"
	"github.com/perftrack/perftrack/runner/record"
	"github.com/perftrack/perftrack/store"
)

// AcceptOptions describes an accepted change.
type AcceptOptions struct {
	Target  string // needed if several targets have the benchmark
	Package string // needed if several packages have it or no runs are stored
	Commit  string // revision or full hash of the change; "" means HEAD
	Reason  string
	Pull    int // number of the pull request, or 0
}

// An AcceptedChange is a stored acceptance or revocation.
type AcceptedChange struct {
	ID    string
	Added bool // false if it was already accepted
	record.Acceptance
}

// Accept records a commit's change to a benchmark as intended.
func Accept(ctx context.Context, a *workspace.Session, bench string, opt AcceptOptions) (done AcceptedChange, err error) {
	rec := record.Acceptance{Target: opt.Target, Package: opt.Package, Benchmark: bench, Reason: reasonWithPull(opt.Reason, opt.Pull), Time: a.Now()}
	if rec.Reason == "" {
		return done, fault.Usagef("--reason is empty: say why the change is intended")
	}
	if opt.Reason == comparisonreport.WhyAccept {
		return done, fault.Usagef("--reason %q is only a placeholder: say why the change is intended", opt.Reason)
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
	unrevoked, err := ReadAcceptances(ctx, a, db, rec.Target)
	if err != nil {
		return done, err
	}
	for _, old := range unrevoked.Of(rec.Target, record.BenchmarkID{Package: rec.Package, Name: rec.Benchmark}) {
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

// author returns the user's name from git, or "".
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

// acceptedCommit returns the full hash of a revision.
func acceptedCommit(ctx context.Context, a *workspace.Session, rev string) (string, error) {
	where, err := a.Locate(ctx)
	if err != nil {
		return "", err
	}
	switch {
	case gitrepo.IsHash(rev):
		return rev, nil // perhaps a commit missing in this clone
	case where.RepoErr != nil:
		return "", where.RepoErr
	case where.Repo == nil:
		return "", fault.Usagef("name the commit by its full hash with --commit, because this is not a git repository")
	case rev == "":
		rev = "HEAD"
	}
	commit, err := where.Repo.Resolve(ctx, rev)
	if err != nil {
		return "", fault.Git(err)
	}
	return commit.SHA, nil
}

// acceptedBenchmark returns the benchmark with the given name. The name must be unique, but the
// benchmark may be in several suites.
func acceptedBenchmark(all []store.BenchmarkInfo, name string) (store.BenchmarkInfo, error) {
	if len(all) == 0 {
		return store.BenchmarkInfo{}, fault.Data(errors.New("no benchmark is stored here: fetch other clones' runs with `perftrack sync`, " +
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
			return b, fault.Usagef("%s is in several packages: choose one with --package:%s", name, candidates(found))
		}
	}
	return found[0], nil
}

// Revoke revokes a current acceptance, given its id or a prefix of the id.
func Revoke(ctx context.Context, a *workspace.Session, id, reason string) (done AcceptedChange, err error) {
	if !record.IsHashPrefix(id) {
		return done, fault.Usagef("%q is not the id of an acceptance: see `perftrack ci accept --list`", id)
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
		return done, fault.Data(fmt.Errorf("revoke acceptance %s: there is no such acceptance, or it was revoked; see `perftrack ci accept --list`", id))
	}
	if len(found) > 1 {
		return done, fault.Data(fmt.Errorf("id %s is ambiguous, because %d acceptances begin with it: see `perftrack ci accept --list`", id, len(found)))
	}
	rec := found[0]
	rec.Revokes, rec.Time, rec.Reason = found[0].ID(), a.Now(), record.OneLine(reason)
	if rec.Reason == "" {
		rec.Reason = "revoked"
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

// ListAcceptances returns the unrevoked acceptances, for one target or, if target is "", for all.
func ListAcceptances(ctx context.Context, a *workspace.Session, target string) (all acceptance.List, err error) {
	db, err := a.OpenForReading(ctx)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	return ReadAcceptances(ctx, a, db, target)
}

// ReadAcceptances returns the unrevoked acceptances, for one target or, if target is "", for all.
// Callers select those for a comparison ([compare.Accepted.In]) or find where they begin in a
// history ([compare.Accepted.Start]).
func ReadAcceptances(ctx context.Context, a *workspace.Session, db *store.DB, target string) (acceptance.List, error) {
	all, err := db.Acceptances(ctx, target)
	if err != nil {
		return nil, fault.IO(err)
	}
	return all, nil
}

// AcceptancesBetween returns the acceptances, except revoked ones, for the commits in head but not
// in base.
func AcceptancesBetween(ctx context.Context, a *workspace.Session, db *store.DB, where workspace.Place, base, head string) (acceptance.List, error) {
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

// acceptancesFor returns the acceptances for a comparison. If git lacks its commits, as in a
// shallow clone, only acceptances for the head count, and the comparison gets a caveat.
func acceptancesFor(ctx context.Context, a *workspace.Session, db *store.DB, where workspace.Place, c *compare.Comparison) (acceptance.List, error) {
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

// NoteUnreadAcceptances adds a caveat about acceptances that could not be read.
func NoteUnreadAcceptances(c *compare.Comparison, err error) {
	c.Caveats = append(c.Caveats, compare.Caveat{
		Code: compare.CodeAcceptances, Text: "some changes accepted with perftrack ci accept could not be read and do not count here", Detail: fault.FirstLine(err),
	})
}

// FindAcceptances returns the acceptances for a comparison from this workspace's database, if there
// is one.
func FindAcceptances(ctx context.Context, a *workspace.Session, where workspace.Place, c *compare.Comparison) (accepted acceptance.List, err error) {
	db, err := a.OpenForReading(ctx)
	if errors.Is(err, store.ErrNoDatabase) {
		return nil, nil
	} else if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	return acceptancesFor(ctx, a, db, where, c)
}
