package harness

import (
	"path"
	"regexp"
	"strings"

	"github.com/perftrack/perftrack/runner/config"
)

// The parts of builds with another layout for each seed. Functions need sections of their own, and
// the path of the checkout must not get into the program, or the two sides would always differ.
const (
	needLLD  = `command -v ld.lld >/dev/null || { echo "lld is not installed: install it, or choose another layout for this target (perftrack help placement)" >&2; exit 1; }`
	sections = `-ffunction-sections -ffile-prefix-map=$PWD=.`
	shuffle  = `-fuse-ld=lld -Wl,--shuffle-sections=.text*=${PERFTRACK_LAYOUT_SEED:-1}`
)

const whySeed = "Each round links the functions in another order, the same for both sides, so that the chance position of code " +
	"cannot pass as a change. This needs LLVM's linker (package lld). Without it, remove -fuse-ld=lld and the option after it, and " +
	"write \"accept\": then code that merely moved can be judged as a change, by a few percent."

// needGoogle is what a C++ target needs, without a build system.
const needGoogle = "lld and google-benchmark (on Debian: lld libbenchmark-dev)"

// googleRun are the options of a process. One process is one sample, so it measures each benchmark
// once and briefly: many processes tell more than a long one, and the default budget of a check must
// be enough for a verdict. All versions accept a time without a unit; 1.7 and older know no other.
const googleRun = ` --benchmark_format=json --benchmark_repetitions=1 --benchmark_min_time=0.05`

// findCPP finds programs that use google-benchmark.
func findCPP(t *tree) (all []Found) {
	if all = findCMake(t); len(all) > 0 {
		return all
	}
	sources := googleSources(t)
	if len(sources) == 0 {
		return nil
	}
	if all = findMake(t, sources); len(all) > 0 {
		return all
	}
	f := googleTarget(t, sources)
	f.Name = strings.TrimSuffix(path.Base(sources[0]), path.Ext(sources[0]))
	f.Build = strings.Join([]string{
		"set -e",
		needLLD,
		ownFolder,
		`${CXX:-c++} -std=c++17 -O2 ` + sections + ` -I. ` + shuffle + ` \`,
		`  ` + strings.Join(sources, " ") + ` -lbenchmark -lpthread -o ` + Folder + `/` + ownName,
	}, "\n")
	f.Run = "./" + Folder + "/" + ownName + googleRun
	if len(sources) > 1 {
		f.Unfinished = "Put the sources of one program into the compile line."
	}
	return []Found{f}
}

var (
	googleInclude = regexp.MustCompile(`(?m)^[ \t]*#\s*include\s*[<"]benchmark/benchmark\.h[>"]`)
	googleMacro   = regexp.MustCompile(`(?m)^[ \t]*BENCHMARK(_F|_CAPTURE|_TEMPLATE[0-9]?(_F)?|_REGISTER_F|_DEFINE_F)?\s*\(`)
	benchPath     = regexp.MustCompile(`(?i)bench|perf`)
)

// googleSources returns the source files that include google-benchmark. Their path says that they
// are benchmarks; otherwise every source file would have to be read.
func googleSources(t *tree) (sources []string) {
	for _, name := range t.named("*.cc", "*.cpp", "*.cxx", "*.C") {
		if benchPath.MatchString(name) && googleInclude.MatchString(t.text(name)) {
			sources = append(sources, name)
		}
	}
	return sources
}

// googleTarget returns a target for the benchmarks in the sources, without its lines.
func googleTarget(t *tree, sources []string) Found {
	f := Found{
		Framework: "google-benchmark", Path: common(sources), Needs: needGoogle,
		Format: "google-benchmark", Layout: config.LayoutSeed, Why: whySeed,
	}
	for _, s := range sources {
		f.Benchmarks += len(googleMacro.FindAllString(t.text(s), -1))
	}
	return f
}

var (
	makeRule = regexp.MustCompile(`(?m)^([A-Za-z0-9_./+-]+)\s*:[^=\n]*\n((?:\t.*\n?)+)`)
	makeCXX  = regexp.MustCompile(`\$[({]CXX[)}]`)
)

// findMake finds the rule of a Makefile that links google-benchmark.
func findMake(t *tree, sources []string) (all []Found) {
	for _, file := range t.named("Makefile", "makefile", "GNUmakefile") {
		text, dir := t.text(file), path.Dir(file)
		if !strings.Contains(text, "-lbenchmark") {
			continue
		}
		rules := makeRule.FindAllStringSubmatch(text, -1)
		for _, rule := range rules {
			linked := strings.Contains(rule[2], "-lbenchmark") || len(rules) == 1 || benchPath.MatchString(rule[1]) && strings.Contains(rule[2], "$(LD")
			if !linked || strings.HasSuffix(rule[1], ".o") {
				continue
			}
			f := googleTarget(t, sources)
			f.Name = path.Base(rule[1])
			program, in := path.Join(dir, rule[1]), ""
			if dir != "." {
				in = "-C " + dir + " "
			}
			f.Build = strings.Join([]string{
				"set -e",
				needLLD,
				`rm -f ` + program + `  # make would consider the program of an earlier seed up to date`,
				`make ` + in + rule[1] + ` CXX="${CXX:-c++} ` + sections + ` ` + shuffle + `"`,
			}, "\n")
			f.Run = "./" + program + googleRun
			if !makeCXX.MatchString(text) {
				f.Unfinished = "Let the Makefile compile with $(CXX), so that the build line can add options."
			}
			all = append(all, f)
		}
	}
	return all
}
