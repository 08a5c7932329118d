package tools

import (
	"errors"
	"fmt"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/perftrack/perftrack/mcp/command"
	"github.com/perftrack/perftrack/mcp/place"
)

// These are the default budget of a check and the largest budget allowed.
const (
	usualBudget = 5 * time.Minute
	mostBudget  = 6 * time.Hour
)

type checkInput struct {
	Base    string   `json:"base,omitempty" jsonschema:"revision to compare with, default the merge base with the default branch"`
	Head    string   `json:"head,omitempty" jsonschema:"revision to check, default the work tree"`
	Bench   string   `json:"bench,omitempty" jsonschema:"only benchmarks matching this regexp, as go test -bench"`
	Targets []string `json:"targets,omitempty" jsonschema:"only these targets or packages, such as ./parser"`
	Budget  string   `json:"budget,omitempty" jsonschema:"longest time, such as 90s; default 5m"`
	Limit   int      `json:"limit,omitempty" jsonschema:"maximum number of rows (default 20); changed rows come first"`
}

func (s *Server) addCheck(server *mcp.Server) {
	add(s, server, &mcp.Tool{
		Name: "check",
		Description: "Decide whether a change made benchmarks slower: builds base and head and measures them side by side until each is decided or the budget is spent. " +
			"Executes the repository's own build and benchmarks at both revisions; stores the samples. " +
			"If called again for the same commits, for example after a cancellation, it continues.",
		Annotations: measures(),
	}, s.check)
}

// check uses --strict, so that an undecided check and a decided one have different exit statuses.
func (s *Server) check(in checkInput) (request, error) {
	budget, err := parseBudget(in.Budget)
	errs := []error{err, s.place.Revision("base", in.Base), s.place.Revision("head", in.Head), place.Word("bench", in.Bench)}
	for _, t := range in.Targets {
		errs = append(errs, s.place.Packages("target", t))
	}
	return request{
		Call: command.Call{
			Command: []string{"check"},
			Flags:   flags("strict", "true", "budget", budget.String(), "base", in.Base, "head", in.Head, "bench", in.Bench),
			Words:   in.Targets,
		},
		limit: in.Limit, usual: 20, budget: budget, meaning: verdictMeaning,
	}, errors.Join(errs...)
}

func parseBudget(text string) (time.Duration, error) {
	if text == "" {
		return usualBudget, nil
	}
	d, err := time.ParseDuration(text)
	if err != nil || d <= 0 || d > mostBudget {
		return 0, fmt.Errorf("budget %q is not a duration of at most %v, such as 90s or 5m", text, mostBudget)
	}
	return d, nil
}

// flags returns --name=value for each pair with a value.
func flags(pairs ...string) (out []string) {
	for i := 0; i+1 < len(pairs); i += 2 {
		if pairs[i+1] != "" {
			out = append(out, "--"+pairs[i]+"="+pairs[i+1])
		}
	}
	return out
}
