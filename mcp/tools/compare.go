package tools

import (
	"errors"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/perftrack/perftrack/mcp/command"
)

type verdictInput struct {
	Limit int `json:"limit,omitempty" jsonschema:"maximum number of rows (default 20); changed rows come first"`
}

func (s *Server) addVerdict(server *mcp.Server) {
	add(s, server, &mcp.Tool{
		Name:        "verdict",
		Description: "Read the newest trial's verdict again. Does not measure.",
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
	Limit int    `json:"limit,omitempty" jsonschema:"maximum number of rows (default 20); changed rows come first"`
}

func (s *Server) addCompare(server *mcp.Server) {
	add(s, server, &mcp.Tool{
		Name:        "compare",
		Description: "Compare two stored sides. Does not measure; only the sides of a trial have a verdict.",
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

// stored returns the request for a comparison of stored results. It uses --strict, so that
// undecided rows affect the exit status.
func stored(limit int, words ...string) request {
	return request{
		Call:  command.Call{Command: []string{"compare"}, Flags: []string{"--gate", "--strict"}, Words: words},
		limit: limit, usual: 20, meaning: verdictMeaning,
	}
}
