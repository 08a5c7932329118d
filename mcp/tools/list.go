package tools

import (
	"fmt"
	"slices"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/perftrack/perftrack/mcp/command"
)

type listInput struct {
	What  string `json:"what,omitempty" jsonschema:"benchmarks (default: the state of each stored one), targets (of check), runs, trials"`
	Limit int    `json:"limit,omitempty" jsonschema:"most rows, default 50"`
}

func (s *Server) addList(server *mcp.Server) {
	add(s, server, &mcp.Tool{
		Name:        "list",
		Description: "List the stored benchmarks with their state: the newest value, and whether there is an unresolved regression. Or list targets, runs or trials.",
		Annotations: reads(),
	}, func(in listInput) (request, error) {
		r := request{Call: command.Call{Command: []string{"list"}}, limit: in.Limit, usual: 50}
		known := []string{"benchmarks", "targets", "runs", "trials"}
		if in.What != "" && !slices.Contains(known, in.What) {
			return r, fmt.Errorf("what %q is not one of %s", in.What, strings.Join(known, ", "))
		}
		if in.What != "" {
			r.Command = append(r.Command, in.What)
		}
		return r, nil
	})
}
