package pages

import (
	"context"
	"slices"

	"github.com/perftrack/perftrack/reports/site/documents"
	"github.com/perftrack/perftrack/store"
)

// Benchmark returns the document of a benchmark. Unless the site is live, it then drops the
// document, because a static site needs each document only once and all of them together are large.
func (s *Site) Benchmark(ctx context.Context, id string) (*documents.Benchmark, error) {
	i, ok := s.known[id]
	if !ok {
		return nil, documents.ErrUnknown
	}
	b, err := s.look(ctx, i)
	if !s.opt.Live {
		s.keeping.Lock()
		delete(s.kept, i)
		s.keeping.Unlock()
	}
	if err != nil || s.oldest() == 0 {
		return b, err
	}
	return b.Since(s.oldest()), nil
}

// look returns the document of a benchmark, usually built along with the index. If the document has
// been dropped since then, look builds it again.
func (s *Site) look(ctx context.Context, i int) (*documents.Benchmark, error) {
	s.keeping.Lock()
	kept := s.kept[i]
	s.keeping.Unlock()
	if kept != nil {
		return kept, nil
	}
	histories, err := s.histories(ctx, s.benchmarks[i])
	if err != nil {
		return nil, err
	}
	return s.document(i, histories), nil
}

func (s *Site) document(i int, histories []documents.History) *documents.Benchmark {
	b := &documents.Benchmark{ID: s.ids[i], Lines: []documents.Line{}}
	for _, h := range histories {
		b.Lines = append(b.Lines, documents.NewLines(h, s.at)...)
	}
	return b
}

// keep builds and keeps the document of benchmark i from the benchmark's histories.
func (s *Site) keep(i int, histories []documents.History) {
	s.keepDocument(i, s.document(i, histories))
}

func (s *Site) keepDocument(i int, b *documents.Benchmark) {
	if b == nil { // it is built on request
		return
	}
	s.keeping.Lock()
	defer s.keeping.Unlock()
	if s.kept == nil {
		s.kept = map[int]*documents.Benchmark{}
	}
	s.kept[i] = b
}

// annotations returns functions that look up a benchmark's steps in the repository and the
// acceptances.
func (s *Site) annotations(b store.BenchmarkInfo) documents.Annotations {
	of := s.lines.Intended().Of(b.Target, b.BenchmarkID)
	return documents.Annotations{
		Reason: func(last, first string) (reason string) {
			begin, beginKnown := s.lines.Position(last)
			end, endKnown := s.lines.Position(first)
			for _, a := range of {
				if at, known := s.lines.Position(a.Commit); a.Commit == first || beginKnown && endKnown && known && begin < at && at <= end {
					reason = a.Reason // the last stored acceptance counts
				}
			}
			return reason
		},
		Commits:   s.commitsBetween,
		OneTarget: !slices.ContainsFunc(s.benchmarks, func(other store.BenchmarkInfo) bool { return other.Target != b.Target }),
		Opaque:    slices.Contains(s.lines.Place().Config.Opaque(), b.Target),
	}
}

// commitsBetween returns the number of commits on the site's branch after last, up to and including
// first.
func (s *Site) commitsBetween(last, first string) int {
	begin, ok1 := s.lines.Along(last)
	end, ok2 := s.lines.Along(first)
	if !ok1 || !ok2 {
		return 0
	}
	return end - begin
}
