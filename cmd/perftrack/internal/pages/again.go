package pages

import (
	"fmt"
	"reflect"
	"slices"

	"github.com/perftrack/perftrack/reports/site"
	"github.com/perftrack/perftrack/runner/record"
	"github.com/perftrack/perftrack/store"
)

// An earlier is what a site of the same database made of its benchmarks. Those whose runs are the
// same now are the same, but for the places of commits and runs: see [Site.again].
type earlier struct {
	site       *Site // closed, perhaps; only what it read when it was opened is asked for
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
	document *site.Benchmark
}

// noteMade keeps what was made of all benchmarks for the next site of a server.
func (s *Site) noteMade(all []benchmark) {
	if !s.opt.Live || len(s.db.Damaged()) > 0 {
		return
	}
	basis, err := s.basis()
	if err != nil {
		return
	}
	e := &earlier{site: s, basis: basis, benchmarks: make(map[earlierName]earlierBenchmark, len(all))}
	s.keeping.Lock()
	defer s.keeping.Unlock()
	for i, b := range s.benchmarks {
		one := all[i]
		one.row.Lines = slices.Clone(one.row.Lines) // those of the index are marked
		e.benchmarks[earlierName{b.Target, b.BenchmarkID}] = earlierBenchmark{b, one, s.kept[i]}
	}
	s.made, s.earlier = e, nil
}

// newestMade is what this site or one before it made.
func (s *Site) newestMade() *earlier {
	s.keeping.Lock()
	defer s.keeping.Unlock()
	if s.made != nil {
		return s.made
	}
	return s.earlier
}

// basis is all that benchmarks are made of beside their own runs and the order of the commits.
func (s *Site) basis() (string, error) {
	text, err := s.lines.Basis()
	targets := map[string]bool{}
	for _, b := range s.benchmarks {
		targets[b.Target] = true
	}
	return fmt.Sprint(text, targets, s.session.Threshold, s.session.Alpha), err
}

// reusable returns what was made earlier, if it holds for benchmarks whose runs are the same.
func (s *Site) reusable() *earlier {
	e := s.earlier
	if e == nil || len(s.db.Damaged()) > 0 {
		return nil
	}
	if basis, err := s.basis(); err != nil || basis != e.basis || !s.sameOrder(e.site) {
		return nil
	}
	return e
}

// sameOrder reports whether the commits of an earlier site that are still there follow each other as they
// did, on the same lines of development, with as many commits between them.
func (s *Site) sameOrder(old *Site) bool {
	type lastOf struct {
		index int
		along [2]int // then and now
		known bool
	}
	last := lastOf{index: -1}
	for i := range old.commits {
		c := &old.commits[i] // of which nothing else is read: forks are added to it
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

// positioned are the commits of runs and acceptances in the order in which git has them, as far as
// another site has them, too.
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

// again returns what was made earlier of the i-th benchmark if its runs are the same, with the places
// that commits, runs and environments have now.
func (e *earlier) again(s *Site, i int) (one benchmark, document *site.Benchmark, ok bool) {
	b := s.benchmarks[i]
	was, ok := e.benchmarks[earlierName{b.Target, b.BenchmarkID}]
	if !ok || was.document == nil || !reflect.DeepEqual(was.info, b) {
		return one, nil, false
	}
	at := site.Moved{
		Commit:      func(n int) int { return s.at.Commit(e.site.commits[n].SHA) },
		Run:         func(n int) int { return s.at.Run(e.site.runs[n].ID) },
		Environment: func(n int) int { return s.at.Environment(e.site.environments[n].ID) },
	}
	one = was.made
	one.row = at.Row(one.row)
	one.presence = at.Presence(one.presence, i)
	one.limits = slices.Clone(one.limits)
	for k := range one.limits {
		one.limits[k].Benchmark = i
	}
	return one, at.Benchmark(was.document), true
}
