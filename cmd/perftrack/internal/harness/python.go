package harness

import (
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/perftrack/perftrack/runner/config"
)

var (
	pytestBenchmark = regexp.MustCompile(`(?m)^[^#\n]*\bpytest[-_]benchmark\b`)
	pytestFixture   = regexp.MustCompile(`(?m)^[ \t]*(?:async )?def test\w*\([^)]*\bbenchmark\b`)
	ownFixture      = regexp.MustCompile(`(?m)^def benchmark\(`)
	extModules      = regexp.MustCompile(`\bext_modules\b`)
	compiledBackend = regexp.MustCompile(`(?m)^[ \t]*build-backend\s*=\s*"(maturin|mesonpy|scikit_build_core[.\w]*)"`)
)

const whyPython = "An interpreter runs the code, so no linker can move it around. \"accept\" counts the position of data and of the " +
	"interpreter's own code in memory as part of the change; each sample is a new process with its own addresses and hash seed."

// pytestRun are the options that keep a process with pytest-benchmark short. It still makes at least
// five rounds.
const pytestRun = " --benchmark-min-time=0.005 --benchmark-max-time=0.2"

// findPython finds the tests that use pytest-benchmark, and asv.
func findPython(t *tree) (all []Found) {
	declared := slices.ContainsFunc(t.named("pyproject.toml", "requirements*.txt", "*requirements.txt", "setup.cfg", "setup.py", "tox.ini", "Pipfile", "environment*.yml"),
		func(name string) bool { return pytestBenchmark.MatchString(t.text(name)) })
	own := slices.ContainsFunc(t.named("conftest.py"), func(name string) bool { return ownFixture.MatchString(t.text(name)) })
	var tests []string
	count := 0
	for _, name := range t.named("test_*.py", "*_test.py", "bench*.py") {
		if n := len(pytestFixture.FindAllString(t.text(name), -1)); n > 0 {
			tests = append(tests, name)
			count += n
		}
	}
	if len(tests) > 0 && (declared || !own) {
		f := pytestTarget(t, tests)
		f.Benchmarks = count
		all = append(all, f)
	}
	for _, name := range t.named("asv.conf.json") {
		all = append(all, asvTarget(name))
	}
	return all
}

// pytestTarget returns a target for the tests in the given files.
func pytestTarget(t *tree, tests []string) Found {
	f := Found{
		Framework: "pytest-benchmark", Path: common(tests), Needs: "pytest-benchmark and what the project imports",
		Name: "pytest", Format: "pytest-benchmark", Layout: config.LayoutAccept, Why: whyPython,
		Build:   ownFolder,
		Results: []string{Folder + "/" + ownName + ".json"},
		Paths:   []string{"*.py", "*.toml", "*.cfg", "*.ini", "*.txt", "*.lock"},
	}
	// Files that pytest would not find by their name must be named.
	args := []string{f.Path}
	if len(tests) <= 4 || slices.ContainsFunc(tests, func(name string) bool { return strings.HasPrefix(path.Base(name), "bench") }) {
		args = tests
	}
	prefix := ""
	if src := slices.ContainsFunc(t.files, func(name string) bool { return strings.HasPrefix(name, "src/") && strings.HasSuffix(name, ".py") }); src {
		prefix = "PYTHONPATH=src " // an installed package would be measured on both sides
	}
	f.Run = prefix + "python3 -m pytest " + strings.Join(args, " ") + " -q --benchmark-only --benchmark-json=" + f.Results[0] + pytestRun
	switch {
	case t.has(".", "setup.py") && extModules.MatchString(t.text("setup.py")):
		f.Build += " && python3 setup.py build_ext --inplace"
		f.Paths = append(f.Paths, "*.c", "*.cc", "*.cpp", "*.h", "*.hpp", "*.pyx", "*.pxd")
	case compiledBackend.MatchString(t.text("pyproject.toml")):
		f.Unfinished = "A part of the project is compiled: let the build line compile it within the checkout, such as with pip " +
			"install --target, or both sides would measure what is installed; and add its sources to paths."
		f.Paths = append(f.Paths, "*.rs", "*.c", "*.cc", "*.cpp", "*.h", "*.hpp", "*.pyx")
	}
	return f
}

// asvTarget returns a hint for airspeed velocity, which keeps its own environments and results.
func asvTarget(name string) Found {
	dir := path.Dir(name)
	return Found{
		Framework: "asv", Path: name, Needs: "asv", Name: "asv", Format: "asv", Layout: config.LayoutAccept, Why: whyPython,
		Run:     enter(dir) + "asv run --python=same --set-commit-hash=HEAD",
		Results: []string{path.Join(dir, "results")},
		Unfinished: "asv builds environments of its own and writes a folder of results for each machine (results_dir in " +
			"asv.conf.json): check both paths. A history that is already there can be imported: perftrack help import.",
	}
}
