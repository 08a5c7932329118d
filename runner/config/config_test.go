package config

import (
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"syscall"
	"testing"
	"time"

	"pgregory.net/rapid"

	_ "github.com/perftrack/perftrack/runner/drawtest"
	"github.com/perftrack/perftrack/runner/limit"
)

const full = `# how this repository is measured
[defaults]
threshold = "2.5%"          # smallest change worth blocking
mean_within = "30%"
alpha     = 0.02
accept    = "label"
paths     = ["*.go", "go.*"]
cpus      = "6,2-3"
isolate   = true
site      = "https://owner.github.io/repository/"

[[target]]
name = "engine"
kind = "gotest"
packages = [
	"./engine/...", # [not] = "a key"
	"./kernels",
]
layout = "default"
bench = 'MatMul|GELU'
benchtime = "50x"
rounds = 12
timeout = "1m30s"

[[target]]
name = "tokenizer"
kind = "command"
build = "cargo build --release"
run = """
target/release/bench \
  --json"""
format = "google-benchmark"
results = ["out/bench.json", "target/criterion"]
paths = ["src/**", "Cargo.*"]

[[target]]
name = "own"
kind = "engine"
benchtime = "100ms"

[[target]]
name = "rest"
kind = "gotest"

[[rule]]
bench = "GELU_*"
threshold = "3%"

[[rule]]
bench = "GELU_1000"
threshold = 0.5
limit = "<= 3us"

[[rule]]
bench = "GELU_2000"
mean_within = 0.2
`

func TestParse(t *testing.T) {
	micro, err := limit.Parse("GELU_1000", "<= 3 us")
	if err != nil {
		t.Fatal(err)
	}
	got, err := Parse([]byte(full), "perftrack.toml")
	if err != nil {
		t.Fatal(err)
	}
	want := &Config{
		Defaults: Defaults{Threshold: 0.025, MeanWithin: 0.3, Alpha: 0.02, Accept: AcceptLabel, On: OnPush, Paths: []string{"*.go", "go.*"}, CPUs: CPUs{2, 3, 6}, Isolate: true, Site: "https://owner.github.io/repository"},
		Targets: []Target{
			{Name: "engine", Kind: GoTest, Packages: []string{"./engine/...", "./kernels"}, Layout: LayoutDefault,
				Bench: "MatMul|GELU", Benchtime: "50x", Rounds: 12, Timeout: 90 * time.Second},
			{Name: "tokenizer", Kind: Command, Build: "cargo build --release",
				Run: "target/release/bench --json", Format: "google-benchmark",
				Results: []string{"out/bench.json", "target/criterion"}, Paths: []string{"src/**", "Cargo.*"}},
			{Name: "own", Kind: Engine, Benchtime: "100ms"},
			{Name: "rest", Kind: GoTest, Packages: []string{"./..."}},
		},
		Rules: []Rule{{Bench: "GELU_*", Threshold: 0.03}, {Bench: "GELU_1000", Threshold: 0.5, Limit: &micro}, {Bench: "GELU_2000", MeanWithin: 0.2}},
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("Parse = %+v\nwant    %+v", got, want)
	}
	for _, text := range []string{"", "\uFEFF", "\r\n# nothing\r\n"} {
		if got, err := Parse([]byte(text), "f"); err != nil || !reflect.DeepEqual(got, Default()) {
			t.Errorf("Parse(%q) = %+v, %v", text, got, err)
		}
	}
}

func TestParseMistakes(t *testing.T) {
	const target = "[[target]]\nname = 'a'\nkind = 'gotest'\n"
	const command = "[[target]]\nkind = 'command'\nname = 'c'\n"
	for _, tt := range []struct{ text, want string }{
		{"[defaults]\n\ntreshold = 0.1", `f:3: unknown key "treshold": did you mean "threshold"?`},
		{"[defaults]\nTHRESHOLD = 0.1", `f:2: unknown key "THRESHOLD": did you mean "threshold"?`},
		{"[default]\nalpha = 0.1", `f:1: unknown key "default": did you mean "defaults"?`},
		{"defaults.apha = 0.1", `f:1: unknown key "apha": did you mean "alpha"?`},
		{"zebra = 1", `f:1: unknown key "zebra": known keys are defaults, target, rule`},
		{target + target + "\nruns = 'x'", "f:5: two targets have the name \"a\": give each its own name\nf:8: unknown key \"runs\": did you mean \"run\"?"},
		{target + "[target.vars]\nA = '1'", `f:4: unknown key "vars": known keys are name, kind, packages, layout, build, run, format, results, paths, bench, benchtime, rounds, env, procs, timeout`},
		{"[defaults]\nalpha = ", "f:2: "},
		{"\n[defaults", "f:2: "},
		{"[defaults]\nalpha = 0.1\nalpha = 0.2", "f:3: "},
		{"[defaults]\nalpha = 1.0", "f:2: alpha must be above 0% and below 50%"},
		{"[defaults]\nalpha = '0%'", "f:2: alpha must be above 0% and below 50%"},
		{"[defaults]\naccept = \"comment\"", `f:2: unknown accept "comment": use trailer, label or record`},
		{"[defaults]\naccept = \"\"", "f:2: accept is empty"},
		{"[defaults]\non = \"demand\"", `f:2: unknown on "demand": use push, label or comment`},
		{"[defaults]\npaths = '*.go'", `f:2: paths must be a list of strings`},
		{"[defaults]\npaths = []", `f:2: paths must be a list of strings`},
		{"[defaults]\non = 'label'\npaths = ['*.go']", `f:3: paths requires on = "push"`},
		{"[defaults]\nalpha = -0.1", "f:2: alpha must be above 0%"},
		{"[defaults]\nisolate = 'yes'", "f:2: isolate must be true or false, without quotes"},
		{"[defaults]\nsite = 'http://owner.github.io/x'", `f:2: invalid site "http://owner.github.io/x": write the address of the published page`},
		{"[defaults]\nsite = 'https://user@example.org/x'", "f:2: invalid site "},
		{"[defaults]\nsite = 'https://example.org/x?y'", "f:2: invalid site "},
		{"[defaults]\nsite = 'https://example.org/x)[y'", "f:2: invalid site "},
		{"[defaults]\nsite = 'https:///x'", "f:2: invalid site "},
		{"[defaults]\ncpus = 1", `f:2: cpus must be a string: write cpus = "..."`},
		{"[defaults]\ncpus = ''", "f:2: cpus is empty"},
		{"[defaults]\n\ncpus = '3-1'", `f:3: cpus: invalid list of CPUs "3-1": 3-1 ends before it begins`},
		{"[defaults]\ncpu = '1'", `f:2: unknown key "cpu": did you mean "cpus"?`},
		{"[defaults]\nthreshold = '1000%'", "f:2: threshold must be above 0% and below 1000%"},
		{"[defaults]\nthreshold = inf", `f:2: threshold: write it as "5%" or as 0.05`},
		{"[defaults]\nthreshold = nan", `f:2: threshold: write it as "5%" or as 0.05`},
		{"[defaults]\nthreshold = 5", `f:2: threshold: write it as "5%" or as 0.05`},
		{"[defaults]\nthreshold = '5'", `f:2: threshold: write it as "5%" or as 0.05`},
		{"[defaults]\nthreshold = '0x5%'", `f:2: threshold: write it as "5%" or as 0.05`},
		{"[defaults]\nthreshold = '%'", `f:2: threshold: write it as "5%" or as 0.05`},
		{"defaults = 1", "f:1: defaults must be a table: write [defaults]"},
		{"[target]\nname = 'a'", "f:1: target must be a list of tables: write [[target]]"},
		{"\ntarget = [{name = 'a', kind = 'zig'}]", `f:2: unknown kind "zig": use gotest, command or engine`},
		{"target = [1]", "f:1: target must be a list of tables"},
		{"target = 1", "f:1: target must be a list of tables"},
		{"target = [\n{name = 'a',\nkind = 'zig'}]", `f:3: unknown kind "zig"`},
		{"[[target]]\nkind = 'gotest'", "f:1: target: missing key name"},
		{"[[target]]\nname = 'a'", "f:1: target: missing key kind"},
		{"[[target]]\nname = 'a b'\nkind = 'engine'", `f:2: invalid target name "a b": use at most 64 letters`},
		{"[[target]]\nname = ''\nkind = 'engine'", "f:2: name is empty"},
		{"[[target]]\nname = 7\nkind = 'engine'", `f:2: name must be a string: write name = "..."`},
		{"[[target]]\nname = 'a'\nkind = 'command'", "f:1: target: missing key run"},
		{"[[target]]\nname = 'a'\nkind = 'command'\nrun = 'x'\nbenchtime = '1s'", "f:5: targets of kind command do not support benchtime: put it into the run line"},
		{"[[target]]\nname = 'a'\nkind = 'command'\nrun = \"a\\u0000b\"", "f:4: run contains a control character"},
		{"[[target]]\nname = 'a'\nkind = 'engine'\npackages = ['./...']", "f:4: packages is only for targets of kind gotest; this target is of kind engine"},
		{target + "build = 'make'", "f:4: build is only for targets of kind command; this target is of kind gotest"},
		{target + "packages = ['./...', '-exec=x']", `f:4: invalid package pattern "-exec=x"`},
		{target + "packages = []", `f:4: packages must be a list of strings: write packages = ["..."]`},
		{target + "packages = ['a', 1]", "f:4: packages must be a list of strings"},
		{target + "layout = 'random'", `f:4: unknown layout "random" for a gotest target: use rotate, accept, default`},
		{command + "layout = 'rotate'", `f:4: unknown layout "rotate" for a command target: use seed, accept, default`},
		{command + "layout = 'seed'", `f:4: layout = "seed" requires a build line, which is run with a different PERFTRACK_LAYOUT_SEED in each round`},
		{"[[target]]\nname = 'e'\nkind = 'engine'\nlayout = 'accept'", `f:4: layout is only for targets of kind gotest or command; this target is of kind engine`},
		{target + "paths = ['*.go']", "f:4: paths is only for targets of kind command; this target is of kind gotest"},
		{command + "results = ['a', '../b']", `f:4: invalid path "../b" in results: write a file or folder below the folder of this file`},
		{command + "results = ['/tmp/b']", `f:4: invalid path "/tmp/b" in results`},
		{command + "results = ['x/..']", `f:4: invalid path "x/.." in results`},
		{command + "results = ['./.git/config']", "f:4: results lists ./.git/config, but perftrack removes the results before each process"},
		{command + "results = ['perftrack.toml']", "f:4: results lists perftrack.toml, but"},
		{target + "bench = '('", "f:4: bench is not a regular expression: "},
		{target + "benchtime = '0x'", `f:4: invalid benchtime "0x": write a duration such as 100ms or a count such as 50x`},
		{target + "benchtime = '-1s'", `f:4: invalid benchtime "-1s"`},
		{target + "rounds = 0", "f:4: rounds must be a whole number from 1 to 10000"},
		{target + "rounds = 10001", "f:4: rounds must be a whole number from 1 to 10000"},
		{target + "rounds = 2.5", "f:4: rounds must be a whole number"},
		{target + "timeout = 10", `f:4: timeout must be a duration above zero: try timeout = "10m"`},
		{target + "timeout = '0s'", "f:4: timeout must be a duration above zero"},
		{target + "env = ['A B']", `f:4: invalid name "A B" in env: list the names of variables`},
		{target + "env = ['DIR', 'GH_TOKEN']", "f:4: env lists GH_TOKEN: benchmarks never get credentials"},
		{target + "env = ['SSH_AUTH_SOCK']", "f:4: env lists SSH_AUTH_SOCK: benchmarks never get credentials"},
		{"[[rule]]\nbench = 'x'", "f:1: rule: missing key threshold or mean_within or limit or better"},
		{"[[rule]]\nbetter = 'lower'", "f:1: rule: missing key unit"},
		{"[[rule]]\nunit = 'x'\nbetter = 'less'", `f:3: unknown better "less": use lower or higher`},
		{"[[rule]]\nunit = 'x'\nbench = 'x'\nthreshold = '1%'", `f:2: unit is only for a direction: add better = "lower"`},
		{"[[rule]]\nscope = 'x'\nunit = 'x'\nbetter = 'lower'", "f:4: better is only for benchmarks"},
		{"[[rule]]\nunit = 'x'\nbetter = 'lower'\nlimit = '< 1 ms'", "f:3: thresholds and limits need the key bench"},
		{"[[rule]]\nbench = 'x'\nlimit = '< 1 mb/op'", `f:3: invalid limit "< 1 mb/op": unknown unit "mb/op": did you mean "MB/op"?`},
		{"[[rule]]\nbench = 'x'\nlimit = 5", `f:3: limit must be a string: write limit = "..."`},
		{"[[rule]]\nbench = 'x'\nlimits = '< 1 ms'", `f:3: unknown key "limits": did you mean "limit"?`},
		{"[[rule]]\nthreshold = '1%'", "f:1: rule: missing key bench"},
		{"[[rule]]\nlimit = '< 1 ms'", "f:1: rule: missing key bench"},
		{"[[rule]]\nbench = 'x'\nscope = 'x'\nlimit = '< 1 ms'", "f:2: a rule may have only one of bench, scope and profile"},
		{"[[rule]]\nscope = 'x'\nthreshold = '1%'", "f:3: threshold is only for benchmarks"},
		{"[[rule]]\nscope = 'x'\nmean_within = '1%'", "f:3: mean_within is only for benchmarks"},
		{"[defaults]\nmean_within = '20'", `f:2: mean_within: write it as "5%" or as 0.05`},
		{"[[rule]]\nbench = 'x'\nmean_within = '0%'", "f:3: mean_within must be above 0% and below 1000%"},
		{"[[rule]]\nprofile = '*'\nlimit = '< 100 MB'", `f:3: invalid limit "< 100 MB": unit "MB": a limit for a profile must be in s, allocated-MB`},
	} {
		_, err := Parse([]byte(tt.text), "f")
		if err == nil || !strings.Contains(err.Error(), tt.want) || !strings.HasPrefix(err.Error(), "f:") {
			t.Errorf("Parse(%q)\n got %v\nwant %s", tt.text, err, tt.want)
		}
	}
}

// The head of a trial cannot choose what its benchmarks depend on: the base's paths apply, and none
// apply if head runs something else.
func TestPathsOf(t *testing.T) {
	own := Target{Name: "a", Kind: Command, Build: "make", Run: "./x", Results: []string{"r"}, Paths: []string{"src/*"}}
	for _, tt := range []struct {
		what   string
		change func(*Target)
		want   []string
	}{
		{"nothing", func(*Target) {}, own.Paths},
		{"paths", func(t *Target) { t.Paths = []string{"none"} }, own.Paths},
		{"no paths", func(t *Target) { t.Paths = nil }, own.Paths},
		{"name", func(t *Target) { t.Name = "b" }, nil},
		{"kind", func(t *Target) { t.Kind = Engine }, nil},
		{"build", func(t *Target) { t.Build = "" }, nil},
		{"run", func(t *Target) { t.Run = "./y" }, nil},
		{"results", func(t *Target) { t.Results = nil }, nil},
	} {
		head := own
		tt.change(&head)
		if got := (&Config{Targets: []Target{own}}).PathsOf(head); !reflect.DeepEqual(got, tt.want) {
			t.Errorf("%s changed: paths %q, want %q", tt.what, got, tt.want)
		}
	}
}

func TestKeyLines(t *testing.T) {
	const text = `a = """
b = 1
""\"""" # [c]
'd e' = [ # ]
  [ "h.i" ],
  "[f]", '''
g = 2''',
]
[h.i] # x
j.k = {l = 1}
m = 'it\n = 3' # 'n = 3
[[o]]
p = "\"" 
[[ o ]]
	p = 1
[o.q]
r = 1
s = [ # two
  { t = 1 },
  { u = {
    v.w = 2 } } ]`
	got := keyLines(text)
	for path, line := range map[string]int{
		"a": 1, "b": 0, "c": 0, "d e": 4, "g": 0, "h.i": 9, "h.i.j": 10, "h.i.j.k": 10, "h.i.j.k.l": 10, "h.i.m": 11, "n": 0,
		"o[0]": 12, "o[0].p": 13, "o[1]": 14, "o[1].p": 15, "o": 12, "o[1].q.r": 17, "o[1].q.s": 18, "o[1].q.s[0].t": 19, "o[1].q.s[1].u": 20, "o[1].q.s[1].u.v.w": 21,
	} {
		if got[path] != line {
			t.Errorf("line of %s = %d, want %d", path, got[path], line)
		}
	}
}

func TestNeeds(t *testing.T) {
	only := []string{"*.go", "go.*"}
	safer := []string{"*.go", "*.s", "*.c", "*.h", "*go.mod", "*go.sum", "go.work*", "*testdata/*", "perftrack.toml"} // as in docs/github.md
	for _, tt := range []struct {
		on    string
		paths []string
		files []string
		want  bool
	}{
		{OnPush, nil, nil, true},
		{OnPush, nil, []string{"README.md"}, true},
		{OnPush, only, []string{"README.md", "docs/go.md"}, false},
		{OnPush, only, []string{"README.md", "a/b/c.go"}, true},
		{OnPush, only, []string{"go.sum"}, true},
		{OnPush, only, nil, false},
		{OnPush, only, []string{"sub/go.sum", "a.s"}, false},
		{OnPush, safer, []string{"sub/go.sum"}, true},
		{OnPush, safer, []string{"sub/go.mod"}, true},
		{OnPush, safer, []string{"go.mod"}, true},
		{OnPush, safer, []string{"a.s"}, true},
		{OnPush, safer, []string{"a/b/c.c"}, true},
		{OnPush, safer, []string{"a/testdata/x.bin"}, true},
		{OnPush, safer, []string{"testdata/x.bin"}, true},
		{OnPush, safer, []string{"README.md", "docs/go.md", "a/table.bin"}, false},
		{OnLabel, nil, []string{"a.go"}, false},
		{OnComment, nil, []string{"a.go"}, false},
	} {
		if got := (Defaults{On: tt.on, Paths: tt.paths}).Needs(tt.files); got != tt.want {
			t.Errorf("%+v: %v", tt, got)
		}
	}
}

func TestThreshold(t *testing.T) {
	c := &Config{Defaults: Defaults{Threshold: 0.05}, Rules: []Rule{
		{Bench: "GELU_*", Threshold: 0.03}, {Bench: "*/big", Threshold: 0.2}, {Bench: "GELU_1000", Threshold: 0.5}, {Bench: "*"},
	}}
	for bench, want := range map[string]float64{
		"MatMul": 0.05, "GELU_10": 0.03, "GELU_1000": 0.5, "GELU_1/a/big": 0.2, "xGELU_1": 0.05, "": 0.05,
	} {
		if got := c.Threshold(bench); got != want {
			t.Errorf("Threshold(%q) = %v, want %v", bench, got, want)
		}
	}
}

func TestFind(t *testing.T) {
	top := t.TempDir()
	deep := filepath.Join(top, "a", "b")
	if err := os.MkdirAll(deep, 0o755); err != nil {
		t.Fatal(err)
	}
	if path, ok := Find(deep, top); ok {
		t.Errorf("found %s", path)
	}
	write := func(dir string) string {
		path := filepath.Join(resolved(dir), FileName)
		if err := os.WriteFile(path, nil, 0o644); err != nil {
			t.Fatal(err)
		}
		return path
	}
	inTop := write(top)
	link := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(top, link); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct{ dir, top, want string }{
		{deep, top, inTop}, {top, top, inTop}, {filepath.Join(link, "a"), top, inTop},
		{deep, filepath.Join(top, "a"), ""}, {deep, t.TempDir(), ""},
	} {
		if path, _ := Find(tt.dir, tt.top); path != tt.want {
			t.Errorf("Find(%s, %s) = %q, want %q", tt.dir, tt.top, path, tt.want)
		}
	}
	inA := write(filepath.Join(top, "a"))
	if path, _ := Find(deep, top); path != inA {
		t.Errorf("found %q, want the nearer %q", path, inA)
	}
}

func TestLoad(t *testing.T) {
	dir := t.TempDir()
	secret := filepath.Join(t.TempDir(), "secret")
	make := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		return path
	}
	if err := os.WriteFile(secret, []byte("password = hunter2"), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, target := range map[string]string{"out": secret, "inside": "good.toml", "loop": "loop"} {
		if err := os.Symlink(target, filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	if err := syscall.Mkfifo(filepath.Join(dir, "pipe"), 0o600); err != nil {
		t.Fatal(err)
	}
	comment := func(size int) string { return "#" + strings.Repeat("x", size-1) }
	for _, tt := range []struct{ path, err string }{
		{make("good.toml", full), ""},
		{make("limit.toml", comment(MaxSize)), ""},
		{make("large.toml", comment(MaxSize+1)), "large.toml: larger than 256 KiB"},
		{make("bad.toml", "x = 1"), "bad.toml:1: unknown key"},
		{filepath.Join(dir, "inside"), ""},
		{filepath.Join(dir, "out"), "escapes"},
		{filepath.Join(dir, "loop"), "too many levels"},
		{filepath.Join(dir, "pipe"), "not a regular file"},
		{filepath.Join(dir, "gone"), "gone: no such file"},
		{dir, "not a regular file"},
	} {
		_, err := Load(tt.path)
		if (err == nil) != (tt.err == "") || err != nil && (!strings.Contains(err.Error(), tt.err) || strings.Contains(err.Error(), "hunter2")) {
			t.Errorf("Load(%s) error = %v, want %q", filepath.Base(tt.path), err, tt.err)
		}
	}
}

func TestPercentIsExact(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		hundredths := rapid.IntRange(1, 99999).Draw(t, "hundredths")
		digits := fmt.Sprintf("%05d", hundredths)
		a, err := Parse([]byte("[defaults]\nthreshold = '"+digits[:3]+"."+digits[3:]+"%'"), "f")
		if err != nil {
			t.Fatal(err)
		}
		b, err := Parse([]byte("[defaults]\nthreshold = "+digits[:1]+"."+digits[1:]), "f")
		if err != nil || a.Defaults.Threshold != b.Defaults.Threshold {
			t.Errorf("%v and %v (%v)", a.Defaults, b, err)
		}
	})
}

func FuzzParse(f *testing.F) {
	for _, seed := range []string{full, "a = '", "[[", "x.\"y\".z = {a=1}\n", "a = \"\"\"\"", "[target]\n[[target]]", "= 1", "[defaults]\nalpha = 1e400"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		keyLines(text)
		c, err := Parse([]byte(text), "f")
		if (c == nil) == (err == nil) {
			t.Fatalf("config %v, error %v", c, err)
		}
		if err != nil {
			return
		}
		if !(c.Defaults.Alpha > 0 && c.Defaults.Alpha < 1 && c.Defaults.Threshold > 0 && c.Defaults.Threshold < 10) {
			t.Errorf("accepted %+v", c.Defaults)
		}
		for _, target := range c.Targets {
			if target.Name == "" || target.Kind == "" || target.Rounds < 0 || target.Timeout < 0 {
				t.Errorf("accepted %+v", target)
			}
		}
	})
}

// A value on the command line is parsed like one in the file, with the same bounds.
func TestParseThreshold(t *testing.T) {
	for _, tt := range []struct {
		parse      func(string) (float64, error)
		text, want string
	}{
		{ParseThreshold, "5%", "0.05"}, {ParseThreshold, "0.05", "0.05"}, {ParseThreshold, "3 %", "0.03"}, {ParseThreshold, "999%", "9.99"},
		{ParseThreshold, "5", `threshold: write it as "5%" or as 0.05`}, {ParseThreshold, "", `threshold: write it as "5%" or as 0.05`},
		{ParseThreshold, "NaN", `threshold: write it as "5%" or as 0.05`}, {ParseThreshold, "10.0", "threshold must be above 0% and below 1000%"},
		{ParseAlpha, "1%", "0.01"}, {ParseAlpha, "0.0", "alpha must be above 0% and below 50%"}, {ParseAlpha, "50%", "alpha must be above 0% and below 50%"},
		{ParseThreshold, "-5%", "threshold must be above 0% and below 1000%"}, {ParseThreshold, "--5%", `threshold: write it as "5%" or as 0.05`},
		{ParseAlpha, "1e-3", "0.001"}, {ParseAlpha, "0x1.p-3", `alpha: write it as "5%" or as 0.05`}, {ParseThreshold, "5.", `threshold: write it as "5%" or as 0.05`}, {ParseThreshold, ".5", `threshold: write it as "5%" or as 0.05`},
	} {
		got, err := tt.parse(tt.text)
		text := fmt.Sprint(got)
		if err != nil {
			text = err.Error()
		}
		if text != tt.want {
			t.Errorf("%q: %s, want %s", tt.text, text, tt.want)
		}
	}
}

// The last rule that matches the unit, spelled as it is stored or shown, sets its direction.
func TestBetter(t *testing.T) {
	c, err := Parse([]byte("[[rule]]\nunit = 'Percent*'\nbetter = 'lower'\n[[rule]]\nbench = 'Cache/*'\nunit = 'Percent'\nbetter = 'higher'\n[[rule]]\nunit = 'sec/frame'\nbetter = 'higher'\n"), "f")
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		bench, unit string
		want        int
	}{
		{"Sort", "Percent", -1}, {"Sort", "Percentile", -1}, {"Cache/hits-4", "Percent", 1}, {"Cache/hits", "Percentile", -1},
		{"Sort", "percent", 0}, {"Sort", "ns/op", 0}, {"Sort", "ns/frame", 1}, {"Sort", "sec/frame", 1},
	} {
		if got := c.Better(tt.bench, tt.unit); got != tt.want {
			t.Errorf("%s of %s: %d, want %d", tt.unit, tt.bench, got, tt.want)
		}
	}
}
