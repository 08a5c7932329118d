package site

import (
	"context"
	"errors"

	"github.com/perftrack/perftrack/compare"
	"github.com/perftrack/perftrack/reports"
)

// A Source hands out the documents of a site. Every call may read a database; the
// documents belong to the caller. A name or id that it does not have is ErrUnknown.
type Source interface {
	Index(ctx context.Context) (*Index, error)
	Commits(ctx context.Context) (*Commits, error)
	Benchmark(ctx context.Context, id string) (*Benchmark, error) // of Index.Benchmarks
	Run(ctx context.Context, id string) (*Run, error)             // of Runs
	Runs(ctx context.Context) (*Runs, error)
	Comparison(ctx context.Context, key string) (*Comparison, error) // of Runs.Comparisons; a live one also BASE..HEAD
	Regressions(ctx context.Context) (*Regressions, error)
	Machine(ctx context.Context) (*Machine, error)
	Releases(ctx context.Context) (*Releases, error)
	Models(ctx context.Context) (*Models, error)
	Profile(ctx context.Context, id string) (*Profile, error) // of Runs.Profiles
	// Flame returns the flame graph page of a file name of Profile.Flames: a whole HTML document,
	// with a Content-Security-Policy of its own (flame.Policy).
	Flame(ctx context.Context, file string) ([]byte, error)
}

// Conventions of all documents. Numbers are in the tidied unit (sec/op, B/op): what is shown
// is scaled in the browser. What is not known is null or missing, never 0. Times are seconds
// since 1970. Commits are places in Commits.List, runs places in Runs.List, environments places in
// Index.Environments, benchmarks places in Index.Benchmarks, -1 where there is none. Fractions are
// fractions: 0.05 is 5 %. Text is text: it is never markup, and the browser writes it as text only.

// Schema is the version of these documents; the scripts refuse those of another one.
const Schema = 1

// A Meta is what every page of the site says at its foot.
type Meta struct {
	Schema     int     `json:"schema"`          // of these documents, see [Schema]
	Title      string  `json:"title"`           // of the repository
	Repository string  `json:"repository"`      // its web address, without a slash at the end; "" where unknown
	Branch     string  `json:"branch"`          // whose line of development is shown
	Head       string  `json:"head"`            // hash of its newest commit, "" outside a repository
	Depth      int     `json:"depth,omitempty"` // commits of HEAD along first parents, as far as this clone has them; 0 outside a repository
	Generated  int64   `json:"generated"`
	Version    string  `json:"version"` // of perftrack
	Threshold  float64 `json:"threshold"`
	Alpha      float64 `json:"alpha"`
	Live       bool    `json:"live"`              // from perftrack serve: more comparisons
	Reports    bool    `json:"reports,omitempty"` // the folder has those for people: reports/summary.html
	Damaged    int     `json:"damaged,omitempty"` // runs that are left out because they are not what was stored
}

// An Index is what the overview needs, and the names of everything else.
type Index struct {
	Meta         Meta           `json:"meta"`
	Now          Now            `json:"now"`
	Environments []Environment  `json:"environments"` // the one measured last first
	Benchmarks   []BenchmarkRow `json:"benchmarks"`   // by target, package, suite, name
	Limits       []LimitRow     `json:"limits,omitempty"`
}

// A LimitRow is what the newest value of a benchmark, a scope or a whole profile says of a limit.
type LimitRow struct {
	Benchmark int      `json:"benchmark"` // -1 of a profile
	Name      string   `json:"name"`
	Unit      string   `json:"unit"`
	Target    string   `json:"target"` // as it was written: <= 100 ms
	Value     *float64 `json:"value"`
	Lo        *float64 `json:"lo"` // of the interval of the median
	Hi        *float64 `json:"hi"`
	Factor    *float64 `json:"factor"` // how many times better it has to become: 1 or less is reached
	State     string   `json:"state"`  // met, missed, undecided
	Needs     int      `json:"needs,omitempty"`
}

// limitName is the name of what a limit bounds, without its package.
func limitName(l compare.RunLimit) string {
	l.ID.Package = ""
	return reports.LimitName(l)
}

// NewLimitRow describes a limit of a run, by the place of its benchmark.
func NewLimitRow(l compare.RunLimit, benchmark int) LimitRow {
	return LimitRow{
		Benchmark: benchmark, Name: limitName(l), Unit: l.Unit, Target: l.Text, Value: numberOrNil(l.Center), Lo: numberOrNil(l.Lo), Hi: numberOrNil(l.Hi),
		Factor: numberOrNil(l.Factor(l.Center, l.Unit)), State: string(l.State), Needs: l.Needs,
	}
}

// A Now is the band on top: how things stand.
type Now struct {
	InForce   int      `json:"inForce"`   // benchmarks with a regression in force
	Steps     int      `json:"steps"`     // regressions in force, of all their units
	Undecided int      `json:"undecided"` // benchmarks of the newest check, in some unit
	Decided   int      `json:"decided"`   // others of it
	Regressed int      `json:"regressed"` // others of it, and not accepted
	Left      int      `json:"left"`      // reasons for which it left out what it should have checked
	Head      string   `json:"head"`      // whole hash of its head, "" without one
	Lost      []int    `json:"lost"`      // benchmarks that the newest run of their target does not have
	Stale     []int    `json:"stale"`     // measured, but not for the newest 10 commits that were measured
	TooFew    int      `json:"tooFew"`    // lines with too few runs to find a step
	Noise     *float64 `json:"noise"`     // median over benchmarks, of the newest runs
	Detects   *float64 `json:"detects"`   // smallest change that a check finds, median; see Machine
	Newest    int      `json:"newest"`    // benchmarks in the newest runs of their target
	Known     int      `json:"known"`     // benchmarks that were ever measured on the site's branch
	Whole     bool     `json:"whole"`     // of each target some run was of all there is
	Trial     string   `json:"trial"`     // key of the check of the newest commit of the site's branch that has one; "" without one
	LastRun   int64    `json:"lastRun"`   // when it ended
}

// An Environment is a machine, its settings and a Go version. Numbers of two of them are never
// joined.
type Environment struct {
	ID     string      `json:"id"`
	Label  string      `json:"label"` // short, tells it from the others of the site
	Values [][2]string `json:"values"`
	Last   int64       `json:"last"` // when it was last measured in
}

// A BenchmarkRow is one benchmark of the overview.
type BenchmarkRow struct {
	ID      string `json:"id"`   // names its document: stable over regenerations, safe in a file name
	Path    string `json:"path"` // in addresses: target/package/Name, shortened while it is unique; stable
	Target  string `json:"target"`
	Package string `json:"package"`
	Suite   string `json:"suite"`
	Name    string `json:"name"`            // without Benchmark and -N: Sort/n=1000
	Scope   bool   `json:"scope,omitempty"` // of a profile, which may have the name of a benchmark
	Lines   []Row  `json:"lines"`
}

// A Row is how one unit of a benchmark stands in one environment on a branch. The first of a
// benchmark is its time on the site's branch in the environment measured last.
type Row struct {
	Environment int      `json:"env"`
	Branch      string   `json:"branch,omitempty"` // "" is the site's
	Unit        string   `json:"unit"`
	Better      int      `json:"better"` // -1 less is better, 1 more, 0 nobody said
	Spark       string   `json:"spark"`  // at most 40 places, '.' for none, else '0'-'9', 'a'-'z', 'A'-'Z' for 0 to 61
	Marks       []Mark   `json:"marks"`  // steps within the spark line
	Level       *float64 `json:"level"`  // center of the newest run
	Lo          *float64 `json:"lo"`     // 95 % interval of it
	Hi          *float64 `json:"hi"`
	State       string   `json:"state"` // regressed, improved, changed, accepted, recovered, drift, off, steady, too-few: see [steps.State]; checked: see [Comparison.Mark]
	Change      *float64 `json:"change"`
	ChangeAt    int      `json:"changeAt"` // commit
	Noise       *float64 `json:"noise"`    // of run to run: robust relative SD within the newest level
	Runs        int      `json:"runs"`
	Last        int      `json:"last"` // commit of the newest run
}

// A Mark is a step in a spark line: at which place, and +1 worse, -1 better, 0 neither.
type Mark [2]int

// ErrUnknown says that a site has no such document.
var ErrUnknown = errors.New("the site has no such document")
