// Package config reads perftrack.toml: what a repository measures, and how large a
// change has to be to matter.
//
// In the flow engine -> runner -> store -> compare -> reports it comes first: its
// targets say what the runner builds and runs, and its thresholds go to compare. The
// file is read strictly, since a misspelt key would silently leave a default in
// force: every mistake is an error with its line, and all of them are reported at once.
//
// Begin with config.go, which has the [Config]; parse.go reads a target, a rule and
// the defaults key by key.
package config

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"syscall"
	"time"

	"github.com/perftrack/perftrack/runner/limit"
	"github.com/perftrack/perftrack/runner/naming"
)

// FileName is the name of the configuration file.
const FileName = "perftrack.toml"

// MaxSize is the largest configuration file that is read, in bytes.
const MaxSize = 256 << 10

// The kinds of targets.
const (
	GoTest  = "gotest"  // benchmarks of Go packages
	Command = "command" // any program that prints benchmark results
	Engine  = "engine"  // the built-in engine
)

// The layouts of a target say what is done about where the code of a build happens to lie,
// which moves a time by itself.
const (
	LayoutRotate  = "rotate"  // of gotest: relinked each round with another order of functions
	LayoutSeed    = "seed"    // of command: built each round with another PERFTRACK_LAYOUT_SEED
	LayoutAccept  = "accept"  // built once, and where the code lies is part of the change
	LayoutDefault = "default" // built once, so that a small change of a time is no more than suspect
)

// What accepts a regression, the weakest that counts: each includes those below.
const (
	AcceptTrailer = "trailer" // a line in the head commit's message, by any author with a branch
	AcceptLabel   = "label"   // a label, by who may triage
	AcceptRecord  = "record"  // perftrack accept, by who may push to the repository
)

// When pull requests are measured, each also by what those above it say.
const (
	OnPush    = "push"    // each push
	OnLabel   = "label"   // those with the label perf-measure
	OnComment = "comment" // those, and the ones for which somebody who may push asks
)

// Config is the content of a perftrack.toml.
type Config struct {
	Defaults Defaults
	Targets  []Target
	Rules    []Rule
}

// Defaults are what holds where no rule and no flag says otherwise.
type Defaults struct {
	Threshold float64 // smallest change worth blocking, as a fraction: 0.05 is 5 %
	// MeanWithin is how far the mean of all slices may have moved at most where a benchmark is unchanged, as
	// a fraction, which --strict wants proven; 0 asks for nothing.
	MeanWithin float64
	Alpha      float64  // chance that a harmless pull request is flagged, as a fraction
	Accept     string   // AcceptTrailer, AcceptLabel or AcceptRecord
	On         string   // OnPush, OnLabel or OnComment
	Paths      []string // globs as of a rule: a push that changes no such file is not measured, optional
	Site       string   // address of the published page, https and without a slash at the end; "" for none
	Isolate    bool     // benchmarks run in a box, as with --isolate
	CPUs       CPUs     // that benchmarks are pinned to, optional; whether the machine has them is not checked here
}

// Target is one thing to measure. A zero value of an optional field leaves the choice
// to the runner.
type Target struct {
	Name string // unique in the file; letters, digits and . _ -
	Kind string // GoTest, Command or Engine

	Packages []string // GoTest: package patterns; never empty there
	Only     []string // GoTest: of these packages only those that match these patterns, too; not in the file
	Layout   string   // one of the layouts of its kind, optional; see Rotates

	Build  string // Command: shell line that builds the program, optional
	Run    string // Command: shell line that prints the results
	Format string // Command: name of the output's format; "" is the Go benchmark format

	Bench     string        // regular expression as for go test -bench, optional
	Benchtime string        // as for go test -benchtime: 100ms or 50x; not for Command, optional
	Rounds    int           // optional
	Procs     Procs         // GoTest: GOMAXPROCS of its benchmarks, each one at each; none is that of the environment
	Timeout   time.Duration // of one process, optional
	Env       []string      // variables that its benchmarks get beside those of [childenv.Measured], optional
}

// LayoutMode is the layout with the default of the target's kind filled in.
func (t Target) LayoutMode() string {
	switch {
	case t.Layout != "":
		return t.Layout
	case t.Kind == GoTest:
		return LayoutRotate
	}
	return LayoutDefault
}

// Rotates reports whether each round has another layout.
func (t Target) Rotates() bool { return t.LayoutMode() == LayoutRotate || t.LayoutMode() == LayoutSeed }

// Rule gives the benchmarks that match a glob another threshold, or a limit.
type Rule struct {
	// Bench is matched against the whole name as perftrack shows it, without the prefix
	// Benchmark; the -N of a target with a list of GOMAXPROCS may be left out. A * is any text,
	// slashes included, and a ? is any one character; all else stands for itself.
	Bench     string
	Scope     string  // glob of scopes of profiles, in place of Bench
	Profile   string  // glob of profiled suites, in place of Bench
	Threshold float64 // as a fraction; 0 leaves it to other rules
	// MeanWithin is as in [Defaults]; 0 leaves it to other rules.
	MeanWithin float64
	Limit      *limit.Limit // optional
}

// Default is the configuration where there is no file.
func Default() *Config {
	return &Config{Defaults: Defaults{Threshold: 0.05, Alpha: 0.01, Accept: AcceptTrailer, On: OnPush}}
}

// Threshold returns the smallest change of the benchmark that is worth blocking, as a
// fraction. Of several rules that match and have a threshold, the last one in the file wins.
func (c *Config) Threshold(bench string) float64 {
	return c.ruled(bench, c.Defaults.Threshold, func(r Rule) float64 { return r.Threshold })
}

// MeanWithin returns the bound of the benchmark's mean that --strict wants proven, as a fraction; 0 is none.
// Of several rules that match and have one, the last one in the file wins.
func (c *Config) MeanWithin(bench string) float64 {
	return c.ruled(bench, c.Defaults.MeanWithin, func(r Rule) float64 { return r.MeanWithin })
}

// ruled is what the last rule says that matches the benchmark and says something, or else the default.
func (c *Config) ruled(bench string, def float64, of func(Rule) float64) float64 {
	for _, r := range slices.Backward(c.Rules) {
		if v := of(r); v > 0 && naming.MatchesBenchmark(r.Bench, bench) {
			return v
		}
	}
	return def
}

// Limits returns the limits of benchmarks, in the order of the file.
func (c *Config) Limits() limit.List {
	return c.limits(func(l *limit.Limit) bool { return l.On == limit.Benchmark })
}

// ProfileLimits returns the limits of profiles and their scopes, in the order of the file.
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

// Needs reports whether a push that changes these files is to be measured without being
// asked for.
func (d Defaults) Needs(files []string) bool {
	return d.On == OnPush && (len(d.Paths) == 0 || slices.ContainsFunc(files, func(file string) bool {
		return slices.ContainsFunc(d.Paths, func(glob string) bool { return naming.Matches(glob, file) })
	}))
}

// Lets divides the variables that a target of another version of the file asks for: those that this
// version lets through to the target of that name, and the others.
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

// Find looks for the configuration file in dir and its parents, up to and including
// top, the root of the repository. When dir is not below top, only dir is looked at.
func Find(dir, top string) (path string, ok bool) {
	dir, top = resolved(dir), resolved(top)
	if rel, err := filepath.Rel(top, dir); err != nil || !filepath.IsLocal(rel) {
		top = dir
	}
	for {
		path = filepath.Join(dir, FileName)
		if _, err := os.Lstat(path); err == nil {
			return path, true
		}
		if dir == top {
			return "", false
		}
		dir = filepath.Dir(dir)
	}
}

// resolved returns dir in the one form that paths can be compared in: git reports the
// root of a repository without symbolic links, a shell the working directory with them.
func resolved(dir string) string {
	if abs, err := filepath.Abs(dir); err == nil {
		dir = abs
	}
	if real, err := filepath.EvalSymlinks(dir); err == nil {
		dir = real
	}
	return filepath.Clean(dir)
}

// Load reads the configuration file at path. A symbolic link that leads out of the
// file's own directory is refused: a repository could point it at any file of the
// user, whose text the error messages would then show.
func Load(path string) (*Config, error) {
	text, err := read(path)
	if err != nil {
		return nil, fmt.Errorf("read configuration: %w", err)
	}
	return Parse(text, path)
}

func read(path string) ([]byte, error) {
	root, err := os.OpenRoot(filepath.Dir(path))
	if err != nil {
		return nil, err
	}
	defer root.Close()
	// Not to be kept waiting by a named pipe.
	f, err := root.OpenFile(filepath.Base(path), os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		if underlying := errors.Unwrap(err); underlying != nil {
			err = underlying // the error of a Root names only the last element
		}
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s: not a regular file", path)
	}
	text, err := io.ReadAll(io.LimitReader(f, MaxSize+1))
	if err != nil {
		return nil, err
	}
	return text, nil
}
