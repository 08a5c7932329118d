package setup

import (
	"fmt"
	"strings"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/fault"
	"github.com/perftrack/perftrack/runner/config"
)

// When lists the values of `perftrack init --on`.
var When = []string{config.OnPush, config.OnLabel, config.OnComment}

// The optional workflows. The first measures a pull request when a comment requests it, and the
// second publishes the page.
const (
	demandWorkflow = "perftrack-demand.yml"
	pagesWorkflow  = "perftrack-pages.yml"
)

// onLabel lists the edits, by workflow, for measuring only pull requests with the label. The
// measuring workflow still starts for every pull request but skips its job, because a skipped run
// still triggers the commenting workflow.
var onLabel = map[string][][2]string{
	"perftrack-measure.yml": {
		{"types: [opened, synchronize, reopened, edited]", "types: [opened, synchronize, reopened, edited, labeled]"},
		{"# A new title must not cancel", "# A new title or another label must not cancel"},
		{
			"${{ github.event.action == 'edited' && !github.event.changes.base.ref.from && format('-{0}', github.run_id) || '' }}",
			"${{ (github.event.action == 'edited' && !github.event.changes.base.ref.from || github.event.action == 'labeled' && github.event.label.name != 'perf-measure') && format('-{0}', github.run_id) || '' }}",
		},
		{"    # Of all edits only a new base branch needs a measurement.\n" +
			"    if: github.event.action != 'edited' || github.event.changes.base.ref.from\n",
			"    # A pull request is measured while it has the label; a merge group is not. Of all\n" +
				"    # edits only a new base branch needs a measurement.\n" +
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

// applyOn returns the text of a workflow, edited for on, one of the values in When.
func applyOn(name, text, on string) (string, error) {
	if on == config.OnPush {
		return text, nil
	}
	for _, change := range onLabel[name] {
		if strings.Count(text, change[0]) != 1 {
			return "", fmt.Errorf("change workflow %s: it does not contain %q", name, change[0])
		}
		text = strings.Replace(text, change[0], change[1], 1)
	}
	return text, nil
}

// checkOn returns on if it is one of the values in When, and push if it is "". Otherwise it returns
// an error.
func checkOn(on string) (string, error) {
	switch on {
	case "":
		return config.OnPush, nil
	case config.OnPush, config.OnLabel, config.OnComment:
		return on, nil
	}
	return "", fault.Usagef("--on %q is invalid: use push, label or comment", on)
}
