package tools

import (
	"context"
	"errors"
	"regexp"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/perftrack/perftrack/mcp/command"
)

// pageURI is the prefix of the URIs of documentation pages.
const pageURI = "perftrack://help/"

var pageName = regexp.MustCompile(`^[a-z][a-z-]{0,40}$`)

// addPages makes the documentation available: the most important pages by name, and all others
// through a template.
func (s *Server) addPages(server *mcp.Server) {
	for _, r := range []mcp.Resource{
		{Name: "agents", Description: "For agents: what a verdict allows you to claim, commands for each question, rules"},
		{Name: "verdicts", Description: "Each verdict and how it is decided"},
	} {
		r.URI, r.MIMEType = pageURI+r.Name, "text/plain"
		server.AddResource(&r, s.page)
	}
	server.AddResourceTemplate(&mcp.ResourceTemplate{
		URITemplate: pageURI + "{page}", Name: "help", MIMEType: "text/plain",
		Description: "A page of the documentation, or a command's help",
	}, s.page)
}

func (s *Server) page(ctx context.Context, req *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
	uri := req.Params.URI
	name := strings.TrimPrefix(uri, pageURI)
	if !pageName.MatchString(name) {
		return nil, mcp.ResourceNotFoundError(uri)
	}
	ctx, stop := s.during(ctx)
	defer stop()
	out, err := s.perftrack.Run(ctx, command.Call{Command: []string{"help"}, Words: []string{name}, Plain: true}, nil)
	switch {
	case err != nil:
		return nil, err
	case out.Status != command.OK:
		_, message := out.Failure()
		return nil, errors.New(message)
	}
	return &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{{URI: uri, MIMEType: "text/plain", Text: out.Text}}}, nil
}
