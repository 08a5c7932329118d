package setup

import (
	"fmt"
	"slices"
	"strings"

	"github.com/perftrack/perftrack/reports"
)

// OtherwiseOn returns a warning if the setting on in an existing perftrack.toml differs from the
// new workflow's, and "" otherwise.
func (res Result) OtherwiseOn() string {
	for _, f := range res.Files {
		if f.Written && strings.HasSuffix(f.Path, "perftrack-measure.yml") && res.KeptOn != "" && res.KeptOn != res.On {
			return fmt.Sprintf("perftrack.toml already has on = %q: set on = %q in its [defaults], or pull requests without a measurement stay blocked", res.KeptOn, res.On)
		}
	}
	return ""
}

// KeptUndivided returns a warning if an existing workflow does not use the requested shards, and ""
// otherwise.
func (res Result) KeptUndivided() string {
	for _, f := range res.Files {
		if !f.Written && res.Shards > 1 && (strings.HasSuffix(f.Path, "perftrack-measure.yml") || strings.HasSuffix(f.Path, "perftrack-demand.yml")) {
			return fmt.Sprintf("%s already exists without shards: move it away and run `perftrack init --shards %d` again", f.Path, res.Shards)
		}
	}
	return ""
}

// NextStep returns a text about the next step, or "" if there is nothing to do. written reports
// whether any file was written.
func (res Result) NextStep(written bool) string {
	const again = "move perftrack.toml away and run `perftrack init` again, or write a target into perftrack.toml"
	command := res.WorkCommand()
	switch {
	case res.Measured && (written || res.CI == GitLab && !res.Included):
		return "commit these files to " + res.Branch + ", because the history skips uncommitted runs, try `perftrack check` on a branch, and " + res.Next()
	case res.Measured:
		return ""
	case len(res.Modules) == 0 && res.Make != "":
		return fmt.Sprintf("%s found outside any module, where the go command does not build them: run `%s`, commit go.mod, %s", reports.Plural(res.Loose, "benchmark"), res.Make, again)
	case len(res.Harnesses) > 0 && written:
		return "finish a target in perftrack.toml: its comments say what is left to do"
	case len(res.Modules) == 0 && len(res.Harnesses) == 0:
		return "no benchmarks found: write a target into perftrack.toml, see perftrack help languages"
	case command != "":
		return "the benchmarks found are not covered: run `" + command + "`, commit go.work, " + again
	}
	return "perftrack.toml has no targets: " + again
}

// Assumed returns a notice about a CI that nothing in the repository shows, or "".
func (res Result) Assumed() string {
	if !res.Guessed {
		return ""
	}
	return fmt.Sprintf("no remote: assumed %s, see --ci", res.CI)
}

// Install returns what the jobs of a CI must install for the targets that were written, or "".
func (res Result) Install(written bool) string {
	var needs []string
	for _, f := range res.Harnesses {
		if !slices.Contains(needs, f.Needs) {
			needs = append(needs, f.Needs)
		}
	}
	if !written || len(needs) == 0 {
		return ""
	}
	return strings.Join(needs, "; ")
}
