package tools

import (
	"errors"
	"fmt"
	"strconv"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/perftrack/perftrack/mcp/command"
	"github.com/perftrack/perftrack/mcp/place"
)

type historyInput struct {
	Name   string `json:"name" jsonschema:"the benchmark, as list benchmarks shows it, or the end of its name"`
	Unit   string `json:"unit,omitempty" jsonschema:"only this unit, such as ns/op or B/op"`
	Branch string `json:"branch,omitempty" jsonschema:"only the line of this branch"`
	Since  string `json:"since,omitempty" jsonschema:"only commits from then on: 2026-02-03, 2w, yesterday"`
	Limit  int    `json:"limit,omitempty" jsonschema:"number of newest commits, default 10"`
}

func (s *Server) addHistory(server *mcp.Server) {
	add(s, server, &mcp.Tool{
		Name:        "history",
		Description: "Show one benchmark over the commits, with the steps in its level and the commits between which each step happened.",
		Annotations: reads(),
	}, func(in historyInput) (request, error) {
		if in.Name == "" {
			return request{}, errors.New("name is empty: find the benchmarks with list")
		}
		r := request{limit: in.Limit, usual: 10, remark: olderCommits}
		limit, err := r.entries()
		r.Call = command.Call{
			Command: []string{"history"},
			Flags:   flags("limit", strconv.Itoa(limit), "unit", in.Unit, "branch", in.Branch, "since", in.Since),
			Words:   []string{in.Name},
		}
		return r, errors.Join(err, place.Word("name", in.Name), place.Word("unit", in.Unit), s.place.Revision("branch", in.Branch), place.Word("since", in.Since))
	})
}

// olderCommits returns a note if the history may contain more commits than the limit, and otherwise
// "".
func olderCommits(document map[string]any, limit int) string {
	all, _ := document["series"].([]any)
	for _, one := range all {
		series, _ := one.(map[string]any)
		if points, _ := series["points"].([]any); len(points) >= limit {
			return fmt.Sprintf("only the newest %d commits are shown: raise limit for older ones", limit)
		}
	}
	return ""
}

type stepsInput struct {
	Since string `json:"since,omitempty" jsonschema:"only steps to commits from then on: 2026-02-03, 2w, yesterday"`
	Limit int    `json:"limit,omitempty" jsonschema:"most rows, default 20"`
}

func (s *Server) addSteps(server *mcp.Server) {
	add(s, server, &mcp.Tool{
		Name:        "steps",
		Description: "List all benchmarks' unresolved regressions, newest first, with the commits between which each began, and count the series with too few runs.",
		Annotations: reads(),
	}, func(in stepsInput) (request, error) {
		return request{
			Call:  command.Call{Command: []string{"history"}, Flags: append([]string{"--steps"}, flags("since", in.Since)...)},
			limit: in.Limit, usual: 20,
		}, place.Word("since", in.Since)
	})
}
