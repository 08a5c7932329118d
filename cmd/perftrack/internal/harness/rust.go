package harness

import (
	"path"
	"regexp"
	"strings"

	"github.com/perftrack/perftrack/runner/config"
)

var (
	cargoBench    = regexp.MustCompile(`(?m)^[ \t]*\[\[bench\]\]([^\[]*(?:\[[^\[\]\n]*\][^\[]*)*)`)
	cargoName     = regexp.MustCompile(`(?m)^[ \t]*name\s*=\s*"([A-Za-z0-9_-]+)"`)
	cargoPath     = regexp.MustCompile(`(?m)^[ \t]*path\s*=\s*"([^"]+)"`)
	cargoFeatures = regexp.MustCompile(`(?m)^[ \t]*required-features\s*=\s*\[([^\]]*)\]`)
	tomlString    = regexp.MustCompile(`"([A-Za-z0-9_/+-]+)"`)
	criterionUse  = regexp.MustCompile(`\bcriterion(_main!|::)|_criterion_compat::`)
	criterionCall = regexp.MustCompile(`\.bench_(function|with_input)\b`)
	wholeSeconds  = regexp.MustCompile(`(?m)^[ \t]*criterion\s*=[^\n]*"[=~^]?0\.[0-3]\b`)
	divanUse      = regexp.MustCompile(`\bdivan::`)
	divanMark     = regexp.MustCompile(`(?m)^[ \t]*#\[(divan::)?bench\b`)
)

// criterionRun are the options of a process with Criterion, which measures each benchmark for half a
// second, with the smallest number of samples. Versions before 0.4 know only whole seconds.
const criterionRun = " --noplot --warm-up-time 0.2 --measurement-time 0.3 --sample-size 10"

const whyCargo = "Each round links the functions in another order, the same for both sides, so that the chance position of code " +
	"cannot pass as a change; only the crate of the benchmark is compiled again. This needs LLVM's linker: package lld, or on x86-64 " +
	"Linux any Rust since 1.90. Without it, leave out what follows the two dashes, and write \"accept\": then code that merely moved " +
	"can be judged as a change, by a few percent."

// findRust finds benchmark targets of Cargo packages that use Criterion or divan.
func findRust(t *tree) (all []Found) {
	for _, file := range t.named("Cargo.toml") {
		for _, m := range cargoBench.FindAllStringSubmatch(t.text(file), -1) {
			if f, ok := cargoTarget(t, path.Dir(file), m[1]); ok {
				all = append(all, f)
			}
		}
	}
	return all
}

// cargoTarget returns the target for a section [[bench]] in the Cargo.toml of a folder.
func cargoTarget(t *tree, dir, section string) (Found, bool) {
	m := cargoName.FindStringSubmatch(section)
	if m == nil {
		return Found{}, false
	}
	name, source := m[1], ""
	for _, file := range []string{"benches/" + m[1] + ".rs", "benches/" + m[1] + "/main.rs"} {
		if t.has(dir, file) {
			source = path.Join(dir, file)
		}
	}
	if m := cargoPath.FindStringSubmatch(section); m != nil {
		source = path.Join(dir, m[1])
	}
	f := Found{Path: source, Needs: "lld and Rust", Name: name, Layout: config.LayoutSeed, Why: whyCargo}
	text := t.text(source)
	options := ""
	switch {
	case criterionUse.MatchString(text):
		f.Framework, f.Format = "criterion", "criterion"
		f.Benchmarks = len(criterionCall.FindAllString(text, -1))
		f.Results = []string{"target/criterion"}
		options = criterionRun
		if wholeSeconds.MatchString(t.text(path.Join(dir, "Cargo.toml"))) {
			options = strings.NewReplacer("0.2", "1", "0.3", "1").Replace(criterionRun)
		}
	case divanUse.MatchString(text):
		f.Framework, f.Format = "divan", "divan"
		f.Benchmarks = len(divanMark.FindAllString(text, -1))
	default:
		return Found{}, false
	}
	features := ""
	if m := cargoFeatures.FindStringSubmatch(section); m != nil {
		for _, f := range tomlString.FindAllStringSubmatch(m[1], -1) {
			features += " --features " + f[1]
		}
	}
	manifest := ""
	if dir != "." {
		manifest = " --manifest-path " + dir + "/Cargo.toml"
	}
	f.Build = strings.Join([]string{
		"set -e",
		ownFolder,
		`cargo rustc` + manifest + ` --profile bench --bench ` + name + features + ` --message-format=json-render-diagnostics -- \`,
		`  -Clink-arg=-fuse-ld=lld "-Clink-arg=-Wl,--shuffle-sections=.text*=${PERFTRACK_LAYOUT_SEED:-1}" >` + Folder + `/cargo.json`,
		`mv "$(sed -n 's/.*"executable":"\([^"]*\)".*/\1/p' ` + Folder + `/cargo.json)" ` + Folder + `/` + ownName,
	}, "\n")
	f.Run = "./" + Folder + "/" + ownName + " --bench" + options
	if dir != "." { // cargo bench, too, runs in the package's folder, where benchmarks find their data
		f.Run = enter(dir) + up(dir) + Folder + "/" + ownName + " --bench" + options
		if f.Format == "criterion" {
			f.Run = `export CRITERION_HOME="$PWD/target/criterion" && ` + f.Run
		}
	}
	return f, true
}
