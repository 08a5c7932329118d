package pages

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/comparison"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/fault"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/history"
	"github.com/perftrack/perftrack/compare"
	"github.com/perftrack/perftrack/reports"
	"github.com/perftrack/perftrack/reports/site/documents"
	"github.com/perftrack/perftrack/runner/gitrepo"
	"github.com/perftrack/perftrack/runner/record"
)

// Limits for the comparisons on a site. The site compares the sides of the newest trials, and pairs
// of neighbouring commits with unpaired runs. A static site has only the newest comparisons, with
// at most maxCompared benchmarks in total, because more comparisons would take seconds.
const (
	maxTrials     = 200
	maxNeighbours = 20
	maxCompared   = 20_000
	leastCompared = 10
)

// A comparisons holds the comparisons listed on the site.
type comparisons struct {
	once sync.Once
	list []paired
	at   map[string]int // indices into list, by key and by trial id

	making sync.Mutex
	rows   []documents.ComparisonRow
	made   map[string]*documents.Comparison // documents by key; each is returned only once
	newest *documents.Comparison            // the check of the newest checked commit on the site's branch, or nil
}

// A paired is a listed comparison with its key and its number of benchmarks.
type paired struct {
	comparison.Listed
	key        string
	benchmarks int
}

// listComparisons returns the listed comparisons, newest first.
func (s *Site) listComparisons() *comparisons {
	c := &s.compared
	c.once.Do(func() {
		var line []string
		for _, commit := range s.commits {
			if !commit.Off {
				line = append(line, commit.SHA)
			}
		}
		sizes := map[string]int{} // number of benchmarks by trial and by commit
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

// name returns the key of a comparison. The key consists of the trial's id if there is only one
// trial, and otherwise of both commits. If that key is already taken, it is a hash.
func (c *comparisons) name(l comparison.Listed) string {
	key := record.ShortHash(l.Base.SHA) + ".." + record.ShortHash(l.Head.SHA)
	if len(l.Trials) == 1 {
		key = documents.SafeID(strings.ToLower(l.Trials[0]))
	}
	if _, taken := c.at[key]; taken {
		return reports.HashID("x", append([]string{l.Base.SHA, l.Head.SHA}, l.Trials...)...)
	}
	return key
}

// comparisons returns the rows of the list of comparisons, newest first. A static site has a
// document for each row, so it leaves out comparisons with damaged runs. A live site counts
// verdicts only for the newest comparisons.
func (s *Site) comparisons(ctx context.Context) ([]documents.ComparisonRow, error) {
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
	c.made, c.rows = map[string]*documents.Comparison{}, []documents.ComparisonRow{}
	for i, l := range list {
		row := documents.ComparisonRow{
			Key: l.key, Trial: len(l.Trials) > 0, Trials: l.Trials, Targets: l.Targets,
			Base: s.at.Commit(l.Base.SHA), Head: s.at.Commit(l.Head.SHA),
		}
		if !l.Time.IsZero() { // some imported runs have no time
			row.Time = l.Time.Unix()
		}
		if d := made[i]; d != nil {
			row.Counts, row.LeftOut = d.Counts, d.Lost()
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

// fitting returns the comparisons on a static site. They are the newest ones and always include the
// newest pair of neighbouring commits, even if there are many newer trials.
func (c *comparisons) fitting() []paired {
	compared := 0
	for i, l := range c.list {
		if compared += l.benchmarks; compared <= maxCompared || i < leastCompared {
			continue
		}
		list := slices.Clone(c.list[:i])
		unpaired := slices.IndexFunc(c.list, func(l paired) bool { return len(l.Trials) == 0 })
		if unpaired >= i {
			list = append(list, c.list[unpaired])
		}
		return list
	}
	return c.list
}

// newestCheck returns the key of the check of the newest checked commit on the site's branch, or ""
// if no commit on it was checked.
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

// counted returns how many of the newest of n comparisons have their verdicts counted for the list.
func (s *Site) counted(n int) int {
	if s.opt.Live {
		return min(n, leastCompared)
	}
	return n
}

// compareAll builds the documents of the wanted comparisons. A comparison's document is nil if the
// comparison is not wanted or its data is unusable.
func (s *Site) compareAll(ctx context.Context, list []paired, wanted func(i int) bool) ([]*documents.Comparison, error) {
	made := make([]*documents.Comparison, len(list))
	errs := make([]error, len(list))
	if err := history.EachOf(ctx, len(list), func(ctx context.Context, i int) error {
		if wanted(i) {
			made[i], errs[i] = s.compareListed(ctx, list[i])
		}
		return nil
	}); err != nil {
		return nil, err
	}
	for _, err := range errs {
		var data *fault.Error
		switch {
		case err == nil:
		case errors.As(err, &data) && data.Kind == "data":
			s.session.Noticef("page: skipped a comparison: %s", fault.FirstLine(err))
		default:
			return nil, err
		}
	}
	return made, nil
}

func (s *Site) resolver() *comparison.Resolver {
	return &comparison.Resolver{Session: s.session, Where: s.lines.Place(), DB: s.db}
}

func (s *Site) compareListed(ctx context.Context, l paired) (*documents.Comparison, error) {
	c, err := s.resolver().CompareListed(ctx, l.Listed)
	if err != nil {
		return nil, fmt.Errorf("compare %s: %w", l.key, err)
	}
	return documents.NewComparison(l.key, c, s.at, s.lines.Place().Config.Opaque()...), nil
}

// Comparison returns the listed comparison with the given key or trial id. A live site also
// compares any two measured commits.
func (s *Site) Comparison(ctx context.Context, key string) (*documents.Comparison, error) {
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
		return nil, documents.ErrUnknown
	}
	return s.compareAny(ctx, key)
}

// word matches the names of commits allowed in a URL. It does not match git options.
var word = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[A-Za-z0-9_][A-Za-z0-9_./~^-]{0,199}$`) })

// compareAny compares the two commits in key, of the form BASE..HEAD. Each commit is given by a
// hash, tag or branch and must have been measured.
func (s *Site) compareAny(ctx context.Context, key string) (*documents.Comparison, error) {
	words := strings.SplitN(key, "..", 2)
	if len(words) != 2 {
		return nil, documents.ErrUnknown
	}
	var shas [2]string
	for i, w := range words {
		if !word().MatchString(w) || strings.Contains(w, "..") {
			return nil, documents.ErrUnknown
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
	return documents.NewComparison(key, c, s.at, s.lines.Place().Config.Opaque()...), nil
}

// resolve returns the hash of the measured commit named w.
func (s *Site) resolve(ctx context.Context, w string) (string, error) {
	found := ""
	for _, c := range s.commits {
		if len(w) >= 4 && strings.HasPrefix(c.SHA, w) || slices.Contains(c.Tags, w) {
			if found != "" && found != c.SHA {
				return "", fmt.Errorf("%w: %s names several commits", documents.ErrUnknown, w)
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
	return "", fmt.Errorf("%w: no run of %s is stored", documents.ErrUnknown, w)
}
