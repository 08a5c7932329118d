package documents

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"math"
	"slices"
	"strings"
)

// Regressions is the document with all steps for the worse on the site's branch, including accepted
// and recovered ones. Open regressions come first.
type Regressions struct {
	List []Regression `json:"list"`
	// Others lists the steps for the better and the steps in units without a direction, newest
	// commit first. They have the states of a [Step].
	Others []Regression `json:"others"`
	// TooFew is the number of lines with too few runs to find a step, and Lines is the number of
	// all lines.
	TooFew int `json:"tooFew"`
	Lines  int `json:"lines"`
}

// A Regression is a step in one line.
type Regression struct {
	ID          string `json:"id"` // a hash of the benchmark, environment, unit and commits, so it stays the same
	Benchmark   int    `json:"b"`
	Environment int    `json:"env"`
	Unit        string `json:"unit"`
	Better      int    `json:"better"`
	After       int    `json:"after"` // last commit before the step
	UpTo        int    `json:"upTo"`  // first commit after the step
	Commits     int    `json:"commits"`
	// Authors lists the authors of the measured commits in the range. The range may have more
	// commits.
	Authors []string `json:"authors"`
	Found   string   `json:"found,omitempty"` // full hash of the commit found by a bisection
	Drift   int      `json:"drift"`
	Change  Number   `json:"change"` // change at the step; null, like its interval, for a change from 0
	Lo      Number   `json:"lo"`
	Hi      Number   `json:"hi"`
	From    Number   `json:"from"`
	To      Number   `json:"to"`
	Now     Number   `json:"now"`
	Total   Number   `json:"total"` // change from the level before the first open step to the newest level; null unless open
	State   string   `json:"state"` // open, accepted or recovered
	Reason  string   `json:"reason,omitempty"`
	Until   int      `json:"until"`            // commit of the next better level; -1 unless recovered
	Accept  string   `json:"accept,omitempty"` // command to accept it
	Bisect  string   `json:"bisect,omitempty"` // command to find the commit: see history.StepRange
}

// These are the states of a regression.
const (
	RegressionOpen      = "open"
	RegressionAccepted  = "accepted"
	RegressionRecovered = "recovered"
)

// regressionStates maps the state of a Step for the worse to the state of its regression.
var regressionStates = map[string]string{"regressed": RegressionOpen, "accepted": RegressionAccepted, "recovered": RegressionRecovered}

// A RegressionList collects regressions, one benchmark after the other.
type RegressionList struct {
	index   *Index
	commits *Commits
	places  map[string]int // indices of benchmarks by document id
	out     Regressions
}

// NewRegressionList returns an empty list.
func NewRegressionList(index *Index, commits *Commits) *RegressionList {
	l := &RegressionList{index: index, commits: commits, places: map[string]int{}, out: Regressions{List: []Regression{}, Others: []Regression{}}}
	for i, b := range index.Benchmarks {
		l.places[b.ID] = i
	}
	return l
}

// Add adds the steps of a benchmark. It ignores a benchmark missing from the index.
func (l *RegressionList) Add(b *Benchmark) {
	place, ok := l.places[b.ID]
	if !ok {
		return
	}
	for i := range b.Lines {
		line := &b.Lines[i]
		if line.Branch != "" || line.Derived {
			continue
		}
		l.out.Lines++
		if !line.Enough {
			l.out.TooFew++
		}
		for k, s := range line.Steps {
			if state := regressionStates[s.State]; state != "" && !forTheBetter(s, line.Better) {
				l.out.List = append(l.out.List, l.regression(place, line, k, state))
			} else {
				l.out.Others = append(l.out.Others, l.regression(place, line, k, s.State))
			}
		}
	}
}

// forTheBetter reports whether a step is an improvement. It returns false if the unit has no
// direction.
func forTheBetter(s Step, better int) bool { return better != 0 && (s.To > s.From) == (better > 0) }

func (l *RegressionList) regression(place int, line *Line, k int, state string) Regression {
	s := line.Steps[k]
	r := Regression{
		Benchmark: place, Environment: line.Environment, Unit: line.Unit, Better: line.Better,
		After: at(line.Commit, s.Last), UpTo: at(line.Commit, s.First), Commits: s.Commits, Drift: s.Drift,
		Change: s.Change, Lo: s.Lo, Hi: s.Hi, From: s.From, To: s.To, Now: s.Now,
		Total: Number(math.NaN()), State: state, Reason: s.Reason, Until: -1, Accept: s.Accept, Bisect: s.Bisect, Found: s.Found,
	}
	if s.Absolute {
		r.Change, r.Lo, r.Hi = Number(math.NaN()), Number(math.NaN()), Number(math.NaN())
	}
	if i := slices.IndexFunc(line.Steps, func(s Step) bool { return s.State == "regressed" }); state == RegressionOpen && i >= 0 {
		r.Total = line.Steps[i].Now
	}
	if state == RegressionRecovered {
		for _, later := range line.Steps[k+1:] {
			if forTheBetter(later, line.Better) {
				r.Until = at(line.Commit, later.First)
				break
			}
		}
	}
	for i := r.After + 1; r.UpTo >= 0 && i <= r.UpTo; i++ {
		if c := l.commits.List[i]; c.Author != "" && !c.Off && !slices.Contains(r.Authors, c.Author) {
			r.Authors = append(r.Authors, c.Author)
		}
	}
	b := l.index.Benchmarks[place]
	environment := ""
	if e := line.Environment; e >= 0 && e < len(l.index.Environments) {
		environment = l.index.Environments[e].ID
	}
	r.ID = stableID(b.Target, b.Package, b.Suite, b.Name, environment, line.Unit, l.sha(r.After), l.sha(r.UpTo))
	return r
}

// at returns the commit of a point, or -1 if there is no such point.
func at(commits []int, point int) int {
	if point < 0 || point >= len(commits) {
		return -1
	}
	return commits[point]
}

func (l *RegressionList) sha(commit int) string {
	if commit < 0 || commit >= len(l.commits.List) {
		return ""
	}
	return l.commits.List[commit].SHA
}

// stableID returns a hash of the words in hex. It separates them with NUL, which no name contains.
func stableID(words ...string) string {
	sum := sha256.Sum256([]byte(strings.Join(words, "\x00")))
	return hex.EncodeToString(sum[:16])
}

// Document returns the list: first the open regressions, then the accepted and the recovered ones,
// each newest first.
func (l *RegressionList) Document() *Regressions {
	slices.SortStableFunc(l.out.Others, func(a, b Regression) int { return cmp.Compare(b.UpTo, a.UpTo) })
	order := []string{RegressionOpen, RegressionAccepted, RegressionRecovered}
	slices.SortStableFunc(l.out.List, func(a, b Regression) int {
		return cmp.Or(
			cmp.Compare(slices.Index(order, a.State), slices.Index(order, b.State)),
			cmp.Compare(b.UpTo, a.UpTo), cmp.Compare(a.Benchmark, b.Benchmark), cmp.Compare(a.Environment, b.Environment), cmp.Compare(a.Unit, b.Unit))
	})
	return &l.out
}
