package family

import (
	"context"
	"path/filepath"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/profiles"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/workspace"
	"github.com/perftrack/perftrack/compare"
	familyreport "github.com/perftrack/perftrack/reports/family"
	"github.com/perftrack/perftrack/runner/record"
)

// readKept reads the profiles kept by perftrack explain for regressions found by the comparison, by
// checks and in steps. It skips missing or unreadable profiles.
func readKept(ctx context.Context, a *workspace.Session, where workspace.Place, s *familyreport.Subject) error {
	database, err := a.DatabasePath(ctx)
	if err != nil {
		return err
	}
	dir := profiles.Folder(database)
	add := func(target string, id record.BenchmarkID, base, head string) {
		if base == "" || head == "" || id.Kind != record.Bench {
			return
		}
		meta := profiles.Meta{Target: target, Package: id.Package, Benchmark: id.Name, Kind: profiles.CPU, Commit: head, Base: base}
		of := [2]profiles.Profile{}
		for i, m := range []profiles.Meta{meta.OfBase(), meta} {
			p, err := profiles.Read(profiles.Path(dir, m))
			if err != nil || p.Target != target || p.Package != id.Package || p.Benchmark != id.Name || p.Commit != m.Commit || p.Operations <= 0 || i == 1 && p.Base != base {
				return
			}
			of[i] = p
		}
		time, _ := profiles.Time(of[:])
		if time == nil {
			return
		}
		files := [2]string{fromRoot(where, of[0].Path), fromRoot(where, of[1].Path)}
		for _, old := range s.Kept {
			if old.Files == files {
				return
			}
		}
		s.Kept = append(s.Kept, familyreport.Kept{Target: target, Package: id.Package, Name: id.Name, Base: base, Head: head, Files: files, Time: time})
	}
	if c := s.Compared; c != nil && len(c.Base.Runs) > 0 && len(c.Head.Runs) > 0 && !c.Head.Runs[0].Commit.Dirty {
		for r := range c.Rows() {
			if r.Verdict == compare.Regressed && r.Kind == record.Bench {
				add(r.Target, r.BenchmarkID, c.Base.Runs[0].Commit.SHA, c.Head.Runs[0].Commit.SHA)
			}
		}
	}
	for _, p := range s.Regressions.Unseen() {
		add(p.Target, p.BenchmarkID, p.Check.Base.SHA, p.Check.Head.SHA)
		add(p.Target, p.BenchmarkID, p.Check.Found.Before, p.Check.Found.Commit)
	}
	for _, r := range s.Regressions.List[:min(len(s.Regressions.List), maxCounted)] {
		add(r.Target, r.BenchmarkID, r.Step.Last.Commit, r.Step.First.Commit)
		add(r.Target, r.BenchmarkID, r.Step.Found.Before, r.Step.Found.Commit)
	}
	return nil
}

// fromRoot returns a path relative to the root of the repository, because published reports must
// not reveal this machine's folders. For a path outside the repository, it returns only the last
// element.
func fromRoot(where workspace.Place, path string) string {
	if where.Repo != nil {
		if short, err := filepath.Rel(where.Repo.Root(), path); err == nil && filepath.IsLocal(short) {
			return filepath.ToSlash(short)
		}
	}
	return filepath.Base(path)
}
