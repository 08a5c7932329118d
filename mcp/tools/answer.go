package tools

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/perftrack/perftrack/mcp/command"
	"github.com/perftrack/perftrack/mcp/shorten"
)

// A request is what a tool asks of perftrack.
type request struct {
	command.Call
	limit   int           // of lists, 0 is the tool's default
	usual   int           // that default
	budget  time.Duration // about how long it takes; 0 is not known
	meaning func(command.Output) string
	remark  func(document map[string]any, limit int) string // on what the command itself left out; may be nil
}

// mostEntries is the largest limit.
const mostEntries = 1000

// entries is the limit that holds.
func (r request) entries() (int, error) {
	if r.limit < 0 || r.limit > mostEntries {
		return 0, fmt.Errorf("limit %d is not between 1 and %d", r.limit, mostEntries)
	}
	return cmp.Or(r.limit, r.usual), nil
}

// An Answer is the structured content of each tool.
type Answer struct {
	ExitStatus int            `json:"exit_status"`
	Meaning    string         `json:"meaning,omitempty"`
	Document   map[string]any `json:"document,omitempty"` // of perftrack --format json
	LeftOut    map[string]int `json:"left_out,omitempty"` // entries that the limit cut, by their list
	Remarks    []string       `json:"remarks,omitempty"`  // what perftrack said on the way
}

// answer runs perftrack and returns what it says. A verdict is an answer, whatever it is; what
// went wrong is an error of the tool, beside which there may be a result.
func (s *Server) answer(ctx context.Context, req *mcp.CallToolRequest, r request) (*mcp.CallToolResult, any, error) {
	limit, err := r.entries()
	if err != nil {
		return nil, nil, err
	}
	ctx, stop := s.during(ctx)
	defer stop()
	told, quiet := s.progress(ctx, req, r.budget)
	out, err := s.perftrack.Run(ctx, r.Call, told)
	quiet()
	if errors.Is(err, context.Canceled) {
		err = errors.New("interrupted")
		if r.budget > 0 {
			err = errors.New("interrupted: what was measured until then is stored, and the next check of these commits goes on with it")
		}
	}
	if err != nil {
		return nil, nil, err
	}
	kind, message := out.Failure()
	remarks := slices.DeleteFunc(out.Remarks, func(line string) bool { return strings.Contains(message, line) })
	a := Answer{ExitStatus: out.Status, Remarks: remarks}
	failed := out.Status != command.OK && out.Status != command.Regressed && out.Status != command.Undecided
	switch {
	case failed:
		a.Meaning = strings.TrimSpace(strings.TrimPrefix(kind+": ", ": ") + message)
	case r.meaning != nil:
		a.Meaning = r.meaning(out)
	}
	if out.Text == "" && out.Document["kind"] == nil {
		out.Document = nil // the message says it
	}
	a.Document, a.LeftOut = shorten.Document(out.Document, limit)
	return &mcp.CallToolResult{IsError: failed, Content: []mcp.Content{&mcp.TextContent{Text: a.text(out.Text, limit, r)}}}, a, nil
}

// text is the answer for people, and for clients that show no structured content.
func (a Answer) text(text string, limit int, r request) string {
	parts := []string{a.Meaning, shorten.Text(text, 2*limit+40)}
	if r.remark != nil {
		parts = append(parts, r.remark(a.Document, limit))
	}
	parts = append(parts, shorten.Words(a.LeftOut))
	if len(a.Remarks) > 0 {
		parts = append(parts, "remarks:\n  "+strings.Join(a.Remarks, "\n  "))
	}
	var said []string
	for _, p := range parts {
		if strings.TrimSpace(p) != "" {
			said = append(said, p)
		}
	}
	return strings.Join(said, "\n\n")
}

// during returns a context that ends with the call or with the server, which waits for the call.
func (s *Server) during(ctx context.Context) (context.Context, func()) {
	ctx, cancel := context.WithCancel(ctx)
	forget := context.AfterFunc(s.ctx, cancel)
	s.running.Add(1)
	return ctx, func() { forget(); cancel(); s.running.Done() }
}
