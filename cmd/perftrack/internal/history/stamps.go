package history

import (
	"cmp"
	"crypto/sha256"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/perftrack/perftrack/reports/filecache"
	"github.com/perftrack/perftrack/runner/record"
	"github.com/perftrack/perftrack/store"
)

// A Stamp is a hash of the inputs of a stored result: the program, the options, the configuration
// and acceptances of the benchmark, and the runs in their order. For a run, its id and number are
// enough, because the id is a hash of the run's content.
type Stamp [sha256.Size]byte

// Stamps computes the stamps of benchmarks. All benchmarks that were last measured by the same run
// share the hash of their runs.
type Stamps struct {
	r      *reader
	common string
	seq    map[string]int64         // run numbers, by id
	runs   map[string][]stampedRun  // in the order of a history, by target
	upTo   map[stampedRuns][32]byte // hashes of the runs up to a given run
}

type stampedRun struct {
	*record.RunInfo
	stamp string
}

type stampedRuns struct {
	target string
	last   int64
}

func (r *reader) newStamps(version string) *Stamps {
	if strings.HasPrefix(version, "devel") || strings.HasSuffix(version, "dirty") { // builds from different sources may have this version
		version += " " + filecache.Program()
	}
	o := r.opt
	s := &Stamps{
		r: r, common: fmt.Sprintf("%s %q %q %q %q %v %q %v", keptForm, version, o.Unit, o.Branch, o.Environment, o.All, r.branch, r.where.Repo != nil),
		seq: make(map[string]int64, len(r.runs)), runs: map[string][]stampedRun{}, upTo: map[stampedRuns][32]byte{},
	}
	points := make([]record.HistoryPoint, len(r.runs))
	for i := range r.runs {
		s.seq[r.runs[i].ID] = r.runs[i].Seq
		points[i].Run = &r.runs[i]
	}
	r.date(points)
	r.sort(points)
	for _, p := range points {
		c := p.Run.Commit
		_, known := r.position[c.SHA]
		branch, aside, first := r.lineOf(p.Run.Target, c)
		s.runs[p.Run.Target] = append(s.runs[p.Run.Target], stampedRun{p.Run, fmt.Sprintf("%d %s %v %q %v %v %d", p.Run.Seq, p.Run.ID, known, branch, aside, first, c.Time.UnixMicro())})
	}
	return s
}

// Of returns the stamp of a benchmark. It must not be called by several goroutines at once.
func (s *Stamps) Of(b store.BenchmarkInfo) Stamp {
	text := fmt.Sprintf("%s %q %+v %q %v %v %x", s.common, b.Target, b.BenchmarkID, b.Units, s.r.where.Config.Threshold(b.Name), s.r.directions(b), s.upToRun(b.Target, s.last(b)))
	for _, a := range s.r.intended.Of(b.Target, b.BenchmarkID) {
		text += fmt.Sprintf(" accepted %s %v", a.Commit, s.place(b.Target, a.Commit, s.r.position))
	}
	for _, f := range s.r.found[checkedName{b.Target, b.BenchmarkID}] {
		text += fmt.Sprintf(" found %+v %v", f, s.place(b.Target, f.Commit, s.r.along))
	}
	return sha256.Sum256([]byte(text))
}

// last returns the number of the newest run that the stamp of a benchmark covers.
func (s *Stamps) last(b store.BenchmarkInfo) int64 {
	last, ok := s.seq[b.Last]
	if !ok || s.r.opt.Environment != "" { // its newest run is damaged, or it is the newest of the environment only
		return math.MaxInt64
	}
	return last
}

// Miss reports whether the stamp of a benchmark misses one of its points, because the run was
// stored while the histories were read.
func (s *Stamps) Miss(b store.BenchmarkInfo, points []record.HistoryPoint) bool {
	last := s.last(b)
	return slices.ContainsFunc(points, func(p record.HistoryPoint) bool {
		_, known := s.seq[p.Run.ID]
		return !known || p.Run.Seq > last
	})
}

// upToRun returns a hash of the target's runs with numbers up to last. Newer runs do not have the
// benchmark, but may carry a measurement of it over to another commit.
func (s *Stamps) upToRun(target string, last int64) [32]byte {
	key := stampedRuns{target, last}
	sum, known := s.upTo[key]
	if !known {
		var text strings.Builder
		for _, run := range s.runs[target] {
			if run.Seq <= last || run.CarriedFrom() != "" {
				text.WriteString(run.stamp + "\n")
			}
		}
		sum = sha256.Sum256([]byte(text.String()))
		s.upTo[key] = sum
	}
	return sum
}

// place returns the number of the target's runs before a commit, and the number at the commit. Both
// are -1 if the commit has no position.
func (s *Stamps) place(target, commit string, position map[string]int) (place [2]int) {
	at, known := position[commit]
	if !known {
		return [2]int{-1, -1}
	}
	for _, run := range s.runs[target] {
		if p, known := position[run.Commit.SHA]; known && p <= at {
			place[min(1, 1+cmp.Compare(p, at))]++
		}
	}
	return place
}
