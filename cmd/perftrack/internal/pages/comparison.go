package pages

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"sync"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/comparison"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/fault"
	"github.com/perftrack/perftrack/compare"
	"github.com/perftrack/perftrack/reports/site"
	"github.com/perftrack/perftrack/runner/gitrepo"
	"github.com/perftrack/perftrack/runner/record"
)

// How many comparisons a site has: the newest trials, and pairs of neighbours that were measured
// apart. A folder has none beyond those whose benchmarks add up to maxCompared, since comparing
// that many takes seconds, but for the newest.
const (
	maxTrials     = 200
	maxNeighbours = 20
	maxCompared   = 20_000
	leastCompared = 10
)

// comparisons are what can be opened without choosing sides.
type comparisons struct {
	once sync.Once
	list []paired
	at   map[string]int // by key, and by the id of a trial in it

	making sync.Mutex
	rows   []site.ComparisonRow
	made   map[string]*site.Comparison // by the way of the list; each is handed out once
	newest *site.Comparison            // trial of a commit of the site's branch; nil without one
}

// A paired is one of them.
type paired struct {
	comparison.Listed
	key        string
	benchmarks int
}

// listComparisons lists them, the newest first.
func (s *Site) listComparisons() *comparisons {
	c := &s.compared
	c.once.Do(func() {
		var line []string
		for _, commit := range s.commits {
			if !commit.Off {
				line = append(line, commit.SHA)
			}
		}
		sizes := map[string]int{} // of trials and of commits
		for _, r := range s.runs {
			for _, of := range []string{r.Trial, r.Commit.SHA} {
				sizes[of] = max(sizes[of], r.Benchmarks)
			}
		}
		c.at = map[string]int{}
		trials, neighbours := 0, 0
		for _, l := range comparison.List(s.runs, line) {
			if at := s.at.Commit(l.Head.SHA); at >= 0 && at < s.oldest() {
				continue
			}
			one := paired{Listed: l, key: c.name(l), benchmarks: sizes[l.Head.SHA]}
			if len(l.Trials) == 0 {
				if neighbours++; neighbours > maxNeighbours {
					continue
				}
			} else if trials++; trials > maxTrials {
				continue
			}
			if len(l.Trials) > 0 {
				one.benchmarks = 0
				for _, t := range l.Trials {
					one.benchmarks += sizes[t]
				}
			}
			c.at[one.key] = len(c.list)
			for _, t := range l.Trials {
				if _, taken := c.at[t]; !taken {
					c.at[t] = len(c.list)
				}
			}
			c.list = append(c.list, one)
		}
	})
	return c
}

// name is the key of a comparison: the id of its only trial, else both commits.
func (c *comparisons) name(l comparison.Listed) string {
	key := record.ShortHash(l.Base.SHA) + ".." + record.ShortHash(l.Head.SHA)
	if len(l.Trials) == 1 {
		key = site.SafeID(strings.ToLower(l.Trials[0]))
	}
	if _, taken := c.at[key]; taken {
		return site.HashID("x", append([]string{l.Base.SHA, l.Head.SHA}, l.Trials...)...)
	}
	return key
}

// comparisons are the rows of the list, the newest first. A folder has a document of each; what
// cannot be compared, because its runs are damaged, is not in the list. A live site counts the
// newest only, and the others when they are opened.
func (s *Site) comparisons(ctx context.Context) ([]site.ComparisonRow, error) {
	c := s.listComparisons()
	c.making.Lock()
	defer c.making.Unlock()
	if c.rows != nil {
		return c.rows, nil
	}
	list := c.list
	if !s.opt.Live {
		list = c.fitting()
	}
	newest, counted := s.newestCheck(list), s.counted(len(list))
	wanted := func(i int) bool { return i < counted || list[i].key == newest }
	made, err := s.compareAll(ctx, list, wanted)
	if err != nil {
		return nil, err
	}
	c.made, c.rows = map[string]*site.Comparison{}, []site.ComparisonRow{}
	for i, l := range list {
		row := site.ComparisonRow{
			Key: l.key, Trial: len(l.Trials) > 0, Trials: l.Trials, Targets: l.Targets,
			Base: s.at.Commit(l.Base.SHA), Head: s.at.Commit(l.Head.SHA),
		}
		if !l.Time.IsZero() { // of imports it may be unknown
			row.Time = l.Time.Unix()
		}
		if d := made[i]; d != nil {
			row.Counts, row.Left = d.Counts, d.Lost()
			if l.key == newest {
				c.newest = d
			}
			if !s.opt.Live {
				c.made[l.key] = d
			}
		} else if wanted(i) {
			continue
		}
		c.rows = append(c.rows, row)
	}
	return c.rows, nil
}

// fitting are those of the list that a folder has: the newest, and in any case the newest pair of
// neighbours, which shows the newest commit where trials are many.
func (c *comparisons) fitting() []paired {
	compared := 0
	for i, l := range c.list {
		if compared += l.benchmarks; compared <= maxCompared || i < leastCompared {
			continue
		}
		list := slices.Clone(c.list[:i])
		apart := slices.IndexFunc(c.list, func(l paired) bool { return len(l.Trials) == 0 })
		if apart >= i {
			list = append(list, c.list[apart])
		}
		return list
	}
	return c.list
}

// newestCheck is the key of the check of the newest commit of the site's branch, "" without one.
func (s *Site) newestCheck(list []paired) string {
	var all []comparison.Listed
	for _, l := range list {
		if len(l.Trials) > 0 && !l.Head.Dirty {
			all = append(all, l.Listed)
		}
	}
	if l, ok := s.lines.Newest(all); ok {
		return list[slices.IndexFunc(list, func(p paired) bool { return len(p.Trials) > 0 && p.Trials[0] == l.Trials[0] })].key
	}
	return ""
}

// counted is of how many of a list the rows are counted at once.
func (s *Site) counted(n int) int {
	if s.opt.Live {
		return min(n, leastCompared)
	}
	return n
}

// compareAll makes the documents of those wanted of a list, nil for what cannot be compared.
func (s *Site) compareAll(ctx context.Context, list []paired, wanted func(i int) bool) ([]*site.Comparison, error) {
	made := make([]*site.Comparison, len(list))
	errs := make([]error, len(list))
	next := make(chan int)
	var group sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		group.Go(func() {
			for i := range next {
				made[i], errs[i] = s.compareListed(ctx, list[i])
			}
		})
	}
	for i := range list {
		if ctx.Err() == nil && wanted(i) {
			next <- i
		}
	}
	close(next)
	group.Wait()
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	for _, err := range errs {
		var data *fault.Error
		switch {
		case err == nil:
		case errors.As(err, &data) && data.Kind == "data":
			s.session.Noticef("the page is without a comparison: %s", fault.FirstLine(err))
		default:
			return nil, err
		}
	}
	return made, nil
}

func (s *Site) resolver() *comparison.Resolver {
	return &comparison.Resolver{Session: s.session, Where: s.lines.Place(), DB: s.db}
}

func (s *Site) compareListed(ctx context.Context, l paired) (*site.Comparison, error) {
	c, err := s.resolver().CompareListed(ctx, l.Listed)
	if err != nil {
		return nil, fmt.Errorf("compare %s: %w", l.key, err)
	}
	return site.NewComparison(l.key, c, s.at), nil
}

// Comparison is one of the list, by its key or the id of a trial in it. A live site also has any
// two commits.
func (s *Site) Comparison(ctx context.Context, key string) (*site.Comparison, error) {
	c := s.listComparisons()
	if i, ok := c.at[key]; ok {
		c.making.Lock()
		d := c.made[c.list[i].key]
		delete(c.made, c.list[i].key)
		c.making.Unlock()
		if d != nil {
			return d, nil
		}
		return s.compareListed(ctx, c.list[i])
	}
	if !s.opt.Live {
		return nil, site.ErrUnknown
	}
	return s.compareAny(ctx, key)
}

// word is what may name a commit in an address. It is no option of git and leaves no folder.
var word = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[A-Za-z0-9_][A-Za-z0-9_./~^-]{0,199}$`) })

// compareAny compares BASE..HEAD: hashes, tags and branches, of commits that were measured.
func (s *Site) compareAny(ctx context.Context, key string) (*site.Comparison, error) {
	words := strings.SplitN(key, "..", 2)
	if len(words) != 2 {
		return nil, site.ErrUnknown
	}
	var shas [2]string
	for i, w := range words {
		if !word().MatchString(w) || strings.Contains(w, "..") {
			return nil, site.ErrUnknown
		}
		sha, err := s.resolve(ctx, w)
		if err != nil {
			return nil, err
		}
		shas[i] = sha
	}
	var c *compare.Comparison
	var err error
	list := s.listComparisons().list
	if i := slices.IndexFunc(list, func(l paired) bool { return l.Base.SHA == shas[0] && l.Head.SHA == shas[1] }); i >= 0 {
		return s.compareListed(ctx, list[i])
	}
	if c, err = s.resolver().CompareCommits(ctx, shas[0], shas[1]); err != nil {
		return nil, fmt.Errorf("compare %s: %w", key, err)
	}
	return site.NewComparison(key, c, s.at), nil
}

// resolve returns the hash of a measured commit.
func (s *Site) resolve(ctx context.Context, w string) (string, error) {
	found := ""
	for _, c := range s.commits {
		if len(w) >= 4 && strings.HasPrefix(c.SHA, w) || slices.Contains(c.Tags, w) {
			if found != "" && found != c.SHA {
				return "", fmt.Errorf("%w: %s names several commits", site.ErrUnknown, w)
			}
			found = c.SHA
		}
	}
	if found != "" {
		return found, nil
	}
	if repo := s.lines.Place().Repo; repo != nil {
		c, err := repo.Resolve(ctx, w)
		var missing *gitrepo.MissingError
		if err == nil && s.at.Commit(c.SHA) >= 0 {
			return c.SHA, nil
		}
		if err != nil && !errors.As(err, &missing) {
			return "", fault.Git(err)
		}
	}
	return "", fmt.Errorf("%w: no run of %s is stored", site.ErrUnknown, w)
}
