// Package serving opens the port of perftrack serve, reads its token, and serves requests until the
// program is stopped.
package serving

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

	"github.com/perftrack/perftrack/cmd/perftrack/internal/fault"
	"github.com/perftrack/perftrack/reports/site/server"
)

// TokenVariable is the environment variable with the token for perftrack serve. There is no flag
// for the token, because all users of the machine can see a program's flags.
const TokenVariable = "PERFTRACK_TOKEN"

// leaveTime is how long open requests may take to finish when the server is stopped.
const leaveTime = 5 * time.Second

// Token returns the token from the file or, if file is "", from the environment. It returns "" if
// there is no token. It unsets the environment variable, because git and its hooks would otherwise
// inherit it.
func Token(file string) (string, error) {
	token, from := os.Getenv(TokenVariable), TokenVariable
	if err := os.Unsetenv(TokenVariable); err != nil {
		return "", fmt.Errorf("forget %s: %w", TokenVariable, err)
	}
	if file != "" {
		text, err := os.ReadFile(file)
		if err != nil {
			return "", fault.IO(fmt.Errorf("read the token: %w", err))
		}
		token, from = strings.TrimSpace(string(text)), file
		if token == "" {
			return "", fault.Usagef("%s is empty: a token needs at least %d characters, for example from openssl rand -hex 16", from, server.MinToken)
		}
	}
	if token != "" && len(token) < server.MinToken {
		return "", fault.Usagef("the token in %s has fewer than %d characters: use openssl rand -hex 16", from, server.MinToken)
	}
	if strings.ContainsFunc(token, func(r rune) bool { return r <= ' ' || r > '~' }) {
		return "", fault.Usagef("the token in %s may contain only letters, digits and punctuation: use openssl rand -hex 16", from)
	}
	return token, nil
}

// Hosts returns the host in an address, or nil if it has none.
func Hosts(address string) []string {
	if host, _, err := net.SplitHostPort(address); err == nil && host != "" {
		return []string{host}
	}
	return nil
}

// Addresses returns the server's addresses for a browser.
func Addresses(at net.Addr) []string { return opened(at, interfaceAddresses) }

// opened returns the server's addresses for a browser. If the server listens on all addresses, the
// loopback address comes first.
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

// interfaceAddresses returns the addresses of this machine, or nil if they are unknown.
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

// Listen opens a port for the server. If the port is in use, the error names the remedy.
func Listen(ctx context.Context, address string) (net.Listener, error) {
	network := "tcp"
	if host, _, err := net.SplitHostPort(address); err == nil && net.ParseIP(host).To4() != nil {
		network = "tcp4" // so 0.0.0.0 does not also open IPv6 addresses
	}
	l, err := (&net.ListenConfig{}).Listen(ctx, network, address)
	switch {
	case errors.Is(err, syscall.EADDRINUSE):
		return nil, fault.IO(fmt.Errorf("%w: another program, perhaps perftrack serve, uses this port; choose a free one with --listen 127.0.0.1:0", err))
	case err != nil:
		return nil, fault.IO(err)
	}
	return l, nil
}

// Serve serves requests until ctx is done, and then waits a limited time for open requests to
// finish.
func Serve(ctx context.Context, s *http.Server, l net.Listener) error {
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
		_ = s.Close() // the remaining requests take too long
	}
	<-done
	return nil
}
