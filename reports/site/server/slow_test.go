package server_test

import (
	"context"
	"io"
	"net"
	"testing"
	"time"

	"github.com/perftrack/perftrack/reports/site/server"
)

// Who sends a request slowly loses the connection: 10 seconds at most.
func TestSlowRequests(t *testing.T) {
	s, err := server.New(server.Options{Live: newShelf()})
	if err != nil {
		t.Fatal(err)
	}
	for name, limit := range map[string]time.Duration{"header": s.ReadHeaderTimeout, "request": s.ReadTimeout} {
		if limit <= 0 || limit > 10*time.Second {
			t.Errorf("a %s may take %v", name, limit)
		}
	}
	if s.WriteTimeout <= 0 || s.IdleTimeout <= 0 || s.MaxHeaderBytes <= 0 || s.MaxHeaderBytes > 64<<10 {
		t.Errorf("no limits: %v, %v, %d bytes", s.WriteTimeout, s.IdleTimeout, s.MaxHeaderBytes)
	}
	s.ReadHeaderTimeout, s.ReadTimeout = 100*time.Millisecond, 200*time.Millisecond // or the test would take as long
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan error, 1)
	go func() { done <- s.Serve(listener) }()
	for _, begin := range []string{"", "G", "GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX-", "GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 10\r\n\r\nabc"} {
		c, err := net.Dial("tcp", listener.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		if err := c.SetDeadline(time.Now().Add(time.Minute)); err != nil {
			t.Fatal(err)
		}
		if _, err := io.WriteString(c, begin); err != nil {
			t.Fatal(err)
		}
		if _, err := io.Copy(io.Discard, c); err != nil { // to its end
			t.Errorf("after %q the connection was not closed: %v", begin, err)
		}
		c.Close()
	}
	if err := s.Shutdown(context.Background()); err != nil {
		t.Error(err)
	}
	<-done
}
