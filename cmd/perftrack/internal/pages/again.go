package pages

import (
	"fmt"
	"reflect"
	"slices"

	"github.com/perftrack/perftrack/reports/site/documents"
	"github.com/perftrack/perftrack/runner/record"
	"github.com/perftrack/perftrack/store"
)

// An earlier holds the benchmarks built for an earlier site of the same database. A benchmark with
// unchanged runs can be reused with new indices of commits and runs: see [earlier.again].
type earlier struct {
	site       *Site // may be closed, because only data read by Open is used
	basis      string
	benchmarks map[earlierName]earlierBenchmark
}

type earlierName struct {
	target string
	record.BenchmarkID
}

type earlierBenchmark struct {
	info     store.BenchmarkInfo
	made     benchmark
	document *documents.Benchmark
}

// noteMade keeps all benchmarks for the server's next site.
func (s *Site) noteMade(all []benchmark) {
	if !s.opt.Live || len(s.db.Damaged()) > 0 {
		return
	}
	e := &earlier{site: s, basis: s.basis(), benchmarks: make(map[earlierName]earlierBenchmark, len(all))}
	s.keeping.Lock()
	defer s.keeping.Unlock()
	for i, b := range s.benchmarks {
		one := all[i]
		one.row.Lines = slices.Clone(one.row.Lines) // because the index modifies the rows
		e.benchmarks[earlierName{b.Target, b.BenchmarkID}] = earlierBenchmark{b, one, s.kept[i]}
	}
	s.made, s.earlier = e, nil
}

// newestMade returns the benchmarks built for this site or, if they are not built yet, for the
// previous site.
func (s *Site) newestMade() *earlier {
	s.keeping.Lock()
	defer s.keeping.Unlock()
	if s.made != nil {
		return s.made
	}
	return s.earlier
}

// basis returns a description of everything that benchmarks depend on, except their own runs and
// the order of the commits.
func (s *Site) basis() string {
	targets := map[string]bool{}
	for _, b := range s.benchmarks {
		targets[b.Target] = true
	}
	return fmt.Sprint(s.lines.Basis(), targets, s.session.Threshold, s.session.Alpha)
}

// reusable returns the earlier benchmarks, or nil if they must not be reused.
func (s *Site) reusable() *earlier {
	e := s.earlier
	if e == nil || len(s.db.Damaged()) > 0 {
		return nil
	}
	if s.basis() != e.basis || !s.sameOrder(e.site) {
		return nil
	}
	return e
}

// sameOrder reports whether the commits common to both sites are in the same order, on the same
// branches and at the same distances from each other.
func (s *Site) sameOrder(old *Site) bool {
	type lastOf struct {
		index int
		along [2]int // positions in the old site and in this one
		known bool
	}
	last := lastOf{index: -1}
	for i := range old.commits {
		c := &old.commits[i] // a pointer, because copying the commit would race with readForks, which sets Fork
		now := s.at.Commit(c.SHA)
		if now < 0 {
			continue
		}
		if now <= last.index || s.commits[now].Off != c.Off {
			return false
		}
		last.index = now
		before, after := old.places(c.SHA), s.places(c.SHA)
		if (before[0] < 0) != (after[0] < 0) || (before[1] < 0) != (after[1] < 0) {
			return false
		}
		if along := [2]int{before[1], after[1]}; along[0] >= 0 {
			if last.known && along[0]-last.along[0] != along[1]-last.along[1] {
				return false
			}
			last.along, last.known = along, true
		}
	}
	return slices.Equal(old.positioned(s), s.positioned(old))
}

// positioned returns the commits with runs or acceptances known to git in both sites, in git's
// order.
func (s *Site) positioned(other *Site) (shas []string) {
	add := func(sha string) {
		_, here := s.lines.Position(sha)
		if _, there := other.lines.Position(sha); here && there {
			shas = append(shas, sha)
		}
	}
	for i := range s.commits {
		add(s.commits[i].SHA)
	}
	for _, a := range s.lines.Intended() {
		add(a.Commit)
	}
	slices.SortFunc(shas, func(x, y string) int {
		i, _ := s.lines.Position(x)
		j, _ := s.lines.Position(y)
		return i - j
	})
	return slices.Compact(shas)
}

// moved returns the current indices of the earlier site's commits, runs and environments.
func (e *earlier) moved(s *Site) documents.Moved {
	return documents.Moved{
		Commit:      table(len(e.site.commits), func(n int) int { return s.at.Commit(e.site.commits[n].SHA) }),
		Run:         table(len(e.site.runs), func(n int) int { return s.at.Run(e.site.runs[n].ID) }),
		Environment: table(len(e.site.environments), func(n int) int { return s.at.Environment(e.site.environments[n].ID) }),
	}
}

// table returns f for arguments below n, computed only once.
func table(n int, f func(int) int) func(int) int {
	all := make([]int, n)
	for i := range all {
		all[i] = f(i)
	}
	return func(i int) int { return all[i] }
}

// again returns benchmark i of s as built for the earlier site, with the indices in at: see moved.
// ok is false if the benchmark's runs have changed.
func (e *earlier) again(s *Site, at documents.Moved, i int) (one benchmark, document *documents.Benchmark, ok bool) {
	b := s.benchmarks[i]
	was, ok := e.benchmarks[earlierName{b.Target, b.BenchmarkID}]
	if !ok || !reflect.DeepEqual(was.info, b) {
		return one, nil, false
	}
	one = was.made
	one.row = at.Row(one.row)
	one.presence = at.Presence(one.presence, i)
	one.limits = slices.Clone(one.limits)
	for k := range one.limits {
		one.limits[k].Benchmark = i
	}
	if was.document != nil {
		document = at.Benchmark(was.document)
	}
	return one, document, true
}
