package tools

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/perftrack/perftrack/mcp/command"
)

// verdictMeaning describes the result of a comparison with --gate and --strict in one sentence. It
// says that nothing regressed only if the gate passes.
func verdictMeaning(out command.Output) string {
	gate, _ := out.Document["gate"].(map[string]any)
	verdicts, _ := out.Document["verdicts"].(map[string]any)
	undecided := ""
	if n := count(verdicts, "inconclusive"); n > 0 {
		undecided = fmt.Sprintf("%d inconclusive: neither slower nor unchanged was shown, so do not report them as unchanged; call check again to continue the trial, or use a larger budget to decide more", n)
	}
	switch gate["cause"] {
	case "worse":
		return joined("; in addition, ", "regressed: something got worse, or misses a limit", undecided)
	case "unpaired":
		return "undecided, not unchanged: the runs are unpaired and have no verdict: decide with check"
	case "gap":
		return joined(": ", "undecided, not unchanged", joined("; ", undecided, open(out.Document, verdicts)))
	}
	switch {
	case gate["result"] != "pass":
		return fmt.Sprintf("no result, not unchanged: exit status %d", out.Status)
	case count(verdicts, "regressed") > 0:
		return "nothing regressed except accepted changes, and everything was decided"
	case entries(out.Document, "tables") == 0 && entries(out.Document, "same_code")+entries(out.Document, "unreached") > 0:
		return "nothing to measure: no benchmark can have changed; nothing regressed"
	}
	return "nothing regressed, and everything was decided"
}

// open describes how many benchmarks are suspect, missing or failed.
func open(document, verdicts map[string]any) string {
	var parts []string
	if n := count(verdicts, "suspect"); n > 0 {
		parts = append(parts, fmt.Sprintf("%d suspect", n))
	}
	for _, key := range []string{"missing", "failures"} {
		if n := entries(document, key); n > 0 {
			parts = append(parts, fmt.Sprintf("%d in %s", n, key))
		}
	}
	return strings.Join(parts, "; ")
}

// joined joins two texts with a separator unless one of them is empty.
func joined(separator, a, b string) string {
	if a == "" || b == "" {
		return a + b
	}
	return a + separator + b
}

func count(verdicts map[string]any, verdict string) int64 {
	n, _ := verdicts[verdict].(json.Number)
	i, _ := n.Int64()
	return i
}

// ofHead describes the commit that a stored verdict is for. The verdict does not cover later
// changes.
func ofHead(document map[string]any) string {
	head, _ := document["head"].(map[string]any)
	runs, _ := head["runs"].([]any)
	if len(runs) == 0 {
		return ""
	}
	run, _ := runs[len(runs)-1].(map[string]any)
	commit, _ := run["commit"].(string)
	start, _ := run["start"].(string)
	if len(commit) > 12 {
		commit = commit[:12]
	}
	if dirty, _ := run["dirty"].(bool); dirty {
		commit += " with uncommitted changes"
	}
	return fmt.Sprintf(" (for head %s, measured %s, without later changes)", commit, start)
}

// entries returns the length of the list under key in the document.
func entries(document map[string]any, key string) int {
	list, _ := document[key].([]any)
	return len(list)
}
