package harness

import (
	"encoding/json"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/perftrack/perftrack/runner/config"
)

const whyJavaScript = "The engine compiles the code while it runs, so no linker can move it around. \"accept\" counts the position of " +
	"code and data in memory, and what the compiler decides in a process, as part of the change; each sample is a new process."

// A manifest is the part of a package.json that says how to run benchmarks.
type manifest struct {
	Scripts         map[string]string `json:"scripts"`
	Dependencies    map[string]string `json:"dependencies"`
	DevDependencies map[string]string `json:"devDependencies"`
}

// version returns the version of a dependency as the manifest requires it, or "".
func (m manifest) version(name string) string {
	if v := m.DevDependencies[name]; v != "" {
		return v
	}
	return m.Dependencies[name]
}

// installers maps lock files to the command that installs exactly what they list.
var installers = [][2]string{
	{"package-lock.json", "npm ci"},
	{"npm-shrinkwrap.json", "npm ci"},
	{"pnpm-lock.yaml", "pnpm install --frozen-lockfile"},
	{"yarn.lock", "yarn install --frozen-lockfile"},
	{"bun.lock", "bun install --frozen-lockfile"},
	{"bun.lockb", "bun install --frozen-lockfile"},
}

// findJavaScript finds packages with benchmarks for Vitest, tinybench or mitata.
func findJavaScript(t *tree) (all []Found) {
	for _, file := range t.named("package.json") {
		var m manifest
		if json.Unmarshal([]byte(t.text(file)), &m) != nil {
			continue
		}
		dir := path.Dir(file)
		if m.version("vitest") != "" {
			all = append(all, findVitest(t, dir, m)...)
		}
		for _, framework := range []string{"tinybench", "mitata"} {
			if m.version(framework) != "" {
				all = append(all, findScripts(t, dir, m, framework)...)
			}
		}
	}
	return all
}

// javaScriptTarget returns a target without a run line. Both sides install their own dependencies.
func javaScriptTarget(t *tree, dir, framework string) Found {
	f := Found{
		Framework: framework, Needs: "Node.js", Format: framework, Layout: config.LayoutAccept, Why: whyJavaScript,
		Paths: []string{"*.js", "*.mjs", "*.cjs", "*.jsx", "*.ts", "*.mts", "*.cts", "*.tsx", "*.json", "*.wasm", "*lock*"},
	}
	install := "npm install --no-save" // without a lock file, the sides may get different versions
	for at := dir; ; at = path.Dir(at) {
		if i := slices.IndexFunc(installers, func(in [2]string) bool { return t.has(at, in[0]) }); i >= 0 {
			install, dir = installers[i][1], at // a workspace installs in its root
			break
		}
		if at == "." {
			break
		}
	}
	modules := path.Join(dir, "node_modules")
	if dir != "." {
		install = "(cd " + dir + " && " + install + ")"
	}
	f.Build = "{ [ -d " + modules + " ] || " + install + "; } && " + ownFolder
	return f
}

var (
	vitestFile  = regexp.MustCompile(`\.(bench|benchmark)\.[cm]?[jt]sx?$`)
	vitestCall  = regexp.MustCompile(`(?m)^[ \t]*bench(\.\w+)?\(`)
	firstNumber = regexp.MustCompile(`[0-9]+`)
)

// findVitest finds the benchmarks of a package that `vitest bench` runs.
func findVitest(t *tree, dir string, m manifest) []Found {
	var files []string
	f := javaScriptTarget(t, dir, "vitest")
	for _, name := range t.files {
		if below(name, dir) && t.nearest(name, "package.json") == dir && vitestFile.MatchString(name) {
			files = append(files, name)
			f.Benchmarks += len(vitestCall.FindAllString(t.text(name), -1))
		}
	}
	if len(files) == 0 {
		return nil
	}
	f.Path, f.Name = common(files), "vitest"
	if dir != "." {
		f.Name += "-" + path.Base(dir)
	}
	f.Results = []string{Folder + "/" + ownName + ".json"}
	only := "" // without a folder, Vitest would also run what lies in other packages below this one
	if f.Path != dir {
		only = " --dir " + strings.TrimPrefix(strings.TrimPrefix(f.Path, dir), "/")
	}
	f.Run = enter(dir) + "npx vitest bench --run" + only + " --outputJson " + up(dir) + f.Results[0]
	if major, _ := strconv.Atoi(firstNumber.FindString(m.version("vitest"))); major >= 5 {
		f.Unfinished = "Vitest 5 has no --outputJson. Let the benchmarks print results in another format: perftrack help languages."
	}
	return []Found{f}
}

// nearest returns the nearest folder above a file that has the named file.
func (t *tree) nearest(file, name string) string {
	for dir := path.Dir(file); ; dir = path.Dir(dir) {
		if t.has(dir, name) || dir == "." {
			return dir
		}
	}
}

// A printer says how a script for a framework prints its results as JSON.
type printer struct {
	prints *regexp.Regexp // matches a script that does
	recipe string         // what to add to others
	call   *regexp.Regexp // declares a benchmark
}

var printers = map[string]printer{
	"tinybench": {
		regexp.MustCompile(`JSON\.stringify\(`),
		"console.log(JSON.stringify(bench.tasks.map(({ name, result }) => ({ name, result }))))",
		regexp.MustCompile(`(?m)^[ \t]*\.?(?:\w+\s*\.)?add\(`),
	},
	"mitata": {
		regexp.MustCompile(`format\s*:\s*['"]json['"]|JSON\.stringify\(`),
		`await run({ format: "json" })`,
		regexp.MustCompile(`(?m)^[ \t]*bench\(`),
	},
}

// findScripts finds the scripts in a package that import a framework.
func findScripts(t *tree, dir string, m manifest, framework string) (all []Found) {
	imports := regexp.MustCompile(`(?m)(\bfrom\s*|\bimport\s*|require\(\s*)["']` + framework + `["']`)
	print := printers[framework]
	for _, name := range t.named("*.js", "*.mjs", "*.cjs", "*.ts", "*.mts") {
		text := ""
		if below(name, dir) && t.nearest(name, "package.json") == dir && !vitestFile.MatchString(name) {
			text = t.text(name)
		}
		if !imports.MatchString(text) {
			continue
		}
		f := javaScriptTarget(t, dir, framework)
		f.Path, f.Benchmarks = name, len(print.call.FindAllString(text, -1))
		f.Name = strings.TrimSuffix(path.Base(name), path.Ext(name))
		f.Run = enter(dir) + scriptCommand(m, name, strings.TrimPrefix(strings.TrimPrefix(name, dir), "/"))
		if !print.prints.MatchString(text) {
			f.Unfinished = "The script must print its results as JSON and nothing else. End it with this line:\n" + print.recipe
		}
		all = append(all, f)
	}
	return all
}

// scriptCommand returns the command that runs a script: that of package.json if there is one.
func scriptCommand(m manifest, name, local string) string {
	var scripts []string
	for script, line := range m.Scripts {
		if plainPath.MatchString(script) && strings.HasSuffix(strings.TrimSpace(line), local) {
			scripts = append(scripts, script)
		}
	}
	switch {
	case len(scripts) > 0:
		return "npm run --silent " + slices.Min(scripts)
	case strings.HasSuffix(path.Ext(name), "ts"):
		return "npx tsx " + local
	}
	return "node " + local
}
