package medians

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/workspace"
	"github.com/perftrack/perftrack/reports/github"
	"github.com/perftrack/perftrack/runner/record"
)

// ArtifactName and FileName are the names of the artifact uploaded by the history's job and of the
// only file in it.
const (
	ArtifactName = "perftrack-medians"
	FileName     = "medians.json"
)

// MaxSize is the maximum size of a document in bytes. Series beyond it are left out.
const MaxSize = 8 << 20

const version = 1

// A document is the content of the file.
type document struct {
	Version int      `json:"medians_version"`
	Commits []string `json:"commits"`         // hashes of 12 digits, oldest first
	LeftOut int      `json:"series_left_out"` // number of series left out because of MaxSize
	Series  []series `json:"series"`
}

// A series holds the medians of one unit of a benchmark in one environment, oldest run first.
type series struct {
	Target      string    `json:"target"`
	Kind        string    `json:"kind"`
	Suite       string    `json:"suite,omitempty"`
	Package     string    `json:"package,omitempty"`
	Name        string    `json:"name"`
	Unit        string    `json:"unit"`
	Environment string    `json:"environment_id"`
	At          []int     `json:"at"` // indices into Commits
	Medians     []float64 `json:"medians"`
}

// Write writes the newest medians of all benchmarks in HEAD's history to w.
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

// encode encodes as many series as fit into most bytes. Each series takes one line, and series of
// times come first.
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
	most -= 200 + 16*len(d.Commits) // reserve space for the rest of the document
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
	head, err := json.Marshal(d) // d.Series is still nil, so it is encoded as null at the end
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

// isShort reports whether text is a short hash of perftrack's usual length. The ids of environments
// also have this form.
func isShort(text string) bool { return record.IsShortHash(text) && text == record.ShortHash(text) }

// Parse parses an untrusted document. If base is among the document's commits, Parse skips runs of
// later commits.
func Parse(text []byte, base string) (*github.Histories, error) {
	if len(text) > MaxSize {
		return nil, fmt.Errorf("larger than %d MiB", MaxSize>>20)
	}
	var d document
	if err := json.Unmarshal(text, &d); err != nil {
		return nil, fmt.Errorf("read JSON: %w", err)
	}
	if d.Version != version {
		return nil, fmt.Errorf("the medians have version %d, but this perftrack reads only version %d", d.Version, version)
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

// check returns an error if perftrack cannot have written the document.
func (d *document) check() error {
	if len(d.Commits) > MaxCommits || slices.ContainsFunc(d.Commits, func(sha string) bool { return !isShort(sha) }) {
		return fmt.Errorf("the commits must be at most %d hashes of 12 digits", MaxCommits)
	}
	if d.LeftOut < 0 {
		return errors.New("the number of omitted series is negative")
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
	case !isShort(s.Environment):
		return errors.New("the environment has no id")
	case len(s.At) != len(s.Medians) || len(s.At) > MaxRuns:
		return fmt.Errorf("%d commits and %d medians: the numbers must be equal and at most %d", len(s.At), len(s.Medians), MaxRuns)
	case slices.ContainsFunc(s.At, func(at int) bool { return at < 0 || at >= commits }) || !slices.IsSorted(s.At):
		return errors.New("its runs are not in commit order")
	case slices.ContainsFunc(s.Medians, func(v float64) bool { return !(v >= 0) || math.IsInf(v, 1) }):
		return errors.New("a median is negative or not finite")
	}
	return nil
}
