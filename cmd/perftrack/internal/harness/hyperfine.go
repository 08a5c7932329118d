package harness

import (
	"path"
	"regexp"
	"strings"

	"github.com/perftrack/perftrack/runner/config"
)

var (
	hyperfineCall   = regexp.MustCompile(`(?m)^[^#\n]*\bhyperfine\s(?:[^\n]*\\\n)*[^\n]*`)
	hyperfineExport = regexp.MustCompile(`--export-json[= ]\s*("[^"\n]*"|'[^'\n]*'|[^\s"'\\;&|]+)`)
)

const whyHyperfine = "hyperfine times whole processes of any program. \"accept\" counts the position of their code in memory as part of " +
	"the change. If the commands are compiled here, let a build line link them with another layout for each PERFTRACK_LAYOUT_SEED " +
	"instead, and write \"seed\"."

// findHyperfine finds shell scripts in which hyperfine writes its results as JSON.
func findHyperfine(t *tree) (all []Found) {
	for _, name := range t.named("*.sh", "*.bash", "bench", "benchmark") {
		calls := hyperfineCall.FindAllString(t.text(name), -1)
		var results []string
		unfinished := ""
		for _, call := range calls {
			m := hyperfineExport.FindStringSubmatch(call)
			if m == nil {
				continue
			}
			if file := strings.Trim(m[1], `"'`); plainPath.MatchString(file) {
				results = append(results, path.Clean(file))
				continue
			}
			results = append(results, "results.json")
			unfinished = "The script names its results " + m[1] + ": write the path into results, relative to this file."

		}
		if len(results) == 0 {
			continue
		}
		shell := "sh"
		if strings.HasSuffix(name, ".bash") || strings.Contains(strings.SplitN(t.text(name), "\n", 2)[0], "bash") {
			shell = "bash"
		}
		all = append(all, Found{
			Framework: "hyperfine", Path: name, Needs: "hyperfine", Unfinished: unfinished,
			Name: strings.TrimSuffix(path.Base(name), path.Ext(name)), Run: shell + " " + name,
			Format: "hyperfine", Layout: config.LayoutAccept, Results: results, Why: whyHyperfine,
		})
	}
	return all
}
