package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/family"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/fault"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/pages"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/workspace"
	"github.com/perftrack/perftrack/reports/site/server"
)

// tokenVariable has the token of perftrack serve; no flag has it, since everybody on the machine
// can read those.
const tokenVariable = "PERFTRACK_TOKEN"

// leaveTime is how long requests may take that are under way when serving ends.
const leaveTime = 5 * time.Second

func newServeCommand(g *globals) *cobra.Command {
	var listen, tokenFile string
	var hosts []string
	var opt pages.Options
	cmd := &cobra.Command{
		Use:   "serve",
		Short: "Show the page live, on this machine",
		Long: `Show in a browser what got slower, where and since when.

It is the page of ` + "`perftrack report --format html`" + `, live: what is stored meanwhile is on
it after a reload. It can only be read. The address is printed on stdout; Ctrl-C ends
it.

It is reached from this machine only, by everybody who is logged in there. Another
address than that of the loopback interface takes a token, of at least 16 characters,
in PERFTRACK_TOKEN or in a file; with one, a browser is let in by the address
/login?token=TOKEN and remembers it in a cookie, and a program by the header
"Authorization: Bearer TOKEN". The connection is not encrypted: across a network, put a
proxy with TLS before it, or tunnel through ssh. The server answers under the names
localhost and --host, and with a token under any address by number.
` + exitStatus,
		Example: `  perftrack serve
  perftrack serve --listen 127.0.0.1:0
  PERFTRACK_TOKEN=$(openssl rand -hex 16) perftrack serve --listen 0.0.0.0:8137`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			a, err := g.start(cmd, refuseEmpty(cmd, "listen", "token-file", "host"))
			if err != nil {
				return err
			}
			token, err := readToken(tokenFile)
			if err != nil {
				return err
			}
			if !server.Loopback(listen) && token == "" {
				return &usageError{fmt.Errorf("--listen %s is reached from other machines: put a token of at least %d characters into %s or --token-file, as in openssl rand -hex 16", listen, server.MinToken, tokenVariable), cmd.CommandPath()}
			}
			opt.Reports = true
			live := pages.Watch(a, opt)
			defer live.Close()
			s, err := server.New(server.Options{Live: live, Hosts: append(hosts, hostNamed(listen)...), Token: token, Keep: a.CacheFile(cmd.Context(), ".overview"), Reports: func(ctx context.Context) (map[string][]byte, error) { return liveReports(ctx, *a, opt) }})
			if err != nil {
				return err
			}
			l, err := listenOn(cmd.Context(), listen)
			if err != nil {
				return err
			}
			addresses := opened(l.Addr(), interfaceAddresses)
			fmt.Fprintf(g.term.stdout, "http://%s/\n", addresses[0])
			if len(addresses) > 1 {
				g.term.notice("from other machines: http://" + strings.Join(addresses[1:], "/ http://") + "/")
			}
			if token != "" {
				g.term.notice("log in once, with the token: http://" + addresses[0] + "/login?token=TOKEN")
			}
			g.term.notice("Ctrl-C ends it")
			return serve(cmd.Context(), s, l)
		},
	}
	f := cmd.Flags()
	f.StringVar(&listen, "listen", "127.0.0.1:8137", "`address` and port; port 0 takes a free one")
	f.StringVar(&tokenFile, "token-file", "", "`file` with the token that everybody has to show (env "+tokenVariable+")")
	f.StringSliceVar(&hosts, "host", nil, "also answer under this `name`")
	f.StringVar(&opt.Branch, "branch", "", "whose line of development is shown (default that of HEAD)")
	return cmd
}

// liveReports makes the reports for people of what is stored. The session is its own, as the page is read at the
// same time.
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

// readToken returns the token of the file or the environment, "" without one. It is not left in
// the environment, where git and its hooks would get it.
func readToken(file string) (string, error) {
	token, from := os.Getenv(tokenVariable), tokenVariable
	if err := os.Unsetenv(tokenVariable); err != nil {
		return "", fmt.Errorf("forget %s: %w", tokenVariable, err)
	}
	if file != "" {
		text, err := os.ReadFile(file)
		if err != nil {
			return "", fault.IO(fmt.Errorf("read the token: %w", err))
		}
		token, from = strings.TrimSpace(string(text)), file
		if token == "" {
			return "", fault.Usagef("%s is empty: a token has at least %d characters, as of openssl rand -hex 16", from, server.MinToken)
		}
	}
	if token != "" && len(token) < server.MinToken {
		return "", fault.Usagef("the token in %s has less than %d characters, which can be guessed: take one of openssl rand -hex 16", from, server.MinToken)
	}
	if strings.ContainsFunc(token, func(r rune) bool { return r <= ' ' || r > '~' }) {
		return "", fault.Usagef("the token in %s has other characters than letters, digits and signs: take one of openssl rand -hex 16", from)
	}
	return token, nil
}

// hostNamed is the name that an address has in place of a number, if it has one.
func hostNamed(address string) []string {
	if host, _, err := net.SplitHostPort(address); err == nil && host != "" {
		return []string{host}
	}
	return nil
}

// opened are the addresses under which a browser opens a server: of one that listens on all addresses of this
// machine first the loopback, then the others that there are.
func opened(at net.Addr, others func() []net.IP) (addresses []string) {
	tcp, ok := at.(*net.TCPAddr)
	if !ok || !tcp.IP.IsUnspecified() {
		return []string{at.String()}
	}
	four := tcp.IP.To4() != nil
	port := strconv.Itoa(tcp.Port)
	addresses = append(addresses, net.JoinHostPort("127.0.0.1", port))
	for _, ip := range others() {
		if !ip.IsLoopback() && !ip.IsLinkLocalUnicast() && (ip.To4() != nil || !four) {
			addresses = append(addresses, net.JoinHostPort(ip.String(), port))
		}
	}
	return addresses
}

// interfaceAddresses are those of this machine; none where it does not tell.
func interfaceAddresses() (all []net.IP) {
	list, err := net.InterfaceAddrs()
	if err != nil {
		return nil
	}
	for _, a := range list {
		if n, ok := a.(*net.IPNet); ok {
			all = append(all, n.IP)
		}
	}
	return all
}

func listenOn(ctx context.Context, address string) (net.Listener, error) {
	network := "tcp"
	if host, _, err := net.SplitHostPort(address); err == nil && net.ParseIP(host).To4() != nil {
		network = "tcp4" // 0.0.0.0 opens no address of version 6
	}
	l, err := (&net.ListenConfig{}).Listen(ctx, network, address)
	switch {
	case errors.Is(err, syscall.EADDRINUSE):
		return nil, fault.IO(fmt.Errorf("%w: another program has that port, perhaps another perftrack serve; --listen 127.0.0.1:0 takes a free one", err))
	case err != nil:
		return nil, fault.IO(err)
	}
	return l, nil
}

// serve answers until ctx ends, and then what is under way.
func serve(ctx context.Context, s *http.Server, l net.Listener) error {
	done := make(chan error, 1)
	go func() { done <- s.Serve(l) }()
	select {
	case err := <-done:
		return fault.IO(fmt.Errorf("serve: %w", err))
	case <-ctx.Done():
	}
	leave, cancel := context.WithTimeout(context.WithoutCancel(ctx), leaveTime)
	defer cancel()
	if err := s.Shutdown(leave); err != nil {
		_ = s.Close() // who is still there took too long
	}
	<-done
	return nil
}
