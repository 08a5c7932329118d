package medians

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"regexp"
	"slices"
	"strings"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/workspace"
	"github.com/perftrack/perftrack/reports/github"
	"github.com/perftrack/perftrack/runner/record"
)

// ArtifactName and FileName name the artifact of the job that keeps the history, and the one file
// in it.
const (
	ArtifactName = "perftrack-medians"
	FileName     = "medians.json"
)

// MaxSize is the largest document, in bytes; series are left out so that it is kept.
const MaxSize = 8 << 20

const version = 1

// A document is what the file holds.
type document struct {
	Version int      `json:"medians_version"`
	Commits []string `json:"commits"`         // hashes of 12 digits, the oldest first
	LeftOut int      `json:"series_left_out"` // because of MaxSize
	Series  []series `json:"series"`
}

// A series is one unit of a benchmark in one environment, the oldest run first.
type series struct {
	Target      string    `json:"target"`
	Kind        string    `json:"kind"`
	Suite       string    `json:"suite,omitempty"`
	Package     string    `json:"package,omitempty"`
	Name        string    `json:"name"`
	Unit        string    `json:"unit"`
	Environment string    `json:"environment_id"`
	At          []int     `json:"at"` // places in the commits
	Medians     []float64 `json:"medians"`
}

// Write writes the newest medians of all benchmarks on the line of HEAD.
func Write(ctx context.Context, a *workspace.Session, w io.Writer) error {
	h, commits, err := read(ctx, a, Options{})
	if err != nil {
		return err
	}
	text, err := encode(h, commits, MaxSize)
	if err != nil {
		return err
	}
	_, err = w.Write(append(text, '\n'))
	return err
}

// encode writes as many series as there is room for, a series a line: times first.
func encode(h *github.Histories, commits []string, most int) ([]byte, error) {
	d := document{Version: version, Commits: []string{}}
	at := map[string]int{}
	for i, sha := range commits {
		at[sha] = i
		d.Commits = append(d.Commits, record.ShortHash(sha))
	}
	list := slices.Clone(h.List)
	slices.SortStableFunc(list, func(a, b github.History) int { return cmp.Compare(unitRank(a.Unit), unitRank(b.Unit)) })
	var lines []string
	most -= 200 + 16*len(d.Commits) // of what stands around them
	for _, one := range list {
		s := series{Target: one.Target, Kind: string(one.Kind), Suite: one.Suite, Package: one.Package, Name: one.Name, Unit: one.Unit, Environment: one.Environment}
		for _, p := range one.Points {
			s.At, s.Medians = append(s.At, at[p.Commit]), append(s.Medians, p.Value)
		}
		line, err := json.Marshal(s)
		if err != nil {
			return nil, fmt.Errorf("write the medians of %s: %w", one.Name, err)
		}
		if most -= len(line) + 2; most < 0 {
			break
		}
		lines = append(lines, string(line))
	}
	d.LeftOut = len(list) - len(lines)
	head, err := json.Marshal(d) // its series are null
	if err != nil {
		return nil, err
	}
	return []byte(strings.TrimSuffix(string(head), "null}") + "[\n" + strings.Join(lines, ",\n") + "\n]}"), nil
}

func unitRank(unit string) int {
	if unit == "sec/op" {
		return 0
	}
	return 1
}

var (
	shortHash     = regexp.MustCompile(`^[0-9a-f]{12}$`)
	environmentID = regexp.MustCompile(`^[0-9a-f]{12}$`)
)

// Parse reads a document that anybody may have written. Of the runs only those up to the commit
// base are taken, if it is among them.
func Parse(text []byte, base string) (*github.Histories, error) {
	if len(text) > MaxSize {
		return nil, fmt.Errorf("larger than %d MiB", MaxSize>>20)
	}
	var d document
	if err := json.Unmarshal(text, &d); err != nil {
		return nil, fmt.Errorf("read JSON: %w", err)
	}
	if d.Version != version {
		return nil, fmt.Errorf("version %d of the medians, this perftrack reads %d", d.Version, version)
	}
	if err := d.check(); err != nil {
		return nil, err
	}
	last := slices.Index(d.Commits, record.ShortHash(base))
	h := &github.Histories{ToBase: last >= 0, LeftOut: d.LeftOut}
	for _, s := range d.Series {
		one := github.History{
			Target: s.Target, BenchmarkID: record.BenchmarkID{Kind: record.Kind(s.Kind), Suite: s.Suite, Package: s.Package, Name: s.Name},
			Unit: s.Unit, Environment: s.Environment,
		}
		for i, at := range s.At {
			if last < 0 || at <= last {
				one.Points = append(one.Points, github.Point{Commit: d.Commits[at], Value: s.Medians[i]})
			}
		}
		h.List = append(h.List, one)
	}
	return h, nil
}

// check reports what no document of ours has.
func (d *document) check() error {
	if len(d.Commits) > MaxCommits || slices.ContainsFunc(d.Commits, func(sha string) bool { return !shortHash.MatchString(sha) }) {
		return fmt.Errorf("the commits are not at most %d hashes of 12 digits", MaxCommits)
	}
	if d.LeftOut < 0 {
		return errors.New("a negative number of series was left out")
	}
	for i, s := range d.Series {
		if err := s.check(len(d.Commits)); err != nil {
			return fmt.Errorf("series %d: %w", i+1, err)
		}
	}
	return nil
}

func (s *series) check(commits int) error {
	for _, words := range []string{s.Target, s.Kind, s.Suite, s.Package, s.Name, s.Unit} {
		if len(words) > record.MaxSettingLen {
			return fmt.Errorf("a name has more than %d bytes", record.MaxSettingLen)
		}
	}
	switch {
	case !environmentID.MatchString(s.Environment):
		return errors.New("the environment has no id")
	case len(s.At) != len(s.Medians) || len(s.At) > MaxRuns:
		return fmt.Errorf("%d places and %d medians, which are as many and at most %d", len(s.At), len(s.Medians), MaxRuns)
	case slices.ContainsFunc(s.At, func(at int) bool { return at < 0 || at >= commits }) || !slices.IsSorted(s.At):
		return errors.New("its runs are not in the order of the commits")
	case slices.ContainsFunc(s.Medians, func(v float64) bool { return !(v >= 0) || math.IsInf(v, 1) }):
		return errors.New("a median is negative")
	}
	return nil
}
