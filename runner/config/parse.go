package config

import (
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/perftrack/perftrack/runner/childenv"
	"github.com/perftrack/perftrack/runner/limit"
)

// maxRounds is the maximum number of samples of one benchmark in a result file.
const maxRounds = 10_000

// The file is decoded into these types. They embed the exported types and add the keys with values
// to parse.
type (
	document struct {
		Defaults defaults `toml:"defaults"`
		Targets  []target `toml:"target"`
		Rules    []rule   `toml:"rule"`
	}
	defaults struct {
		Defaults
		Threshold  literal `toml:"threshold"`
		MeanWithin literal `toml:"mean_within"`
		Alpha      literal `toml:"alpha"`
		CPUs       string  `toml:"cpus"`
	}
	target struct {
		Target
		Procs   string  `toml:"procs"`
		Timeout literal `toml:"timeout"`
	}
	rule struct {
		Rule
		Threshold  literal `toml:"threshold"`
		MeanWithin literal `toml:"mean_within"`
		Limit      string  `toml:"limit"`
		Better     string  `toml:"better"`
	}
)

// Parse parses the text of a configuration file; fileName is used in messages. The returned error
// joins all mistakes in line order, each as "file:line: text". If a value has the wrong type, only
// mistakes in types and keys are reported.
func Parse(text []byte, fileName string) (*Config, error) {
	c := Default()
	content := document{Defaults: defaults{Defaults: c.Defaults}}
	f, err := decode(text, fileName, &content)
	if err != nil {
		return nil, err
	}
	c.Defaults = table{f, "defaults"}.defaults(content.Defaults)
	seen := make(map[string]bool)
	for i, raw := range content.Targets {
		t := table{f, fmt.Sprintf("target[%d]", i)}
		if seen[raw.Name] && raw.Name != "" {
			t.note("name", "two targets have the name %q: give each its own name", raw.Name)
		}
		seen[raw.Name] = true
		c.Targets = append(c.Targets, t.target(raw))
	}
	for i, raw := range content.Rules {
		c.Rules = append(c.Rules, table{f, fmt.Sprintf("rule[%d]", i)}.rule(raw))
	}
	if err := f.err(); err != nil {
		return nil, err
	}
	return c, nil
}

// site matches the address of the published report, which becomes a link in comments.
var site = regexp.MustCompile(`^https://[A-Za-z0-9]([A-Za-z0-9.-]{0,250}[A-Za-z0-9])?(:[0-9]{1,5})?(/[A-Za-z0-9._~-]+)*/?$`)

func (t table) defaults(raw defaults) Defaults {
	d := raw.Defaults
	t.fraction("threshold", raw.Threshold, thresholdLimit, &d.Threshold)
	t.fraction("mean_within", raw.MeanWithin, thresholdLimit, &d.MeanWithin)
	t.fraction("alpha", raw.Alpha, alphaLimit, &d.Alpha)
	t.oneOf("accept", d.Accept, AcceptTrailer, AcceptLabel, AcceptRecord)
	t.oneOf("on", d.On, OnPush, OnLabel, OnComment)
	if len(d.Paths) > 0 && d.On != OnPush {
		t.note("paths", "paths requires on = %q: with on = %q, pull requests are measured on demand", OnPush, d.On)
	}
	if d.Site != "" && (len(d.Site) > 500 || !site.MatchString(d.Site)) {
		t.note("site", "invalid site %q: write the address of the published page, such as https://owner.github.io/repository", d.Site)
	}
	d.Site = strings.TrimSuffix(d.Site, "/")
	d.CPUs = list(t, "cpus", raw.CPUs, ParseCPUs)
	return d
}

// oneOf records a mistake if the value of a key is unknown.
func (t table) oneOf(key, value string, known ...string) {
	if value != "" && !slices.Contains(known, value) {
		last := len(known) - 1
		t.note(key, "unknown %s %q: use %s or %s", key, value, strings.Join(known[:last], ", "), known[last])
	}
}

// list parses the text at key with parse, unless the text is empty.
func list[T any](t table, key, text string, parse func(string) (T, error)) (all T) {
	if text == "" {
		return all
	}
	all, err := parse(text)
	if err != nil {
		t.note(key, "%s: %v", key, err)
	}
	return all
}

var (
	targetName = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$`)
	iterations = regexp.MustCompile(`^[1-9][0-9]{0,8}x$`)
)

// kindOf maps a key to the only kind of target that may have it. Keys that are missing here are
// allowed for more than one kind.
var kindOf = map[string]string{
	"packages": GoTest, "procs": GoTest,
	"build": Command, "run": Command, "format": Command, "results": Command, "paths": Command,
}

func (t table) target(raw target) Target {
	target := raw.Target
	t.need("name")
	t.need("kind")
	target.Procs = list(t, "procs", raw.Procs, ParseProcs)
	if t.has("rounds") && (target.Rounds < 1 || target.Rounds > maxRounds) {
		t.note("rounds", "rounds must be a whole number from 1 to %d", maxRounds)
	}
	if t.has("timeout") {
		var err error
		if target.Timeout, err = time.ParseDuration(raw.Timeout.text); err != nil || target.Timeout <= 0 {
			t.note("timeout", `timeout must be a duration above zero: try timeout = "10m"`)
		}
	}
	if target.Name != "" && !targetName.MatchString(target.Name) {
		t.note("name", "invalid target name %q: use at most 64 letters, digits, and . _ -", target.Name)
	}
	t.oneOf("kind", target.Kind, GoTest, Command, Engine)
	switch target.Kind {
	case GoTest:
		if !t.has("packages") {
			target.Packages = []string{"./..."}
		}
	case Command:
		t.need("run")
		if target.Benchtime != "" {
			t.note("benchtime", "targets of kind command do not support benchtime: put it into the run line")
		}
	case Engine:
	default:
		return target
	}
	for key, kind := range kindOf {
		if t.has(key) && target.Kind != kind {
			t.note(key, "%s is only for targets of kind %s; this target is of kind %s", key, kind, target.Kind)
		}
	}
	t.checkValues(target)
	return target
}

func (t table) checkValues(target Target) {
	t.checkLayout(target)
	t.checkEnv(target.Env)
	t.checkResults(target.Results)
	for _, pattern := range target.Packages {
		if strings.HasPrefix(pattern, "-") {
			t.note("packages", "invalid package pattern %q: try ./...", pattern)
		}
	}
	if _, err := regexp.Compile(target.Bench); err != nil {
		t.note("bench", "bench is not a regular expression: %v", err)
	}
	if d, err := time.ParseDuration(target.Benchtime); target.Benchtime != "" &&
		!iterations.MatchString(target.Benchtime) && (err != nil || d <= 0) {
		t.note("benchtime", "invalid benchtime %q: write a duration such as 100ms or a count such as 50x", target.Benchtime)
	}
}

// variableName matches the name of an environment variable.
var variableName = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)

// checkEnv refuses variables that may contain the user's credentials, because the file may come
// from a stranger.
func (t table) checkEnv(names []string) {
	for _, name := range names {
		switch {
		case !variableName.MatchString(name):
			t.note("env", "invalid name %q in env: list the names of variables, as in env = [\"MY_DATA_DIR\"]", name)
		case childenv.Credential(name):
			t.note("env", "env lists %s: benchmarks never get credentials", name)
		}
	}
}

// checkResults refuses paths outside the target's folder, and those of files that must never be
// removed.
func (t table) checkResults(paths []string) {
	for _, path := range paths {
		clean := filepath.ToSlash(filepath.Clean(path))
		first, _, _ := strings.Cut(clean, "/")
		switch {
		case !filepath.IsLocal(path) || clean == ".":
			t.note("results", "invalid path %q in results: write a file or folder below the folder of this file, such as target/criterion", path)
		case strings.EqualFold(first, ".git") || first == ".perftrack" || clean == FileName:
			t.note("results", "results lists %s, but perftrack removes the results before each process", path)
		}
	}
}

// layoutsOf lists the layouts of each kind of target.
var layoutsOf = map[string][]string{
	GoTest:  {LayoutRotate, LayoutAccept, LayoutDefault},
	Command: {LayoutSeed, LayoutAccept, LayoutDefault},
}

func (t table) checkLayout(target Target) {
	known := layoutsOf[target.Kind]
	switch {
	case target.Layout == "":
	case known == nil:
		t.note("layout", "layout is only for targets of kind gotest or command; this target is of kind %s", target.Kind)
	case !slices.Contains(known, target.Layout):
		t.note("layout", "unknown layout %q for a %s target: use %s", target.Layout, target.Kind, strings.Join(known, ", "))
	case target.Layout == LayoutSeed && target.Build == "":
		t.note("layout", "layout = %q requires a build line, which is run with a different PERFTRACK_LAYOUT_SEED in each round", LayoutSeed)
	}
}

func (t table) rule(raw rule) Rule {
	r := raw.Rule
	t.fraction("threshold", raw.Threshold, thresholdLimit, &r.Threshold)
	t.fraction("mean_within", raw.MeanWithin, thresholdLimit, &r.MeanWithin)
	t.need("threshold", "mean_within", "limit", "better")
	if t.has("better") {
		t.need("unit")
		r.Better = t.better(raw.Better)
	} else {
		t.need("bench", "scope", "profile")
	}
	switch {
	case t.has("bench") && t.has("scope"), t.has("bench") && t.has("profile"), t.has("scope") && t.has("profile"):
		t.note("bench", "a rule may have only one of bench, scope and profile: write a rule for each")
	case r.Scope != "":
		r.Limit = t.limit(r.Scope, raw.Limit, limit.ParseScope)
	case r.Profile != "":
		r.Limit = t.limit(r.Profile, raw.Limit, limit.ParseProfile)
	default:
		r.Limit = t.limit(r.Bench, raw.Limit, limit.Parse)
	}
	for _, key := range []string{"threshold", "mean_within", "better"} {
		if t.has(key) && !t.has("bench") && (t.has("scope") || t.has("profile")) {
			t.note(key, "%s is only for benchmarks: scopes and profiles can only have a limit", key)
		}
	}
	switch {
	case !t.has("better") && t.has("unit"):
		t.note("unit", `unit is only for a direction: add better = "lower" or better = "higher"`)
	case t.has("better") && !t.has("bench") && (t.has("threshold") || t.has("mean_within") || t.has("limit")):
		t.note("better", "thresholds and limits need the key bench: write a rule of its own for better")
	}
	return r
}

// better returns the direction with the given name.
func (t table) better(name string) int {
	t.oneOf("better", name, "lower", "higher")
	switch name {
	case "lower":
		return -1
	case "higher":
		return 1
	}
	return 0
}

// limit parses text, a limit on everything matching glob. It returns nil if text is empty.
func (t table) limit(glob, text string, parse func(glob, text string) (limit.Limit, error)) *limit.Limit {
	if text == "" {
		return nil
	}
	l, err := parse(glob, text)
	if err != nil {
		t.note("limit", "invalid limit %v", err)
	}
	return &l
}
