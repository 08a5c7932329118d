package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/family"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/helptext"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/pages"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/serving"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/workspace"
	"github.com/perftrack/perftrack/reports/site/server"
)

func newServeCommand(g *globals) *cobra.Command {
	var listen, tokenFile string
	var hosts []string
	var opt pages.Options
	cmd := &cobra.Command{
		Use:   "serve",
		Short: "Show the results in a browser",
		Long: `Show in a browser what got slower, where and since when.

It serves the page of perftrack report --format html, live and read-only, only on this
machine, with the queue of a fleet and, at /metrics, the queue and the newest medians for Prometheus. Any other address requires a token of at least 16 characters in PERFTRACK_TOKEN or
a file: browsers log in at /login?token=TOKEN, and programs send it as a bearer token. The
connection is not encrypted. See perftrack help site.
` + exitStatus,
		Example: `  perftrack serve
  perftrack serve --listen 127.0.0.1:0
  PERFTRACK_TOKEN=$(openssl rand -hex 16) perftrack serve --listen 0.0.0.0:8137`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			a, err := g.start(cmd, helptext.RefuseEmpty(cmd, "listen", "token-file", "host"))
			if err != nil {
				return err
			}
			token, err := serving.Token(tokenFile)
			if err != nil {
				return err
			}
			if !server.Loopback(listen) && token == "" {
				return &helptext.Error{Err: fmt.Errorf("--listen %s is reachable from other machines: put a token of at least %d characters into %s or --token-file, for example from openssl rand -hex 16", listen, server.MinToken, serving.TokenVariable), Command: cmd.CommandPath()}
			}
			opt.Reports = true
			live := pages.Watch(a, opt)
			defer live.Close()
			s, err := server.New(server.Options{
				Live: live, Queue: live.Queue, Metrics: live.Metrics, Hosts: append(hosts, serving.Hosts(listen)...), Token: token,
				Keep: a.CacheFile(cmd.Context(), ".overview"), Reports: func(ctx context.Context) (map[string][]byte, error) { return liveReports(ctx, *a, opt) },
			})
			if err != nil {
				return err
			}
			l, err := serving.Listen(cmd.Context(), listen)
			if err != nil {
				return err
			}
			addresses := serving.Addresses(l.Addr())
			fmt.Fprintf(g.term.Stdout, "http://%s/\n", addresses[0])
			if len(addresses) > 1 {
				g.term.Notice("from other machines: http://" + strings.Join(addresses[1:], "/ http://") + "/")
			}
			if token != "" {
				g.term.Notice("log in once with the token: http://" + addresses[0] + "/login?token=TOKEN")
			}
			g.term.Notice("stop with Ctrl-C")
			return serving.Serve(cmd.Context(), s, l)
		},
	}
	f := cmd.Flags()
	f.StringVar(&listen, "listen", "127.0.0.1:8137", "`address` and port; port 0 takes a free one")
	f.StringVar(&tokenFile, "token-file", "", "`file` with the token that requests must have (env "+serving.TokenVariable+")")
	f.StringSliceVar(&hosts, "host", nil, "also answer requests for this host `name`")
	f.StringVar(&opt.Branch, "branch", "", "line of development, by its `branch` (default HEAD's)")
	return cmd
}

// liveReports renders the reports for the served page. It takes a copy of the session, because the
// page uses the original at the same time.
func liveReports(ctx context.Context, a workspace.Session, opt pages.Options) (map[string][]byte, error) {
	s, err := family.Gather(ctx, &a, family.Options{Branch: opt.Branch})
	if err != nil {
		return nil, err
	}
	r := reportCommand{format: "html"}
	files, err := r.files(s)
	if err != nil {
		return nil, err
	}
	made := map[string][]byte{}
	for _, f := range files {
		made[f.Name] = f.Text
	}
	return made, nil
}
