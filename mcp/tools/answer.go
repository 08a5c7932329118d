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

// A request describes how to answer a call of a tool.
type request struct {
	command.Call
	limit   int           // largest number of entries in a list; 0 means the tool's default
	usual   int           // the tool's default
	budget  time.Duration // expected duration; 0 if unknown
	meaning func(command.Output) string
	remark  func(document map[string]any, limit int) string // describes entries left out by the command itself; may be nil
}

// mostEntries is the largest allowed limit.
const mostEntries = 1000

// entries returns the limit for this request.
func (r request) entries() (int, error) {
	if r.limit < 0 || r.limit > mostEntries {
		return 0, fmt.Errorf("limit %d is not between 1 and %d", r.limit, mostEntries)
	}
	return cmp.Or(r.limit, r.usual), nil
}

// An Answer is the structured content that every tool returns.
type Answer struct {
	ExitStatus int            `json:"exit_status"`
	Meaning    string         `json:"meaning,omitempty"`
	Document   map[string]any `json:"document,omitempty"` // from perftrack --format json
	LeftOut    map[string]int `json:"left_out,omitempty"` // number of entries left out of each list
	Remarks    []string       `json:"remarks,omitempty"`  // other messages from perftrack
}

// answer runs perftrack and returns its answer. Any verdict is a successful answer. If perftrack
// fails, the result is marked as an error of the tool, but may still contain a document.
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
			err = errors.New("interrupted: the samples so far are stored, and the next check of these commits continues from there")
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
		out.Document = nil // the message is complete without it
	}
	a.Document, a.LeftOut = shorten.Document(out.Document, limit)
	return &mcp.CallToolResult{IsError: failed, Content: []mcp.Content{&mcp.TextContent{Text: a.text(out.Text, limit, r)}}}, a, nil
}

// text returns the whole answer as text, for clients without structured content.
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

// during returns a context that ends with the call or with the server. The server waits for the
// call until the returned function is called.
func (s *Server) during(ctx context.Context) (context.Context, func()) {
	ctx, cancel := context.WithCancel(ctx)
	forget := context.AfterFunc(s.ctx, cancel)
	s.running.Add(1)
	return ctx, func() { forget(); cancel(); s.running.Done() }
}
