package pages

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"slices"
	"strings"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/fault"
	"github.com/perftrack/perftrack/compare/tree"
	"github.com/perftrack/perftrack/reports/flame"
	"github.com/perftrack/perftrack/reports/profile"
	"github.com/perftrack/perftrack/reports/site/documents"
	"github.com/perftrack/perftrack/runner/record"
	"github.com/perftrack/perftrack/store"
)

const flameExtension = ".html"

// A scopeSuite is a suite of scopes as measured by its newest run.
type scopeSuite struct {
	documents.ProfileRow
	run, base int // indices of runs; base is -1 if there is no base run
}

// suites returns the suites with scopes, each with its newest run.
func (s *Site) suites() (out []scopeSuite) {
	for _, b := range s.benchmarks {
		i := s.at.Run(b.Last)
		if b.Kind != record.Scope || i < 0 {
			continue
		}
		at := slices.IndexFunc(out, func(o scopeSuite) bool { return o.Target == b.Target && o.Package == b.Package && o.Suite == b.Suite })
		if at >= 0 && out[at].run <= i { // runs are sorted, newest first
			continue
		}
		r := s.runs[i]
		suite := scopeSuite{run: i, base: -1, ProfileRow: documents.ProfileRow{
			ID: suiteID(b.Target, b.BenchmarkID), Kind: "scopes", Target: b.Target, Package: b.Package, Suite: b.Suite,
			Commit: s.at.Commit(r.Commit.SHA), Base: -1, Hash: r.Commit.SHA, Time: s.when(r),
		}}
		if r.Trial != "" && r.Side == record.Head {
			suite.base = slices.IndexFunc(s.runs, func(o record.RunInfo) bool {
				return o.Trial == r.Trial && o.Side == record.Base && o.Target == r.Target
			})
		}
		if suite.base >= 0 {
			suite.BaseHash = s.runs[suite.base].Commit.SHA
			suite.Base = s.at.Commit(suite.BaseHash)
		}
		if at >= 0 {
			out[at] = suite
		} else {
			out = append(out, suite)
		}
	}
	return out
}

// suiteID returns the id of a suite, independent of its runs.
func suiteID(target string, b record.BenchmarkID) string {
	sum := sha256.Sum256([]byte(target + "\x00" + b.Package + "\x00" + b.Suite))
	return "scopes-" + hex.EncodeToString(sum[:6])
}

func (s *Site) suite(id string) (scopeSuite, bool) {
	if !strings.HasPrefix(id, "scopes-") {
		return scopeSuite{}, false
	}
	all := s.suites()
	if i := slices.IndexFunc(all, func(o scopeSuite) bool { return o.ID == id }); i >= 0 {
		return all[i], true
	}
	return scopeSuite{}, false
}

// trees reads a suite's call trees at head and base. base is nil if the suite has no base run.
// process describes the resources used by the head's process.
func (s *Site) trees(ctx context.Context, suite scopeSuite) (head, base *tree.Tree, process string, err error) {
	read := func(i int) (*tree.Tree, string, error) {
		run, err := s.db.Get(ctx, s.runs[i].ID)
		switch {
		case errors.Is(err, store.ErrDamaged):
			return nil, "", documents.ErrUnknown
		case err != nil:
			return nil, "", fault.IO(err)
		}
		for _, t := range tree.Of(run) {
			if t.Package == suite.Package && t.Suite == suite.Suite {
				return t, profile.ProcessText(run, t), nil
			}
		}
		return nil, "", documents.ErrUnknown
	}
	if head, process, err = read(suite.run); err != nil || suite.base < 0 {
		return head, nil, process, err
	}
	if base, _, err = read(suite.base); errors.Is(err, documents.ErrUnknown) {
		return head, nil, process, nil // the base run does not contain this suite
	}
	return head, base, process, err
}

func (s *Site) scopes(ctx context.Context, suite scopeSuite) (*documents.Profile, error) {
	head, base, process, err := s.trees(ctx, suite)
	if err != nil {
		return nil, err
	}
	p := &documents.Profile{ProfileRow: suite.ProfileRow}
	p.AddScopes(head, base)
	p.Notes = append(p.Notes, "The tree shows one round, the one with the median run time, so that its figures add up.")
	if process != "" {
		p.Notes = append(p.Notes, process)
	}
	if base == nil {
		p.Base, p.BaseHash = -1, ""
	}
	if len(scopeStacks(head)) > 0 {
		side := "head"
		if base != nil {
			side = "difference"
		}
		p.Flames = append(p.Flames, documents.FlameGraph{File: suite.ID + flameExtension, Side: side, What: "time"})
	}
	return p, nil
}

func (s *Site) scopesFlame(ctx context.Context, suite scopeSuite) ([]byte, error) {
	head, base, _, err := s.trees(ctx, suite)
	if err != nil {
		return nil, err
	}
	g := flame.Graph{
		Unit: "nanoseconds", Head: scopeStacks(head), Back: back(suite.ID), BackTitle: "the profile as tables",
		Title: strings.TrimSpace("Scopes of " + suite.Target + " " + suite.Suite),
		Notes: []string{"The tree shows one round of the suite, the one with the median run time. Concurrent work counts in the scope that did it."},
	}
	if suite.Hash != "" {
		g.Title += " at " + record.ShortHash(suite.Hash)
	}
	if base != nil {
		g.Base = slices.Concat([]tree.Stack{}, scopeStacks(base))
		g.Title += " against " + record.ShortHash(s.runs[suite.base].Commit.SHA)
	}
	page, err := flame.Page(g)
	if errors.Is(err, flame.ErrEmpty) {
		return nil, documents.ErrUnknown
	}
	return page, err
}

// scopeStacks returns the scopes as stacks with their self times as values, or nil if the nesting
// of the scopes is unknown.
func scopeStacks(t *tree.Tree) (out []tree.Stack) {
	if !t.Placed {
		return nil
	}
	var walk func(calls []*tree.Call, callers []string)
	walk = func(calls []*tree.Call, callers []string) {
		for _, c := range calls {
			path := append([]string{c.Name}, callers...)
			if c.Self > 0 {
				out = append(out, tree.Stack{Functions: path, Value: c.Self})
			}
			walk(c.Children, path)
		}
	}
	walk(t.Scopes, nil)
	return out
}
