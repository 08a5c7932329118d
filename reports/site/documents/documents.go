// Package documents makes the documents that the web page reads: one for each page, from comparisons,
// histories and stored runs.
//
// Begin with documents.go. It describes the conventions of the documents and the [Source] that
// provides them.
package documents

import (
	"context"
	"errors"

	"github.com/perftrack/perftrack/compare"
	"github.com/perftrack/perftrack/reports"
	"github.com/perftrack/perftrack/reports/environments"
)

// A Source provides the documents of a site. Every call may read a database. The documents belong
// to the caller. If a name or id is unknown, the error is ErrUnknown.
type Source interface {
	Index(ctx context.Context) (*Index, error)
	Commits(ctx context.Context) (*Commits, error)
	Benchmark(ctx context.Context, id string) (*Benchmark, error) // for ids in Index.Benchmarks
	Run(ctx context.Context, id string) (*Run, error)             // for ids in Runs
	Runs(ctx context.Context) (*Runs, error)
	Comparison(ctx context.Context, key string) (*Comparison, error) // for keys in Runs.Comparisons; a live site also accepts BASE..HEAD
	Regressions(ctx context.Context) (*Regressions, error)
	Machine(ctx context.Context) (*Machine, error)
	Releases(ctx context.Context) (*Releases, error)
	Models(ctx context.Context) (*Models, error)
	Profile(ctx context.Context, id string) (*Profile, error) // for ids in Runs.Profiles
	// Flame returns the flame graph with the given file name from Profile.Flames. It is an HTML
	// document with its own Content-Security-Policy (flame.Policy).
	Flame(ctx context.Context, file string) ([]byte, error)
}

// These conventions apply to all documents. Numbers are in the tidied unit (sec/op, B/op), and the
// browser scales them. Unknown values are null or missing and never 0. Times are in seconds since
// 1970. Commits, runs, environments and benchmarks are indices into Commits.List, Runs.List,
// Index.Environments and Index.Benchmarks, where -1 means none. Fractions are used for percentages:
// 0.05 means 5 %. Text is never markup.

// Schema is the version of the documents. The scripts reject documents of any other version.
const Schema = 1

// A Meta describes the site.
type Meta struct {
	Schema     int     `json:"schema"`          // always [Schema]
	Title      string  `json:"title"`           // by default the name of the repository
	Repository string  `json:"repository"`      // web address without a trailing slash; "" if unknown
	Branch     string  `json:"branch"`          // the branch whose history is shown
	Head       string  `json:"head"`            // hash of the branch's newest commit; "" outside a repository
	Depth      int     `json:"depth,omitempty"` // number of first-parent commits from HEAD in this clone; 0 outside a repository
	Generated  int64   `json:"generated"`
	Version    string  `json:"version"` // version of perftrack
	Threshold  float64 `json:"threshold"`
	Alpha      float64 `json:"alpha"`
	Live       bool    `json:"live"`              // served by perftrack serve, which can make more comparisons
	Reports    bool    `json:"reports,omitempty"` // reports/summary.html exists next to the page
	Queue      bool    `json:"queue,omitempty"`   // the database has a fleet, so there is a document about its queue
	Damaged    int     `json:"damaged,omitempty"` // number of damaged runs left out
}

// An Index holds the data for the overview and the names of all other documents.
type Index struct {
	Meta         Meta                       `json:"meta"`
	Now          Now                        `json:"now"`
	Environments []environments.Environment `json:"environments"` // the most recently measured one comes first
	Benchmarks   []BenchmarkRow             `json:"benchmarks"`   // sorted by target, package, suite and name
	Limits       []LimitRow                 `json:"limits,omitempty"`
	States       []State                    `json:"states"` // states of rows, worst first
	Groups       []Group                    `json:"groups"` // groups of rows in comparisons, worst first
}

// A LimitRow compares the newest value of a benchmark, a scope or a whole profile with a limit.
type LimitRow struct {
	Benchmark int      `json:"benchmark"` // -1 for a profile
	Name      string   `json:"name"`
	Unit      string   `json:"unit"`
	Target    string   `json:"target"` // as configured, such as <= 100 ms
	Value     *float64 `json:"value"`
	Lo        *float64 `json:"lo"` // bounds of the median's interval
	Hi        *float64 `json:"hi"`
	Factor    *float64 `json:"factor"` // improvement needed; 1 or less if the limit is met
	State     string   `json:"state"`  // met, missed or undecided
	Needs     int      `json:"needs,omitempty"`
}

// limitName returns the name of the benchmark, scope or profile that has the limit, without its
// package.
func limitName(l compare.RunLimit) string {
	l.ID.Package = ""
	return reports.LimitName(l)
}

// NewLimitRow returns the row for a limit on a run. benchmark is the index of the benchmark.
func NewLimitRow(l compare.RunLimit, benchmark int) LimitRow {
	return LimitRow{
		Benchmark: benchmark, Name: limitName(l), Unit: l.Unit, Target: l.Text, Value: numberOrNil(l.Center), Lo: numberOrNil(l.Lo), Hi: numberOrNil(l.Hi),
		Factor: numberOrNil(l.Factor(l.Center, l.Unit)), State: string(l.State), Needs: l.Needs,
	}
}

// A Now describes the current state, shown at the top of the page. A regression is unresolved if it
// has neither recovered nor been accepted.
type Now struct {
	Unresolved int      `json:"unresolved"` // benchmarks with an unresolved regression
	Steps      int      `json:"steps"`      // unresolved regressions in all units
	Undecided  int      `json:"undecided"`  // benchmarks in the newest check with an undecided unit
	Decided    int      `json:"decided"`    // decided benchmarks in the newest check
	Regressed  int      `json:"regressed"`  // benchmarks with an unaccepted regression in the newest check
	LeftOut    int      `json:"left"`       // number of reasons why the newest check skipped benchmarks
	Head       string   `json:"head"`       // full hash of the newest check's head; "" if there is no check
	Lost       []int    `json:"lost"`       // benchmarks missing from the newest run of their target
	Stale      []int    `json:"stale"`      // benchmarks not measured at any of the newest 10 measured commits
	TooFew     int      `json:"tooFew"`     // lines with too few runs to find a step
	Noise      *float64 `json:"noise"`      // noise in the newest runs: median over benchmarks
	Detects    *float64 `json:"detects"`    // smallest change a check finds: median over benchmarks; see Calibration
	Newest     int      `json:"newest"`     // benchmarks in the newest runs of their targets
	Known      int      `json:"known"`      // benchmarks ever measured on the site's branch
	Whole      bool     `json:"whole"`      // every target has a run of all its benchmarks
	Trial      string   `json:"trial"`      // key of the check for the branch's newest checked commit; "" if there is none
	LastRun    int64    `json:"lastRun"`    // end of the last run
}

// A BenchmarkRow is a benchmark in the overview.
type BenchmarkRow struct {
	ID      string `json:"id"`   // name of its document; it stays the same when the site is made again and is a safe file name
	Path    string `json:"path"` // its name in addresses: target/package/Name, shortened if still unambiguous
	Target  string `json:"target"`
	Package string `json:"package"`
	Suite   string `json:"suite"`
	Name    string `json:"name"`            // without Benchmark and -N, such as Sort/n=1000
	Scope   bool   `json:"scope,omitempty"` // scope of a profile, which may have the same name as a benchmark
	Lines   []Row  `json:"lines"`
}

// A Row is the current state of one unit of a benchmark, in one environment and on one branch. A
// benchmark's first row is its time on the site's branch in the most recently measured environment.
type Row struct {
	Environment int      `json:"env"`
	Branch      string   `json:"branch,omitempty"` // "" for the site's branch
	Unit        string   `json:"unit"`
	Better      int      `json:"better"` // -1 if less is better, 1 if more is better, 0 if unknown
	Spark       string   `json:"spark"`  // at most 40 characters: '.' means no value; '0'-'9', 'a'-'z' and 'A'-'Z' mean 0 to 61
	Marks       []Mark   `json:"marks"`  // steps in the spark line
	Level       *float64 `json:"level"`  // center of the newest run
	Lo          *float64 `json:"lo"`     // 95 % interval
	Hi          *float64 `json:"hi"`
	State       string   `json:"state"` // see [States]
	Change      *float64 `json:"change"`
	ChangeAt    int      `json:"changeAt"` // index of the commit that made the change
	Noise       *float64 `json:"noise"`    // noise between runs: robust relative SD within the newest level
	Runs        int      `json:"runs"`
	Last        int      `json:"last"` // commit of the newest run
}

// A Mark is a step in a spark line. It consists of a position and a direction: +1 for worse, -1 for
// better, and 0 for neither.
type Mark [2]int

// ErrUnknown is returned for a document missing from the site.
var ErrUnknown = errors.New("the site has no such document")
