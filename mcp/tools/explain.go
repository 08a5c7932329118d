package tools

import (
	"errors"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/perftrack/perftrack/mcp/command"
	"github.com/perftrack/perftrack/mcp/place"
)

type explainInput struct {
	Base    string `json:"base" jsonschema:"revision"`
	Head    string `json:"head,omitempty" jsonschema:"revision, default the current commit"`
	Bench   string `json:"bench" jsonschema:"the benchmark, by its whole name"`
	Package string `json:"package,omitempty" jsonschema:"import path, if several packages have the benchmark"`
	Limit   int    `json:"limit,omitempty" jsonschema:"most functions, default 15"`
}

func (s *Server) addExplain(server *mcp.Server) {
	add(s, server, &mcp.Tool{
		Name: "explain",
		Description: "Show which functions make a benchmark slower or faster between two commits: own time and allocations of each on both sides. " +
			"Takes a minute or more. Executes the repository's own build and benchmark at both revisions, under profilers.",
		Annotations: measures(),
	}, func(in explainInput) (request, error) {
		if in.Base == "" || in.Bench == "" {
			return request{}, errors.New("explain needs base, and the benchmark's full name in bench")
		}
		r := request{
			Call: command.Call{
				Command: []string{"explain"},
				Flags:   flags("bench", in.Bench, "package", in.Package),
				Words:   []string{in.Base},
			},
			limit: in.Limit, usual: 15,
		}
		if in.Head != "" {
			r.Words = append(r.Words, in.Head)
		}
		return r, errors.Join(s.place.Revision("base", in.Base), s.place.Revision("head", in.Head), place.Word("bench", in.Bench), s.place.Packages("package", in.Package))
	})
}

func (s *Server) addDoctor(server *mcp.Server) {
	add(s, server, &mcp.Tool{
		Name:        "doctor",
		Description: "Find the causes of noisy timings on this machine, with remedies. Runs fixed work for some seconds.",
		Annotations: reads(),
	}, func(struct{}) (request, error) {
		return request{Call: command.Call{Command: []string{"doctor"}}, usual: 50}, nil
	})
}
