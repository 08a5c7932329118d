// Package config reads perftrack.toml, which lists the benchmarks of a repository and the
// thresholds for their changes.
//
// It comes first in the flow engine -> runner -> store -> compare -> reports: the runner builds and
// runs its targets, and compare uses its thresholds. The file is read strictly, because a misspelt
// key would silently leave a default in effect. Every mistake is an error with its line number, and
// all mistakes are reported at once.
//
// Start with [Config] in config.go. parse.go checks the values, and decode.go checks their types.
package config

import (
	"slices"
	"time"

	"github.com/perftrack/perftrack/runner/limit"
	"github.com/perftrack/perftrack/runner/naming"
	"github.com/perftrack/perftrack/runner/record"
)

// The kinds of targets.
const (
	GoTest  = "gotest"  // benchmarks in Go packages
	Command = "command" // any program that prints benchmark results
	Engine  = "engine"  // the built-in engine
)

// The layouts of a target. The position of code in memory alone affects its speed.
const (
	LayoutRotate  = "rotate"  // for gotest: relink in each round with a different order of functions
	LayoutSeed    = "seed"    // for command: build in each round with a different PERFTRACK_LAYOUT_SEED
	LayoutAccept  = "accept"  // build once, and count a layout effect as part of the change
	LayoutDefault = "default" // build once, and report a small change in a time as suspect at most
)

// The ways to accept a regression. Each value also allows the values below it.
const (
	AcceptTrailer = "trailer" // a line in the head commit's message, by a user who can push to the branch
	AcceptLabel   = "label"   // a label, by a user with triage access
	AcceptRecord  = "record"  // perftrack ci accept, by a user with push access
)

// When to measure pull requests. Each value also includes the values below it.
const (
	OnPush    = "push"    // after each push
	OnLabel   = "label"   // if they have the label perf-measure
	OnComment = "comment" // after a comment by a user with push access
)

// Config is the content of a perftrack.toml file.
type Config struct {
	Defaults Defaults
	Targets  []Target
	Rules    []Rule
}

// Defaults holds the values that apply unless a rule or a flag overrides them.
type Defaults struct {
	Threshold  float64  `toml:"-"` // smallest change that blocks, as a fraction: 0.05 is 5 %
	MeanWithin float64  `toml:"-"` // largest change in the mean of all slices that --strict accepts, as a fraction; 0 for no limit
	Alpha      float64  `toml:"-"` // probability that a harmless pull request is flagged, as a fraction
	Accept     string   `toml:"accept"`
	On         string   `toml:"on"`
	Paths      []string `toml:"paths"`   // globs as in a rule: a push that changes no matching file is not measured; optional
	Site       string   `toml:"site"`    // address of the published report: https, without a slash at the end; optional
	Isolate    bool     `toml:"isolate"` // run benchmarks in a sandbox, as with --isolate
	CPUs       CPUs     `toml:"-"`       // CPUs to pin benchmarks to; optional; the machine might not have them
}

// Target is a program or a set of packages to measure. The zero value of an optional field leaves
// the choice to the runner.
type Target struct {
	Name string `toml:"name"` // unique in the file; letters, digits and . _ -
	Kind string `toml:"kind"`

	Packages []string `toml:"packages"` // GoTest: package patterns; never empty there
	Only     []string `toml:"-"`        // GoTest: measure only packages also matching one of these
	Layout   string   `toml:"layout"`   // a layout that its kind supports, optional; see LayoutMode

	Build  string `toml:"build"`  // Command: shell line that builds the program, optional
	Run    string `toml:"run"`    // Command: shell line that prints the results
	Format string `toml:"format"` // Command: name of the output format; "" to detect it from the output

	Results []string `toml:"results"` // Command: files and folders that the run writes instead of printing results; optional
	Paths   []string `toml:"paths"`   // Command: globs for the files that the benchmarks depend on; optional

	Bench     string        `toml:"bench"`     // regular expression, as for go test -bench; optional
	Benchtime string        `toml:"benchtime"` // 100ms or 50x, as for go test -benchtime; not for Command; optional
	Rounds    int           `toml:"rounds"`    // optional
	Procs     Procs         `toml:"-"`         // GoTest: values of GOMAXPROCS to measure each benchmark at; empty for the environment's
	Timeout   time.Duration `toml:"-"`         // for one process; optional
	Env       []string      `toml:"env"`       // variables its benchmarks get in addition to those in [childenv.Measured]; optional
}

// LayoutMode returns the target's layout, or the default for its kind.
func (t Target) LayoutMode() string {
	switch {
	case t.Layout != "":
		return t.Layout
	case t.Kind == GoTest:
		return LayoutRotate
	}
	return LayoutDefault
}

// Rotates reports whether each round uses a different layout.
func (t Target) Rotates() bool { return t.LayoutMode() == LayoutRotate || t.LayoutMode() == LayoutSeed }

// Rule sets a separate threshold or a limit for the benchmarks matching a glob, or the direction of
// a unit.
type Rule struct {
	// Bench is matched against the whole name as perftrack shows it, without the prefix Benchmark.
	// If the target has a list of GOMAXPROCS values, the -N suffix may be omitted. A * matches any
	// text, including slashes, and a ? matches any single character; everything else matches
	// itself.
	Bench      string       `toml:"bench"`
	Scope      string       `toml:"scope"`   // glob for scopes in profiles, instead of Bench
	Profile    string       `toml:"profile"` // glob for profiled suites, instead of Bench
	Threshold  float64      `toml:"-"`       // as a fraction; 0 if the rule does not set it
	MeanWithin float64      `toml:"-"`       // as in [Defaults]; 0 if the rule does not set it
	Limit      *limit.Limit `toml:"-"`       // optional

	// Unit is a glob for units, and Better is their direction: +1 if higher values are better, -1 if
	// lower ones are, 0 if the rule does not set it. Without Bench it holds in all benchmarks.
	Unit   string `toml:"unit"`
	Better int    `toml:"-"`
}

// Default returns the configuration of a repository without a file.
func Default() *Config {
	return &Config{Defaults: Defaults{Threshold: 0.05, Alpha: 0.01, Accept: AcceptTrailer, On: OnPush}}
}

// Opaque returns the names of the targets whose functions perftrack cannot profile, because they are
// no Go packages of the repository.
func (c *Config) Opaque() (names []string) {
	for _, t := range c.Targets {
		if t.Kind != GoTest {
			names = append(names, t.Name)
		}
	}
	return names
}

// Threshold returns the smallest change in the benchmark that blocks, as a fraction. It comes from
// the last matching rule that sets a threshold, or else from the defaults.
func (c *Config) Threshold(bench string) float64 {
	return c.ruled(bench, c.Defaults.Threshold, func(r Rule) float64 { return r.Threshold })
}

// MeanWithin returns the largest change in the benchmark's mean that --strict accepts, as a
// fraction, or 0 for no limit. It comes from the last matching rule with a limit, or else from the
// defaults.
func (c *Config) MeanWithin(bench string) float64 {
	return c.ruled(bench, c.Defaults.MeanWithin, func(r Rule) float64 { return r.MeanWithin })
}

// ruled returns the value of the last matching rule with a value above 0, or else def.
func (c *Config) ruled(bench string, def float64, of func(Rule) float64) float64 {
	for _, r := range slices.Backward(c.Rules) {
		if v := of(r); v > 0 && naming.MatchesBenchmark(r.Bench, bench) {
			return v
		}
	}
	return def
}

// Better returns the direction of a unit in a benchmark: +1 if higher values are better, -1 if lower
// ones are. It comes from the last matching rule with a direction; without one it is 0, and the
// benchmark program's own declaration holds. unit is the stored unit, and a rule may also name the
// unit of the reports: sec/op.
func (c *Config) Better(bench, unit string) int {
	tidied := record.Tidied(unit)
	for _, r := range slices.Backward(c.Rules) {
		if r.Better != 0 && (r.Bench == "" || naming.MatchesBenchmark(r.Bench, bench)) &&
			(naming.Matches(r.Unit, unit) || naming.Matches(r.Unit, tidied)) {
			return r.Better
		}
	}
	return 0
}

// Limits returns the limits on benchmarks, in file order.
func (c *Config) Limits() limit.List {
	return c.limits(func(l *limit.Limit) bool { return l.On == limit.Benchmark })
}

// ProfileLimits returns the limits on profiles and their scopes, in file order.
func (c *Config) ProfileLimits() limit.List {
	return c.limits(func(l *limit.Limit) bool { return l.On != limit.Benchmark })
}

func (c *Config) limits(keep func(*limit.Limit) bool) (all limit.List) {
	for _, r := range c.Rules {
		if r.Limit != nil && keep(r.Limit) {
			all = append(all, *r.Limit)
		}
	}
	return all
}

// Needs reports whether a push that changes the given files is measured without a request.
func (d Defaults) Needs(files []string) bool {
	return d.On == OnPush && (len(d.Paths) == 0 || slices.ContainsFunc(files, func(file string) bool {
		return slices.ContainsFunc(d.Paths, func(glob string) bool { return naming.Matches(glob, file) })
	}))
}

// Lets splits the variables requested by t, a target from another version of the file. Variables
// that c grants to the target with the same name are let through; all others are withheld.
func (c *Config) Lets(t Target) (through, withheld []string) {
	i := slices.IndexFunc(c.Targets, func(own Target) bool { return own.Name == t.Name })
	for _, name := range t.Env {
		if i >= 0 && slices.Contains(c.Targets[i].Env, name) {
			through = append(through, name)
		} else {
			withheld = append(withheld, name)
		}
	}
	return through, withheld
}

// PathsOf returns the paths to use for t, a target from another version of the file. They are those
// that c declares for the target with the same name, provided that both build and run it in the
// same way; otherwise there are none.
func (c *Config) PathsOf(t Target) []string {
	i := slices.IndexFunc(c.Targets, func(own Target) bool { return own.Name == t.Name })
	if i < 0 {
		return nil
	}
	own := c.Targets[i]
	if own.Kind != t.Kind || own.Build != t.Build || own.Run != t.Run || !slices.Equal(own.Results, t.Results) {
		return nil
	}
	return own.Paths
}
