package server_test

import (
	"context"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/perftrack/perftrack/reports/site/server"
)

// A client sending its request too slowly is disconnected after at most 10 seconds.
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
	s.ReadHeaderTimeout, s.ReadTimeout = 100*time.Millisecond, 200*time.Millisecond // the default would make the test slow
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
		if _, err := io.Copy(io.Discard, c); err != nil { // until the server closes the connection
			t.Errorf("after %q the connection was not closed: %v", begin, err)
		}
		c.Close()
	}
	if err := s.Shutdown(context.Background()); err != nil {
		t.Error(err)
	}
	<-done
}

// If a file takes too long to make, the client gets an answer before the connection times out. The
// client also gets an answer if perftrack has a fault.
func TestAnswersInTime(t *testing.T) {
	s := newShelf()
	s.block()
	h := handler(t, server.Options{Live: s, Moment: 10 * time.Millisecond, Answer: 30 * time.Millisecond})
	for _, tt := range []struct {
		path   string
		status int
		want   string
	}{
		{"/data/index.js", http.StatusOK, `perftrack.fail("index","The page is being built, counting: 3 of 7.`},
		{"/badge.svg", http.StatusServiceUnavailable, "counting: 3 of 7"},
		{"/", http.StatusServiceUnavailable, "counting: 3 of 7"},
	} {
		if r := ask(h, "GET", tt.path); r.status != tt.status || !strings.Contains(r.body, tt.want) {
			t.Errorf("%s: %d %s, want %d with %s", tt.path, r.status, r.body, tt.status, tt.want)
		}
	}
	s.unblock()
	until(t, h, "/data/index.js", func(r answer) bool { return strings.Contains(r.body, `perftrack.data("index"`) })
	s.fail(errFault)
	if r := ask(h, "GET", "/data/index.js"); r.status != http.StatusOK || !strings.Contains(r.body, "open the database: internal error: a fault") {
		t.Errorf("after a fault: %d %s", r.status, r.body)
	}
	limits, err := server.New(server.Options{Live: s})
	if err != nil || limits.WriteTimeout <= 50*time.Second {
		t.Errorf("an answer may take %v, %v: the connection is closed before it is said that it takes long", limits.WriteTimeout, err)
	}
}
