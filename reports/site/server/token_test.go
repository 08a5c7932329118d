package server_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/perftrack/perftrack/reports/site/server"
)

const token = "0123456789abcdef-a-token"

func TestToken(t *testing.T) {
	h := handler(t, server.Options{Live: newShelf(), Token: token})
	cookie := login(t, h)
	for _, tt := range []struct {
		name    string
		path    string
		headers []string
		status  int
	}{
		{"nothing", "/", nil, 401},
		{"data", "/data/index.js", nil, 401},
		{"files that are everybody's", "/static/perftrack.css", nil, 401},
		{"bearer", "/", []string{"Authorization", "Bearer " + token}, 200},
		{"another bearer", "/", []string{"Authorization", "Bearer " + token + "x"}, 401},
		{"an empty bearer", "/", []string{"Authorization", "Bearer "}, 401},
		{"a beginning", "/", []string{"Authorization", "Bearer " + token[:20]}, 401},
		{"cookie", "/", []string{"Cookie", cookie.Name + "=" + cookie.Value}, 200},
		{"the token as a cookie", "/", []string{"Cookie", cookie.Name + "=" + token}, 401},
		{"an empty cookie", "/", []string{"Cookie", cookie.Name + "="}, 401},
		{"in the address of another page", "/?token=" + token, nil, 401},
		{"login with another", "/login?token=x", nil, 401},
		{"login with none", "/login", nil, 401},
	} {
		r := ask(h, "GET", tt.path, tt.headers...)
		if body := r.body; r.status != tt.status || strings.Contains(body, token) {
			t.Errorf("%s: %d, want %d; %s", tt.name, r.status, tt.status, body)
		}
		if r.status == 401 && len(cookies(r)) > 0 {
			t.Errorf("%s: sets %v", tt.name, cookies(r))
		}
	}
}

// A cookie belongs to one token, so changing the token ends all logins.
func TestTokenChanged(t *testing.T) {
	cookie := login(t, handler(t, server.Options{Live: newShelf(), Token: token}))
	other := handler(t, server.Options{Live: newShelf(), Token: "another-token-of-others"})
	if r := ask(other, "GET", "/", "Cookie", cookie.Name+"="+cookie.Value); r.status != 401 {
		t.Errorf("a cookie of another token: %d", r.status)
	}
}

func login(t *testing.T, h http.Handler) *http.Cookie {
	t.Helper()
	r := ask(h, "GET", "/login?token="+token)
	set := cookies(r)
	if r.status != 200 || len(set) != 1 {
		t.Fatalf("login: %d, cookies %v", r.status, set)
	}
	c := set[0]
	if !c.HttpOnly || c.SameSite != http.SameSiteStrictMode || c.Path != "/" || strings.Contains(c.Value, token) {
		t.Errorf("cookie %v", c)
	}
	if r.header.Get("Refresh") != "0; url=./" || r.header.Get("Cache-Control") != "no-store" {
		t.Errorf("headers %v", r.header)
	}
	return c
}

// Without a token, the server needs no login and has none.
func TestNoToken(t *testing.T) {
	h := handler(t, server.Options{Live: newShelf()})
	if r := ask(h, "GET", "/login?token="); r.status != 404 || len(cookies(r)) > 0 {
		t.Errorf("login without a token: %d %v", r.status, cookies(r))
	}
}

func cookies(r answer) []*http.Cookie { return (&http.Response{Header: r.header}).Cookies() }
