package tools

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/perftrack/perftrack/mcp/command"
)

// verdictMeaning says in a sentence what the exit status of a comparison with --strict means,
// so that nobody takes what is undecided for unchanged.
func verdictMeaning(out command.Output) string {
	verdicts, _ := out.Document["verdicts"].(map[string]any)
	count := func(verdict string) int64 {
		n, _ := verdicts[verdict].(json.Number)
		i, _ := n.Int64()
		return i
	}
	undecided := ""
	if n := count("inconclusive"); n > 0 {
		undecided = fmt.Sprintf("%d inconclusive: neither slower nor unchanged was shown, which is not the same as unchanged; check again continues the trial, a larger budget decides more", n)
	}
	switch out.Status {
	case command.Regressed:
		return strings.TrimSuffix("regressed: something got worse, or misses a limit; besides, "+undecided, "; besides, ")
	case command.Undecided:
		return strings.TrimSuffix("undecided, not unchanged: "+otherwise(undecided, out.Document, count), ": ")
	}
	switch {
	case count("regressed") > 0:
		return "nothing regressed but what was accepted, and all was decided"
	case entries(out.Document, "tables") == 0 && entries(out.Document, "same_code")+entries(out.Document, "unreached") > 0:
		return "nothing to measure: no benchmark can have changed; nothing regressed"
	}
	return "nothing regressed, and all was decided"
}

// otherwise says why nothing was decided, where that is not for want of rounds.
func otherwise(undecided string, document map[string]any, count func(string) int64) string {
	if trial, _ := document["trial"].(bool); !trial {
		return "the sides were measured apart, which gives no verdict: check decides"
	}
	var why []string
	if undecided != "" {
		why = append(why, undecided)
	}
	if n := count("suspect"); n > 0 {
		why = append(why, fmt.Sprintf("%d suspect", n))
	}
	for _, key := range []string{"missing", "failures"} {
		if n := entries(document, key); n > 0 {
			why = append(why, fmt.Sprintf("%d in %s", n, key))
		}
	}
	return strings.Join(why, "; ")
}

// ofHead says what a stored verdict is of: what was changed since then is not in it.
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
	return fmt.Sprintf(" (of head %s, measured %s: what changed since is not in it)", commit, start)
}

// entries is how many entries a list of the document has.
func entries(document map[string]any, key string) int {
	list, _ := document[key].([]any)
	return len(list)
}
