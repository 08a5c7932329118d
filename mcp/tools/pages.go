package tools

import (
	"context"
	"errors"
	"regexp"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/perftrack/perftrack/mcp/command"
)

// pageURI is where clients find the pages of the documentation, as perftrack help PAGE has them.
const pageURI = "perftrack://help/"

var pageName = regexp.MustCompile(`^[a-z][a-z-]{0,40}$`)

// addPages offers the documentation: by name the page that an agent needs, and any other.
func (s *Server) addPages(server *mcp.Server) {
	server.AddResource(&mcp.Resource{
		URI: pageURI + "verdicts", Name: "verdicts", MIMEType: "text/plain",
		Description: "What each verdict means, and how it is decided",
	}, s.page)
	server.AddResourceTemplate(&mcp.ResourceTemplate{
		URITemplate: pageURI + "{page}", Name: "help", MIMEType: "text/plain",
		Description: "A page of the documentation, or how a command is used: perftrack help lists them",
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
