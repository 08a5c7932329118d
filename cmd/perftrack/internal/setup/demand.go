package setup

import (
	"fmt"
	"strings"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/fault"
	"github.com/perftrack/perftrack/runner/config"
)

// When are the choices of `perftrack init --on`.
var When = []string{config.OnPush, config.OnLabel, config.OnComment}

// Workflows that not everybody has: one measures what a comment asks for, the other publishes
// the page.
const (
	demandWorkflow = "perftrack-demand.yml"
	pagesWorkflow  = "perftrack-pages.yml"
)

// onLabel turns a workflow that measures each push into one that measures what has the label.
// The measuring workflow then still starts for each pull request, and is skipped: by that the
// commenting one learns that there is something to say.
var onLabel = map[string][][2]string{
	"perftrack-measure.yml": {
		{"types: [opened, synchronize, reopened, edited]", "types: [opened, synchronize, reopened, edited, labeled]"},
		{"# A new title must not cancel", "# A new title or another label must not cancel"},
		{
			"${{ github.event.action == 'edited' && !github.event.changes.base.ref.from && format('-{0}', github.run_id) || '' }}",
			"${{ (github.event.action == 'edited' && !github.event.changes.base.ref.from || github.event.action == 'labeled' && github.event.label.name != 'perf-measure') && format('-{0}', github.run_id) || '' }}",
		},
		{"    # Of what is edited only the base branch changes what is measured.\n" +
			"    if: github.event.action != 'edited' || github.event.changes.base.ref.from\n",
			"    # A pull request is measured while it has the label, and a merge group never. Of what is\n" +
				"    # edited only the base branch changes what is measured.\n" +
				"    if: >-\n" +
				"      contains(github.event.pull_request.labels.*.name, 'perf-measure') &&\n" +
				"      (github.event.action != 'edited' || github.event.changes.base.ref.from) &&\n" +
				"      (github.event.action != 'labeled' || github.event.label.name == 'perf-measure')\n"},
	},
	"perftrack-comment.yml": {
		{"      github.event.workflow_run.conclusion != 'skipped' &&\n", ""},
		{"(github.event.workflow_run.conclusion == 'skipped' || github.event.label.name && github.event.label.name != 'perf-accept')", "github.event.label.name && github.event.label.name != 'perf-accept'"},
	},
}

// applyOn returns a workflow as it is for a choice of When.
func applyOn(name, text, on string) (string, error) {
	if on == config.OnPush {
		return text, nil
	}
	for _, change := range onLabel[name] {
		if strings.Count(text, change[0]) != 1 {
			return "", fmt.Errorf("%s has no %q to change", name, change[0])
		}
		text = strings.Replace(text, change[0], change[1], 1)
	}
	return text, nil
}

// checkOn returns the choice, which is push unless named.
func checkOn(on string) (string, error) {
	switch on {
	case "":
		return config.OnPush, nil
	case config.OnPush, config.OnLabel, config.OnComment:
		return on, nil
	}
	return "", fault.Usagef("--on %q: use push, label or comment", on)
}
