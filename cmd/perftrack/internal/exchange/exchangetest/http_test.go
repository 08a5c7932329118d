package exchangetest

import (
	"context"
	"net/http"
	"net/http/cgi"
	"net/http/httptest"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/exchange"
)

// Syncing with a forge, including packing and removing parcels, needs only git over HTTP, with the
// token in the URL as in a CI job.
func TestSyncOverHTTP(t *testing.T) {
	tm := NewTeam(t, 2)
	tm.git(tm.Bare, "config", "http.receivepack", "true")
	git, err := exec.LookPath("git")
	if err != nil {
		t.Fatal(err)
	}
	const token = "glpat-canary-http"
	var readOnly atomic.Bool
	backend := &cgi.Handler{Path: git, Args: []string{"http-backend"}, Env: []string{"GIT_PROJECT_ROOT=" + filepath.Dir(tm.Bare), "GIT_HTTP_EXPORT_ALL=1", "REMOTE_USER=perftrack"}}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, password, _ := r.BasicAuth()
		switch {
		case password != token:
			w.Header().Set("WWW-Authenticate", `Basic realm="git"`)
			http.Error(w, "who is it?", http.StatusUnauthorized)
		case readOnly.Load() && (strings.HasSuffix(r.URL.Path, "git-receive-pack") || r.URL.Query().Get("service") == "git-receive-pack"):
			http.Error(w, "this token may only read", http.StatusForbidden)
		default:
			backend.ServeHTTP(w, r)
		}
	}))
	defer server.Close()
	address := func(password string) string {
		return strings.Replace(server.URL, "://", "://perftrack:"+password+"@", 1) + "/" + filepath.Base(tm.Bare)
	}
	over := func(opt exchange.SyncOptions) exchange.SyncOptions {
		opt.Remote = address(token)
		return opt
	}

	here, there := tm.Apps[0], tm.Apps[1]
	ids := tm.Add(here, tm.RunAt("a", 1), tm.RunAt("b", 2))
	if done := tm.Sync(here, over(exchange.SyncOptions{})); done.Sent.Runs != 2 || strings.Contains(done.Remote, token) {
		t.Errorf("%+v", done)
	}
	if done := tm.Sync(there, over(exchange.SyncOptions{})); done.Received.Runs != 2 {
		t.Errorf("%+v", done)
	}
	tm.want(there, ids...)
	ids = append(ids, tm.Add(there, tm.RunAt("c", 3))...)
	if done := tm.Sync(there, over(exchange.SyncOptions{})); done.Sent.Runs != 1 {
		t.Errorf("compact: %+v", done)
	}
	tm.Sync(here, over(exchange.SyncOptions{}))
	tm.want(here, ids...)

	// With a read-only token, sync can still receive; a wrong token is refused. Messages show
	// neither token.
	readOnly.Store(true)
	tm.Add(here, tm.RunAt("d", 4))
	for _, tt := range []struct {
		opt  exchange.SyncOptions
		want string
	}{
		{exchange.SyncOptions{Remote: address(token)}, "403"},
		{exchange.SyncOptions{Remote: address("wrong")}, "Authentication failed"},
	} {
		_, err := exchange.Sync(context.Background(), here, tt.opt)
		if err == nil || !strings.Contains(err.Error(), tt.want) || strings.Contains(err.Error(), token) || strings.Contains(err.Error(), "wrong@") {
			t.Errorf("%v, want %q", err, tt.want)
		}
	}
	if done := tm.Sync(here, over(exchange.SyncOptions{NoPush: true})); done.Sent.Runs != 0 {
		t.Errorf("no push: %+v", done)
	}
}
