package config

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/pelletier/go-toml/v2"

	"github.com/perftrack/perftrack/runner/childenv"
	"github.com/perftrack/perftrack/runner/limit"
)

// maxRounds is the most samples of a benchmark that one file of results may hold.
const maxRounds = 10_000

// Thresholds and alpha are below these. An interval that errs at each end with a chance of
// a half has no inside.
const (
	thresholdLimit = 10
	alphaLimit     = 0.5
)

// ParseThreshold reads a threshold as the file has it, "5%" or 0.05.
func ParseThreshold(text string) (float64, error) {
	return parseFraction("threshold", text, thresholdLimit)
}

// ParseAlpha reads an alpha as the file has it, "1%" or 0.01.
func ParseAlpha(text string) (float64, error) { return parseFraction("alpha", text, alphaLimit) }

// tomlFloat is a number that TOML takes for a float.
var tomlFloat = regexp.MustCompile(`^[+-]?(0|[1-9][0-9]*)(\.[0-9]+([eE][+-]?[0-9]+)?|[eE][+-]?[0-9]+)$`)

func parseFraction(key, text string, limit float64) (fraction float64, err error) {
	t := &table{p: &parser{}, values: map[string]any{key: text}}
	if number, err := strconv.ParseFloat(text, 64); err == nil && tomlFloat.MatchString(text) {
		t.values[key] = number
	}
	t.fraction(key, &fraction, limit)
	if len(t.p.mistakes) > 0 {
		return 0, errors.New(t.p.mistakes[0].text)
	}
	return fraction, nil
}

// mistake is an error in the file that fileName names.
type mistake struct {
	fileName string
	line     int
	text     string
}

func (m *mistake) Error() string { return fmt.Sprintf("%s:%d: %s", m.fileName, m.line, m.text) }

// Parse reads the text of a configuration file; fileName is for messages. The error
// joins all mistakes, each as "file:line: text", in the order of lines.
func Parse(text []byte, fileName string) (c *Config, err error) {
	err = parse(text, fileName, func(p *parser, tree map[string]any) { c = p.file(tree) })
	if err != nil {
		return nil, err
	}
	return c, nil
}

// parse decodes a file and hands it to read, which notes its mistakes.
func parse(text []byte, fileName string, read func(p *parser, tree map[string]any)) error {
	if len(text) > MaxSize {
		return fmt.Errorf("read configuration %s: larger than %d KiB", fileName, MaxSize>>10)
	}
	text = bytes.TrimPrefix(text, []byte("\uFEFF"))
	var tree map[string]any
	if err := toml.Unmarshal(text, &tree); err != nil {
		var syntax *toml.DecodeError
		if errors.As(err, &syntax) {
			line, _ := syntax.Position()
			return &mistake{fileName, max(1, line), strings.TrimPrefix(syntax.Error(), "toml: ")}
		}
		return fmt.Errorf("read configuration %s: %w", fileName, err)
	}
	p := &parser{lines: keyLines(string(text)), fileName: fileName}
	read(p, tree)
	if len(p.mistakes) > 0 {
		slices.SortStableFunc(p.mistakes, func(a, b *mistake) int { return cmp.Compare(a.line, b.line) })
		errs := make([]error, len(p.mistakes))
		for i, m := range p.mistakes {
			errs[i] = m
		}
		return errors.Join(errs...)
	}
	return nil
}

// parser collects the mistakes while the decoded file is turned into a Config.
type parser struct {
	fileName string
	lines    map[string]int
	mistakes []*mistake
}

func (p *parser) file(tree map[string]any) *Config {
	c := Default()
	top := &table{p: p, values: tree}
	if d := top.table("defaults"); d != nil {
		d.fraction("threshold", &c.Defaults.Threshold, thresholdLimit)
		d.fraction("mean_within", &c.Defaults.MeanWithin, thresholdLimit)
		d.fraction("alpha", &c.Defaults.Alpha, alphaLimit)
		d.text("accept", &c.Defaults.Accept)
		switch c.Defaults.Accept {
		case AcceptTrailer, AcceptLabel, AcceptRecord:
		default:
			d.mistake("accept", "unknown accept %q: use trailer, label or record", c.Defaults.Accept)
		}
		d.text("on", &c.Defaults.On)
		switch c.Defaults.On {
		case OnPush, OnLabel, OnComment:
		default:
			d.mistake("on", "unknown on %q: use push, label or comment", c.Defaults.On)
		}
		d.texts("paths", &c.Defaults.Paths)
		if len(c.Defaults.Paths) > 0 && c.Defaults.On != OnPush {
			d.mistake("paths", "paths is for on = %q: with %q a pull request is measured where it is asked for", OnPush, c.Defaults.On)
		}
		d.site("site", &c.Defaults.Site)
		d.boolean("isolate", &c.Defaults.Isolate)
		d.cpus("cpus", &c.Defaults.CPUs)
		d.done()
	}
	seen := make(map[string]bool)
	for _, t := range top.tables("target") {
		target := t.target()
		if seen[target.Name] && target.Name != "" {
			t.mistake("name", "there is another target %q: give each its own name", target.Name)
		}
		seen[target.Name] = true
		c.Targets = append(c.Targets, target)
	}
	for _, t := range top.tables("rule") {
		var rule Rule
		t.subject(&rule)
		t.fraction("threshold", &rule.Threshold, thresholdLimit)
		t.fraction("mean_within", &rule.MeanWithin, thresholdLimit)
		t.oneOf("threshold", "mean_within", "limit")
		t.done()
		c.Rules = append(c.Rules, rule)
	}
	top.done()
	return c
}

var (
	targetName = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$`)
	iterations = regexp.MustCompile(`^[1-9][0-9]{0,8}x$`)
)

// keysOf says which kinds of targets a key is for; the others are for all.
var keysOf = map[string]string{
	"packages": GoTest, "procs": GoTest, "build": Command, "run": Command, "format": Command,
}

func (t *table) target() Target {
	var target Target
	t.text("name", &target.Name)
	t.text("kind", &target.Kind)
	t.texts("packages", &target.Packages)
	t.text("layout", &target.Layout)
	t.text("build", &target.Build)
	t.text("run", &target.Run)
	t.text("format", &target.Format)
	t.text("bench", &target.Bench)
	t.text("benchtime", &target.Benchtime)
	t.integer("rounds", &target.Rounds, maxRounds)
	t.procs("procs", &target.Procs)
	t.duration("timeout", &target.Timeout)
	t.texts("env", &target.Env)
	t.required("name", "kind")
	t.done()

	if target.Name != "" && !targetName.MatchString(target.Name) {
		t.mistake("name", "target name %q: use letters, digits and . _ - (at most 64)", target.Name)
	}
	switch target.Kind {
	case GoTest:
		if _, set := t.values["packages"]; !set {
			target.Packages = []string{"./..."}
		}
	case Command:
		t.required("run")
		if target.Benchtime != "" {
			t.mistake("benchtime", "a target of kind command is not told a benchtime: put it into its run line")
		}
	case Engine, "":
	default:
		t.mistake("kind", "unknown kind %q: use gotest, command or engine", target.Kind)
		return target
	}
	for key, kind := range keysOf {
		if _, set := t.values[key]; set && target.Kind != "" && target.Kind != kind {
			t.mistake(key, "%s is for targets of kind %s, and this is a %s target", key, kind, target.Kind)
		}
	}
	t.checkValues(target)
	return target
}

func (t *table) checkValues(target Target) {
	t.checkLayout(target)
	t.checkEnv(target.Env)
	for _, pattern := range target.Packages {
		if pattern == "" || strings.HasPrefix(pattern, "-") {
			t.mistake("packages", "%q is no package pattern: write for example ./...", pattern)
		}
	}
	if _, err := regexp.Compile(target.Bench); err != nil {
		t.mistake("bench", "bench is no regular expression: %v", err)
	}
	if d, err := time.ParseDuration(target.Benchtime); target.Benchtime != "" &&
		!iterations.MatchString(target.Benchtime) && (err != nil || d <= 0) {
		t.mistake("benchtime", "benchtime %q: write a duration like 100ms or a count like 50x", target.Benchtime)
	}
}

// variableName is the name of a variable of the environment.
var variableName = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)

// checkEnv refuses what identifies the user: whoever writes the file may be a stranger.
func (t *table) checkEnv(names []string) {
	for _, name := range names {
		switch {
		case !variableName.MatchString(name):
			t.mistake("env", "env has %q: list names of variables, as in env = [\"MY_DATA_DIR\"]", name)
		case childenv.Credential(name):
			t.mistake("env", "env has %s: no benchmark gets a credential", name)
		}
	}
}

// siteAddress is what a page's address may be: it stands in links of comments.
var siteAddress = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^https://[A-Za-z0-9]([A-Za-z0-9.-]{0,250}[A-Za-z0-9])?(:[0-9]{1,5})?(/[A-Za-z0-9._~-]+)*/?$`)
})

func (t *table) site(key string, to *string) {
	t.text(key, to)
	if *to != "" && (len(*to) > 500 || !siteAddress().MatchString(*to)) {
		t.mistake(key, "%s %q: write the address of the published page, as in https://owner.github.io/repository", key, *to)
	}
	*to = strings.TrimSuffix(*to, "/")
}

// layoutsOf are the layouts that a target of a kind may have.
var layoutsOf = map[string][]string{
	GoTest:  {LayoutRotate, LayoutAccept, LayoutDefault},
	Command: {LayoutSeed, LayoutAccept, LayoutDefault},
}

func (t *table) checkLayout(target Target) {
	known := layoutsOf[target.Kind]
	switch {
	case target.Layout == "" || target.Kind == "":
	case known == nil:
		t.mistake("layout", "layout is for targets of kind gotest or command, and this is of kind %s", target.Kind)
	case !slices.Contains(known, target.Layout):
		t.mistake("layout", "unknown layout %q of a %s target: use %s", target.Layout, target.Kind, strings.Join(known, ", "))
	case target.Layout == LayoutSeed && target.Build == "":
		t.mistake("layout", "layout = %q needs a build line, which is run each round with another PERFTRACK_LAYOUT_SEED", LayoutSeed)
	}
}

// subject reads whatever a rule is of, and its limit.
func (t *table) subject(rule *Rule) {
	t.text("bench", &rule.Bench)
	t.text("scope", &rule.Scope)
	t.text("profile", &rule.Profile)
	named := 0
	for _, key := range []string{"bench", "scope", "profile"} {
		if _, set := t.values[key]; set {
			named++
		}
	}
	t.get("limit") // is no unknown key of a rule without a subject
	switch {
	case named == 0:
		t.required("bench")
	case named > 1:
		t.mistake("bench", "a rule has one of bench, scope and profile: write a rule for each")
	case rule.Scope != "":
		t.limit("limit", rule.Scope, limit.ParseScope, &rule.Limit)
	case rule.Profile != "":
		t.limit("limit", rule.Profile, limit.ParseProfile, &rule.Limit)
	default:
		t.limit("limit", rule.Bench, limit.Parse, &rule.Limit)
	}
	for _, key := range []string{"threshold", "mean_within"} {
		if _, set := t.values[key]; set && rule.Bench == "" && named == 1 {
			t.mistake(key, "%s is of benchmarks: scopes and profiles are not judged by their changes, only by a limit", key)
		}
	}
}

// limit reads a limit of what the glob matches.
func (t *table) limit(key, glob string, parse func(glob, text string) (limit.Limit, error), to **limit.Limit) {
	var text string
	if t.text(key, &text); text == "" {
		return
	}
	l, err := parse(glob, text)
	if err != nil {
		t.mistake(key, "%s %v", key, err)
		return
	}
	*to = &l
}

// checkText refuses what no key can mean and what would garble a message.
func checkText(s string) error {
	switch {
	case s == "":
		return errors.New("is empty")
	case !utf8.ValidString(s):
		return errors.New("is not valid UTF-8")
	case strings.ContainsFunc(s, func(r rune) bool { return r < ' ' && r != '\n' && r != '\t' || r == 0x7f }):
		return errors.New("holds a control character")
	}
	return nil
}
