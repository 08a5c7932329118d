package tools

import (
	"errors"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/perftrack/perftrack/mcp/command"
)

type verdictInput struct {
	Limit int `json:"limit,omitempty" jsonschema:"most rows, default 20; what changed comes first"`
}

func (s *Server) addVerdict(server *mcp.Server) {
	add(s, server, &mcp.Tool{
		Name:        "verdict",
		Description: "Read the verdict of the newest trial again. Measures nothing.",
		Annotations: reads(),
	}, func(in verdictInput) (request, error) {
		r := stored(in.Limit)
		r.meaning = func(out command.Output) string { return verdictMeaning(out) + ofHead(out.Document) }
		return r, nil
	})
}

type compareInput struct {
	Base  string `json:"base" jsonschema:"commit, branch, run id, trial id, BASE..HEAD, or a file of results in the repository"`
	Head  string `json:"head,omitempty" jsonschema:"the other side, default the current commit"`
	Limit int    `json:"limit,omitempty" jsonschema:"most rows, default 20; what changed comes first"`
}

func (s *Server) addCompare(server *mcp.Server) {
	add(s, server, &mcp.Tool{
		Name:        "compare",
		Description: "Compare two sides that are stored. Measures nothing; there is a verdict only if they were measured in one trial.",
		Annotations: reads(),
	}, func(in compareInput) (request, error) {
		if in.Base == "" {
			return request{}, errors.New("base is empty: name a commit, a run or a trial")
		}
		r := stored(in.Limit, in.Base)
		if in.Head != "" {
			r.Words = append(r.Words, in.Head)
		}
		return r, errors.Join(s.place.Revision("base", in.Base), s.place.Revision("head", in.Head))
	})
}

// stored compares what is stored, and counts what is undecided as such.
func stored(limit int, words ...string) request {
	return request{
		Call:  command.Call{Command: []string{"compare"}, Flags: []string{"--gate", "--strict"}, Words: words},
		limit: limit, usual: 20, meaning: verdictMeaning,
	}
}
