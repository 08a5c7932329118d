package main

import (
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

const module = "github.com/perftrack/perftrack"

// mayImport is the import table. It lists, for each folder in this repository, the folders that it
// may import. A folder without a line of its own uses the line of the nearest folder above it.
var mayImport = map[string][]string{
	"engine":             {"engine/..."},
	"runner":             {"runner/..."},
	"runner/record":      {"runner/record/internal/merge"},
	"runner/childenv":    {},
	"runner/gobench":     {},
	"store":              {"runner/record", "runner/record/decode", "migrations"},
	"store/sqlite":       {"runner/flock", "store", "runner/record", "migrations"},
	"store/postgres":     {"store", "runner/record", "migrations"},
	"store/storetest":    {"store", "runner/record", "runner/record/decode"},
	"runner/naming":      {"runner/record", "runner/spelling"},
	"runner/limit":       {"runner/naming"},
	"compare":            {"compare/stat", "runner/limit", "runner/record", "runner/naming", "compare/anchors", "compare/pairs", "compare/units"},
	"compare/units":      {"compare/stat", "runner/record"},
	"compare/pairs":      {"compare/stat", "compare/units", "runner/record"},
	"compare/anchors":    {"compare/pairs", "compare/stat", "compare/units", "runner/record", "compare"},
	"compare/gates":      {"compare", "runner/record", "compare/pairs"},
	"compare/acceptance": {"compare", "runner/record", "compare/pairs", "compare/stat"},
	"compare/digest":     {"compare", "runner/record", "compare/gates", "compare/pairs"},
	"compare/stat":       {},
	"compare/search":     {"compare", "compare/stat"},
	"compare/steps":      {"compare", "compare/stat", "runner/record", "compare/units", "compare/anchors"},
	"compare/tree":       {"compare", "compare/stat", "runner/naming", "runner/record"},
	"compare/profiles":   {"compare", "compare/tree", "runner/limit", "runner/naming", "runner/record", "compare/units", "compare/pairs"},
	"compare/evaluation": {"compare", "compare/search", "compare/stat", "compare/steps", "compare/evaluation/...", "runner/record", "compare/gates", "compare/pairs"},
	"migrations":         {},
	"docs":               {},
	"mcp":                {"mcp/..."},
	"fleet":              {"fleet/..."},
	"cmd/perftrack":      {"engine/...", "runner/...", "store/...", "compare/...", "reports/...", "migrations", "cmd/perftrack/internal/..."},

	"runner/record/decode": {"runner/record", "runner/record/internal/merge"},

	// The simulation of slow tails uses the runner's slices.
	"compare/evaluation/tails": {"compare/stat", "compare/evaluation/...", "runner/slicing"},

	// Each kind of report has a package; reports contains the writers.
	"reports":                        {"compare", "compare/stat", "runner/limit", "runner/record", "compare/pairs", "compare/units"},
	"reports/comparison":             {"reports", "reports/comparison/...", "reports/shell", "compare", "compare/digest", "compare/profiles", "compare/tree", "runner/gobench", "runner/limit", "runner/naming", "runner/record", "compare/gates", "compare/pairs", "compare/acceptance", "compare/units"},
	"reports/comparison/rowcells":    {"reports", "compare", "runner/record"},
	"reports/comparison/profilediff": {"reports", "reports/comparison/rowcells", "compare", "compare/profiles", "compare/tree", "runner/naming", "runner/record"},
	"reports/explanation":            {"reports", "reports/comparison", "reports/functions", "compare", "compare/stat", "compare/tree", "runner/record"},
	"reports/flame":                  {"compare/tree"},
	"reports/functions":              {"reports", "reports/shell", "compare/tree", "runner/record"},
	"reports/ci":                     {"reports", "runner/record"},
	"reports/environments":           {"runner/record"},
	"reports/shell":                  {"reports"},
	"reports/family":                 {"reports", "reports/comparison", "reports/shell", "reports/family/...", "reports/inference", "reports/history", "reports/profile", "compare", "compare/digest", "compare/profiles", "compare/steps", "compare/tree", "compare/stat", "runner/limit", "runner/naming", "runner/record", "compare/acceptance", "compare/pairs", "compare/gates"},
	"reports/family/cells":           {"reports", "reports/inference", "compare", "compare/stat", "runner/record"},
	"reports/family/histories":       {"reports", "reports/family/cells", "compare", "compare/stat", "compare/steps", "runner/naming", "runner/record"},
	"reports/plot":                   {"reports", "reports/environments", "compare/steps", "runner/record"},
	"reports/history":                {"reports", "reports/shell", "compare", "compare/stat", "compare/steps", "runner/limit", "runner/record", "compare/units"},
	"reports/inference":              {"compare", "compare/profiles", "compare/tree", "runner/naming", "runner/record"},
	"reports/machine":                {"reports", "compare", "compare/stat", "runner/record"},
	"reports/profile":                {"reports", "reports/inference", "compare", "compare/profiles", "compare/tree", "runner/naming", "runner/record"},
	"reports/vet":                    {"reports", "runner/vet"},
	"reports/runs":                   {"reports", "reports/inference", "compare", "runner/limit", "runner/record", "compare/anchors"},
	"reports/openmetrics":            {},
	"reports/current":                {"reports", "reports/openmetrics", "compare", "compare/units", "runner/record"},
	"reports/site":                   {"reports", "reports/environments", "reports/site/documents", "compare/steps"},
	"reports/site/documents":         {"reports", "reports/environments", "reports/shell", "reports/comparison", "reports/comparison/rowcells", "reports/history", "reports/inference", "compare", "compare/digest", "compare/profiles", "compare/stat", "compare/steps", "compare/tree", "runner/limit", "runner/naming", "runner/record", "compare/acceptance", "compare/anchors", "compare/gates", "compare/pairs", "compare/units"},
	"reports/filecache":              {},
	"reports/site/server":            {"reports", "reports/filecache", "reports/site", "reports/site/documents"},
	"reports/github":                 {"reports", "reports/shell", "reports/comparison", "compare", "compare/digest", "compare/stat", "runner/limit", "runner/record", "compare/acceptance", "compare/pairs", "compare/gates"},

	// Use cases may import those above them in this table, and the packages of the data flow.
	"cmd/perftrack/internal/fault":       {},
	"cmd/perftrack/internal/outputs":     {},
	"cmd/perftrack/internal/buildinfo":   {"runner/record"},
	"cmd/perftrack/internal/handover":    {},
	"cmd/perftrack/internal/pager":       {},
	"cmd/perftrack/internal/manual":      {"docs", "reports"},
	"cmd/perftrack/internal/helptext":    {"cmd/perftrack/internal/manual", "runner/spelling"},
	"cmd/perftrack/internal/modules":     parts(),
	"cmd/perftrack/internal/sources":     {"cmd/perftrack/internal/modules", "cmd/perftrack/internal/workspace", "reports", "runner/gobench", "runner/record"},
	"cmd/perftrack/internal/workspace":   parts("fault", "modules"),
	"cmd/perftrack/internal/harness":     {"runner/config"},
	"cmd/perftrack/internal/setup":       parts("fault", "harness", "modules", "workspace"),
	"cmd/perftrack/internal/imports":     parts("fault", "listing", "workspace"),
	"cmd/perftrack/internal/comparison":  parts("fault", "workspace", "imports"),
	"cmd/perftrack/internal/history":     parts("fault", "workspace", "comparison"),
	"cmd/perftrack/internal/medians":     parts("workspace", "history"),
	"cmd/perftrack/internal/family":      parts("fault", "workspace", "comparison", "history", "profiles"),
	"cmd/perftrack/internal/retention":   parts("listing", "fault", "workspace", "comparison", "history"),
	"cmd/perftrack/internal/exchange":    parts("listing", "fault", "workspace", "comparison", "exchange", "retention"),
	"cmd/perftrack/internal/measure":     parts("fault", "workspace"),
	"cmd/perftrack/internal/fleet":       parts("artifact", "fault", "handover", "spreading", "workspace"),
	"cmd/perftrack/internal/spreading":   {"compare/stat", "runner/record"},
	"cmd/perftrack/internal/stretch":     parts("fault", "workspace", "measure"),
	"cmd/perftrack/internal/remote":      parts("artifact", "fault", "fleet", "spreading", "stretch", "workspace", "measure"),
	"cmd/perftrack/internal/check":       parts("artifact", "fault", "fleet", "spreading", "workspace", "comparison", "measure"),
	"cmd/perftrack/internal/backfill":    parts("listing", "fault", "fleet", "remote", "workspace", "comparison", "measure"),
	"cmd/perftrack/internal/calibrate":   parts("workspace", "comparison", "measure"),
	"cmd/perftrack/internal/bisect":      parts("fault", "fleet", "remote", "workspace", "comparison", "measure"),
	"cmd/perftrack/internal/profiles":    parts(),
	"cmd/perftrack/internal/vetting":     parts(),
	"cmd/perftrack/internal/explain":     parts("artifact", "fault", "modules", "workspace", "comparison", "measure", "bisect", "profiles"),
	"cmd/perftrack/internal/profiling":   parts("fault", "workspace", "measure", "profiles"),
	"cmd/perftrack/internal/artifact":    parts("fault", "imports"),
	"cmd/perftrack/internal/restapi":     parts("fault"),
	"cmd/perftrack/internal/githubapi":   parts("fault", "artifact", "restapi"),
	"cmd/perftrack/internal/gitlabapi":   parts("fault", "restapi"),
	"cmd/perftrack/internal/demand":      parts("fault", "githubapi", "restapi"),
	"cmd/perftrack/internal/pullrequest": parts("fault", "workspace", "comparison", "exchange", "artifact", "medians", "githubapi", "restapi"),

	"cmd/perftrack/internal/queue":   parts("fault", "workspace"),
	"cmd/perftrack/internal/metrics": {"store", "cmd/perftrack/internal/queue", "reports/openmetrics"},
	"cmd/perftrack/internal/pages":   parts("fault", "workspace", "comparison", "history", "profiles", "queue", "metrics"),
	"cmd/perftrack/internal/notify":  parts("fault", "workspace", "history", "queue", "githubapi", "restapi"),

	"cmd/perftrack/internal/console":             {"cmd/perftrack/internal/completion", "cmd/perftrack/internal/fault", "cmd/perftrack/internal/helptext", "cmd/perftrack/internal/manual", "cmd/perftrack/internal/outputs", "cmd/perftrack/internal/pager", "reports", "reports/ci", "reports/explanation", "runner", "runner/record", "store"},
	"cmd/perftrack/internal/when":                {},
	"cmd/perftrack/internal/serving":             {"cmd/perftrack/internal/fault", "reports/site/server"},
	"cmd/perftrack/internal/gating":              parts("console", "fault", "helptext"),
	"cmd/perftrack/internal/database":            parts("console", "exchange", "fault", "helptext", "listing", "retention", "when", "workspace"),
	"cmd/perftrack/internal/viewing":             parts("fault", "helptext", "workspace"),
	"cmd/perftrack/internal/actions":             parts("console", "pullrequest"),
	"cmd/perftrack/internal/listing":             {"compare", "reports", "runner/config", "runner/format", "runner/record", "store", "compare/anchors"},
	"cmd/perftrack/internal/bisect/bisectreport": parts("bisect", "fault", "listing"),
	"cmd/perftrack/internal/completion":          parts("helptext", "manual", "measure", "outputs", "pullrequest", "setup", "workspace"),

	"cmd/perftrack/internal/measure/measureflags": parts("calibrate", "helptext", "measure", "workspace"),

	"cmd/perftrack/internal/workspacetest": {"cmd/perftrack/internal/workspace", "runner/proc"},
	"cmd/perftrack/internal/githubtest":    {},
	"cmd/perftrack/internal/gitlabtest":    {},
	"runner/internal/benchtest":            {"runner/livetest"},
	"runner/livetest":                      {},
	"cmd/perftrack/internal/disturbtest":   {},
	"runner/drawtest":                      {},
	"runner/record/runtest":                {"runner/record", "runner/record/decode"},
	"cmd/perftrack/internal/scaletest":     {"runner/record", "store"},
	"reports/reporttest":                   {"reports", "reports/ci", "compare", "runner/record"},
	"runner/gitrepo/internal/gittest":      {},
}

// useCases is the folder of the use cases.
const useCases = "cmd/perftrack/internal"

// parts returns the folders that a use case may import: runner, store, compare, reports and the use
// cases in rooms.
func parts(rooms ...string) []string {
	all := []string{"runner/...", "store/...", "compare/...", "reports/..."}
	for _, r := range rooms {
		all = append(all, useCases+"/"+r)
	}
	return all
}

// forTests lists folders that any test may import.
var forTests = []string{"runner/gitrepo/internal/gittest", "store/storetest", "cmd/perftrack/internal/githubtest", "cmd/perftrack/internal/gitlabtest", "runner/internal/benchtest", "runner/format/formattest", "cmd/perftrack/internal/disturbtest", "runner/drawtest", "runner/livetest", "runner/record/decode", "runner/record/runtest", "reports/reporttest", "cmd/perftrack/internal/scaletest", "store/sqlite", "store/postgres", "store/postgres/pgtest",
	"cmd/perftrack/internal/workspacetest", "cmd/perftrack/internal/exchange/exchangetest", "reports/openmetrics/openmetricstest"}

// onlyIn lists the only folders or files that may import a third-party module, or a standard
// package whose use is restricted.
var onlyIn = map[string][]string{
	"github.com/spf13/cobra":           {"cmd/perftrack", "cmd/perftrack/internal/actions", "cmd/perftrack/internal/completion", "cmd/perftrack/internal/console", "cmd/perftrack/internal/database", "cmd/perftrack/internal/gating", "cmd/perftrack/internal/helptext", "cmd/perftrack/internal/measure/measureflags", "cmd/perftrack/internal/viewing"},
	"github.com/mattn/go-sqlite3":      {"store/sqlite"},
	"modernc.org/sqlite":               {"store/sqlite", "fleet/database"},
	"github.com/jackc/pgx":             {"store/postgres", "fleet/database", "fleet/queue"},
	"github.com/riverqueue/river":      {"fleet/database", "fleet/jobs", "fleet/queue", "fleet/worker", "fleet/lease"},
	"github.com/olekukonko":            {"reports"},
	"github.com/pelletier/go-toml":     {"runner/config"},
	"github.com/aclements/go-moremath": {"compare", "compare/stat", "compare/evaluation/histories", "compare/evaluation/verdicts", "reports/runs"},
	"golang.org/x/perf/benchmath":      {"compare", "reports/comparison/rowcells"},
	"golang.org/x/perf/benchunit":      {"compare/pairs", "compare/units", "runner/format/reading", "runner/limit", "runner/record", "runner/slicing", "compare", "reports", "reports/runs"},
	"github.com/go-json-experiment":    {"runner/format/reading"},
	"golang.org/x/perf/benchfmt":       {"runner", "runner/format", "runner/format/bounds", "runner/format/cpp", "runner/format/dynamic", "runner/format/formattest", "runner/format/javascript", "runner/format/managed", "runner/format/python", "runner/format/reading", "runner/format/rust", "runner/format/scopes", "runner/format/tools", "runner/format/trackers", "runner/record", "runner/record/decode", "runner/slicing", "runner/turnstile", "store/storetest", "runner/record/runtest", "cmd/perftrack/internal/artifact", "cmd/perftrack/internal/bisect", "cmd/perftrack/internal/imports", "cmd/perftrack/internal/measure"},
	"golang.org/x/tools":               {"runner/vet", "runner/vet/perftrack-vet"},
	"golang.org/x/image":               {"reports/plot/png.go"},
	"golang.org/x/term":                {"cmd/perftrack/internal/console"},
	"github.com/google/pprof":          {"runner", "reports/flame", "cmd/perftrack/internal/profiles"},
	"database/sql":                     {"store", "store/sqlite", "store/postgres", "store/storetest", "migrations", "fleet/database", "fleet/jobs", "fleet/lease", "fleet/queue", "fleet/worker"},
	"os/exec": {"runner/build", "runner/machine", "runner/proc", "runner/gitrepo/internal/git", "runner/gitrepo/internal/gittest", "cmd/perftrack/internal/githubtest",
		"runner/internal/benchtest", "store/postgres/pgtest", "cmd/perftrack/internal/bisect", "cmd/perftrack/internal/fleet", "cmd/perftrack/internal/pager", "cmd/perftrack/internal/workspace", "cmd/perftrack/internal/workspacetest", "cmd/perftrack/internal/exchange/exchangetest", "engine/peers", "mcp/command",
		"tool/perftrack", "fleet/pgtest", "fleet/sources", "fleet/worker"},
}

// noIO lists the imports that are forbidden in pure packages.
var noIO = []string{"os", "io", "net", "bufio", "log", "math/rand", "math/rand/v2", "database/sql", "os/exec"}

// pure maps folders to their forbidden imports. The code in these folders only computes, without a
// clock or I/O.
var pure = map[string][]string{
	"compare":                        noIO,
	"compare/acceptance":             noIO,
	"compare/anchors":                noIO,
	"compare/gates":                  noIO,
	"compare/pairs":                  noIO,
	"compare/units":                  noIO,
	"compare/stat":                   noIO,
	"compare/search":                 noIO,
	"compare/steps":                  noIO,
	"compare/tree":                   noIO,
	"compare/profiles":               noIO,
	"runner/gobench":                 noIO,
	"runner/limit":                   noIO,
	"runner/naming":                  noIO,
	"reports/comparison":             noIO,
	"reports/comparison/rowcells":    noIO,
	"reports/comparison/profilediff": noIO,
	"reports/explanation":            noIO,
	"reports/flame":                  {"os", "net", "log", "math/rand", "math/rand/v2", "database/sql", "os/exec"},
	"reports/functions":              noIO,
	"reports/family":                 noIO,
	"reports/family/cells":           noIO,
	"reports/family/histories":       noIO,
	"reports/environments":           noIO,
	"reports/shell":                  noIO,
	"reports/ci":                     {"os", "net", "log", "math/rand", "math/rand/v2", "database/sql", "os/exec"},
	"reports/history":                noIO,
	"reports/inference":              {"compare", "compare/profiles", "compare/tree", "runner/naming", "runner/record"},
	"reports/machine":                noIO,
	"reports/profile":                noIO,
	"reports/runs":                   noIO,
	"reports/openmetrics":            noIO,
	"reports/current":                noIO,
	"reports":                        {"os", "time/tzdata", "net", "log", "math/rand", "math/rand/v2", "database/sql", "os/exec"},
	"cmd/perftrack/internal/metrics": noIO,
	"cmd/perftrack/internal/queue":   noIO,
	"reports/github":                 {"os", "io", "time", "net", "net/http", "log", "math/rand", "math/rand/v2", "database/sql", "os/exec"},
}

var clockCalls = regexp.MustCompile(`\btime\.(Now|Since|Until|Sleep|After|AfterFunc|NewTimer|NewTicker|Tick)\b`)

func TestImports(t *testing.T) {
	eachFile(t, func(file string, imports []string) {
		dir := path.Dir(file)
		test := strings.HasSuffix(file, "_test.go")
		for _, imp := range imports {
			if ours, ok := strings.CutPrefix(imp, module+"/"); ok {
				if !allowed(dir, ours) && !(test && (slices.Contains(forTests, ours) || ours == dir || under(dir, useCases) && under(ours, useCases))) {
					t.Errorf("%s imports %s: not in the import table", file, ours)
				}
				continue
			}
			for prefix, places := range onlyIn {
				if under(imp, prefix) && !test && !slices.Contains(places, dir) && !slices.Contains(places, file) {
					t.Errorf("%s imports %s: only %s may", file, imp, strings.Join(places, ", "))
				}
			}
			if !test && slices.Contains(pure[dir], imp) {
				t.Errorf("%s imports %s: %s does no I/O and has no clock", file, imp, dir)
			}
			if !test && imp == "time" && under(dir, "compare") { // durations are allowed, because they are only numbers
				text, err := os.ReadFile(filepath.Join("..", "..", filepath.FromSlash(file)))
				if call := clockCalls.Find(text); err != nil || call != nil {
					t.Errorf("%s has %s, %v: %s has no clock", file, call, err, dir)
				}
			}
		}
	})
}

// Property tests make the same random draws each time.
func TestPropertiesDrawTheSame(t *testing.T) {
	const fixed = "runner/drawtest"
	draw, same := map[string]bool{}, map[string]bool{} // packages
	eachFile(t, func(file string, imports []string) {
		if dir := path.Dir(file); strings.HasSuffix(file, "_test.go") {
			draw[dir] = draw[dir] || slices.Contains(imports, "pgregory.net/rapid")
			same[dir] = same[dir] || slices.Contains(imports, module+"/"+fixed)
		}
	})
	for dir := range draw {
		if draw[dir] && !same[dir] {
			t.Errorf("%s tests properties: import _ %q in one of its tests", dir, module+"/"+fixed)
		}
	}
}

// The import table rejects wrong imports.
func TestImportTableRefuses(t *testing.T) {
	for _, tt := range []struct {
		dir, imp string
		want     bool
	}{
		{"compare", "runner/record", true},
		{"compare", "store", false},
		{"compare", "store/sqlite", false},
		{"compare", "runner", false},
		{"runner", "engine/workloads", false},
		{"runner", "store", false},
		{"runner/gitrepo", "runner/proc", true},
		{"reports", "runner", false},
		{"engine/kernels", "engine/tensor", true},
		{"engine/kernels", "store", false},
		{"store", "compare", false},
		{"unheard/of", "store", false},
	} {
		if got := allowed(tt.dir, tt.imp); got != tt.want {
			t.Errorf("allowed(%q, %q) = %v, want %v", tt.dir, tt.imp, got, tt.want)
		}
	}
}

func allowed(dir, imp string) bool {
	for at := dir; at != "."; at = path.Dir(at) {
		list, ok := mayImport[at]
		if !ok {
			continue
		}
		return slices.ContainsFunc(list, func(pattern string) bool {
			root, tree := strings.CutSuffix(pattern, "/...")
			return imp == root || tree && under(imp, root)
		})
	}
	return false
}

func under(p, root string) bool { return p == root || strings.HasPrefix(p, root+"/") }

func eachFile(t *testing.T, check func(file string, imports []string)) {
	t.Helper()
	root := filepath.Join("..", "..")
	files := 0
	err := filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			if base := d.Name(); name != root && (base == "testdata" || strings.HasPrefix(base, ".")) {
				return filepath.SkipDir
			}
			return nil
		}
		if !strings.HasSuffix(name, ".go") {
			return nil
		}
		files++
		f, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ImportsOnly)
		if err != nil {
			return err
		}
		var imports []string
		for _, spec := range f.Imports {
			p, err := strconv.Unquote(spec.Path.Value)
			if err != nil {
				return err
			}
			imports = append(imports, p)
		}
		rel, err := filepath.Rel(root, name)
		if err != nil {
			return err
		}
		check(filepath.ToSlash(rel), imports)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if files < 50 {
		t.Fatalf("only %d Go files found: the test is not looking at the repository", files)
	}
}
