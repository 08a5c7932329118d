package harness

import (
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"
)

var (
	cmakeComment  = regexp.MustCompile(`(?m)#.*$`)
	cmakeProject  = regexp.MustCompile(`(?i)\bproject\s*\(`)
	cmakeProgram  = regexp.MustCompile(`(?i)\badd_executable\s*\(\s*([^\s)]+)([^)]*)\)`)
	cmakeLinks    = regexp.MustCompile(`(?i)\btarget_link_libraries\s*\(\s*([^\s)]+)([^)]*)\)`)
	cmakeGoogle   = regexp.MustCompile(`(^|\s)(benchmark::benchmark(_main)?|benchmark(_main)?)(\s|$)`)
	cmakeOption   = regexp.MustCompile(`(?i)\boption\s*\(\s*([A-Za-z0-9_]*BENCH[A-Za-z0-9_]*)\s+"[^"]*"\s*(OFF|FALSE|NO|0)?\s*\)`)
	cmakeOutput   = regexp.MustCompile(`(?i)\bset\s*\(\s*CMAKE_RUNTIME_OUTPUT_DIRECTORY\s+"?([^\s")]+)`)
	cmakeFetched  = regexp.MustCompile(`(?i)FetchContent_MakeAvailable|FetchContent_Declare|CPMAddPackage|ExternalProject_Add`)
	cmakeBinary   = regexp.MustCompile(`^\$\{(?:CMAKE|PROJECT)_BINARY_DIR\}(/[A-Za-z0-9_./-]+)?$`)
	plainCMake    = regexp.MustCompile(`^[A-Za-z0-9_.+-]+$`)
	cmakeFindCall = regexp.MustCompile(`(?i)\bfind_package\s*\(\s*benchmark\b`)
)

// findCMake finds the executables of a CMake project that link google-benchmark.
func findCMake(t *tree) (all []Found) {
	lists := t.named("CMakeLists.txt")
	texts := map[string]string{}
	for _, file := range lists {
		texts[file] = cmakeComment.ReplaceAllString(t.text(file), "")
	}
	for _, file := range lists {
		text := texts[file]
		programs := map[string]string{}
		for _, m := range cmakeProgram.FindAllStringSubmatch(text, -1) {
			programs[m[1]] = m[2]
		}
		var seen []string
		for _, m := range cmakeLinks.FindAllStringSubmatch(text, -1) {
			sources, ok := programs[m[1]]
			if !ok || slices.Contains(seen, m[1]) || !cmakeGoogle.MatchString(m[2]) {
				continue
			}
			seen = append(seen, m[1])
			all = append(all, cmakeTarget(t, texts, file, m[1], sources))
		}
	}
	return all
}

// cmakeTarget returns the target for an executable that a CMakeLists.txt declares.
func cmakeTarget(t *tree, texts map[string]string, file, program, declared string) Found {
	dir, top := path.Dir(file), cmakeTop(texts, file)
	var sources []string
	for _, word := range strings.Fields(declared) {
		if name := path.Join(dir, strings.Trim(word, `"`)); t.has(".", name) {
			sources = append(sources, name)
		}
	}
	if len(sources) == 0 {
		sources = []string{file}
	}
	f := googleTarget(t, sources)
	f.Name = program
	var options, output string
	fetched := false
	for _, name := range slices.Sorted(maps.Keys(texts)) {
		if !below(name, top) {
			continue
		}
		for _, m := range cmakeOption.FindAllStringSubmatch(texts[name], -1) {
			if option := " -D" + m[1] + "=ON"; !strings.Contains(options, option) {
				options += option
			}
		}
		if m := cmakeOutput.FindStringSubmatch(texts[name]); m != nil {
			output = m[1]
		}
		fetched = fetched || cmakeFetched.MatchString(texts[name]) && !cmakeFindCall.MatchString(texts[name])
	}
	f.Needs = "cmake, " + strings.Replace(f.Needs, "lld libbenchmark", "cmake lld libbenchmark", 1)
	if fetched {
		f.Needs = "cmake and lld"
		options += " -DFETCHCONTENT_UPDATES_DISCONNECTED=ON" // or each build would ask the network for updates
	}
	built := path.Join(Folder, top)
	place := built + "/bin"
	if m := cmakeBinary.FindStringSubmatch(output); m != nil {
		place = built + m[1]
	} else if output != "" {
		f.Unfinished = "The project chooses the folder of its programs: " + output + ". Write the path of " + program + " into the run line."
	}
	f.Build = strings.Join([]string{
		"set -e",
		needLLD,
		ownFolder,
		`flags="` + sections + `"`,
		`cmake -S ` + top + ` -B ` + built + ` -DCMAKE_BUILD_TYPE=Release -DBUILD_SHARED_LIBS=OFF` + options + ` \`,
		`  -DCMAKE_C_FLAGS="$CFLAGS $flags" -DCMAKE_CXX_FLAGS="$CXXFLAGS $flags" \`,
		`  -DCMAKE_RUNTIME_OUTPUT_DIRECTORY="$PWD/` + built + `/bin" \`,
		`  -DCMAKE_EXE_LINKER_FLAGS="$LDFLAGS ` + shuffle + `"`,
		`cmake --build ` + built + ` -j "$(getconf _NPROCESSORS_ONLN)" --target ` + program,
	}, "\n")
	f.Run = "./" + path.Join(place, program) + googleRun
	if !plainCMake.MatchString(program) {
		f.Unfinished = "CMake makes up the name of the program: write it in the place of " + program + "."
	}
	return f
}

// cmakeTop returns the folder to configure: the highest one above file with a project.
func cmakeTop(texts map[string]string, file string) string {
	top := path.Dir(file)
	for dir := top; ; dir = path.Dir(dir) {
		if cmakeProject.MatchString(texts[path.Join(dir, "CMakeLists.txt")]) {
			top = dir
		}
		if dir == "." {
			return top
		}
	}
}
