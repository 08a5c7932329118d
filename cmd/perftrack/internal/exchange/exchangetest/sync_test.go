package exchangetest

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/comparison"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/exchange"
	"github.com/perftrack/perftrack/compare/acceptance"
	"github.com/perftrack/perftrack/runner/gitrepo/parcel"
	"github.com/perftrack/perftrack/runner/record"
	"github.com/perftrack/perftrack/store"
)

func TestSync(t *testing.T) {
	tm := NewTeam(t, 2)
	a, b := tm.Apps[0], tm.Apps[1]
	ids := tm.Add(a, tm.RunAt("a1", 1), tm.RunAt("a2", 2))
	partial, dirty := tm.RunAt("partial", 1), tm.RunAt("dirty", 1)
	partial.Status, dirty.Commit.Dirty = record.Partial, true
	private := tm.Add(a, partial, dirty)
	if done := tm.Sync(a, exchange.SyncOptions{DryRun: true}); done.Sent.Runs != 2 || done.Unshared != 2 || len(tm.refs(tm.Bare)) != 0 {
		t.Errorf("dry run: %+v", done)
	}
	if done := tm.Sync(a, exchange.SyncOptions{}); done.Sent.Runs != 2 || done.Received.Runs != 0 || done.Unshared != 2 || done.Remote != "origin" {
		t.Errorf("first: %+v", done)
	}
	if done := tm.Sync(a, exchange.SyncOptions{}); done.Sent.Runs+done.Received.Runs != 0 || done.Parcels != 1 {
		t.Errorf("again: %+v", done)
	}
	ids = append(ids, tm.Add(b, tm.RunAt("b1", 3))...)
	if done := tm.Sync(b, exchange.SyncOptions{DryRun: true}); done.Received.Runs != 2 || done.Sent.Runs != 1 || len(tm.refs(b.Dir)) != 0 {
		t.Errorf("dry run: %+v", done)
	}
	if done := tm.Sync(b, exchange.SyncOptions{}); done.Sent.Runs != 1 || done.Received.Runs != 2 {
		t.Errorf("second: %+v", done)
	}
	tm.want(b, ids...)
	tm.Sync(a, exchange.SyncOptions{All: true})
	all := slices.Concat(ids, private)
	tm.want(a, all...)
	// A clone without a database gets all runs from git, regardless of their status.
	if err := os.RemoveAll(filepath.Join(b.Dir, ".perftrack")); err != nil {
		t.Fatal(err)
	}
	tm.Sync(b, exchange.SyncOptions{NoPush: true})
	tm.want(b, all...)
	if got := tm.git(a.Dir, "status", "--porcelain") + tm.git(a.Dir, "branch", "-a", "--format=%(refname)"); strings.Contains(got, "perftrack") {
		t.Errorf("it shows: %s", got)
	}
	if len(tm.notices) > 0 {
		t.Errorf("notices: %q", tm.notices)
	}
}

// Runs arriving together are stored in the order they were measured.
func TestSyncKeepsOrderOfMeasuring(t *testing.T) {
	tm := NewTeam(t, 2)
	var want []string
	for _, days := range []int{3, 9, 1, 7, 5} {
		tm.Add(tm.Apps[0], tm.RunAt(fmt.Sprint("n", days), days))
	}
	tm.Sync(tm.Apps[0], exchange.SyncOptions{})
	tm.Sync(tm.Apps[1], exchange.SyncOptions{})
	for _, days := range []int{9, 7, 5, 3, 1} {
		want = append(want, tm.RunAt(fmt.Sprint("n", days), days).ID())
	}
	db, err := tm.Apps[1].OpenForReading(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = db.Close() }()
	infos, err := db.Runs(context.Background(), store.Filter{})
	if err != nil || !slices.Equal(exchange.IDsOf(infos), want) {
		t.Errorf("stored as %v, %v\nwant %v", exchange.IDsOf(infos), err, want)
	}
}

func TestSyncAcceptances(t *testing.T) {
	tm := NewTeam(t, 2)
	a, b := tm.Apps[0], tm.Apps[1]
	tm.Add(a, tm.RunAt("a1", 1))
	ctx := context.Background()
	done, err := comparison.Accept(ctx, a, "GELU_1000", comparison.AcceptOptions{Commit: "HEAD~1", Reason: "exact\ngradients"})
	if err != nil || !done.Added || done.Commit != tm.git(a.Dir, "rev-parse", "HEAD~1") || done.Reason != "exact gradients" || done.Target != "engine" {
		t.Fatalf("%+v, %v", done, err)
	}
	if again, err := comparison.Accept(ctx, a, "1000", comparison.AcceptOptions{Commit: "HEAD~1", Reason: "other words"}); err != nil || again.Added || again.ID != done.ID {
		t.Errorf("again: %+v, %v", again, err)
	}
	tm.Sync(a, exchange.SyncOptions{})
	tm.Sync(b, exchange.SyncOptions{})
	all, err := comparison.ListAcceptances(ctx, b, "engine")
	if err != nil || !slices.Equal(all, acceptance.List{done.Acceptance}) {
		t.Errorf("arrived: %+v, %v", all, err)
	}
	if _, err := comparison.Revoke(ctx, b, done.ID[:8], ""); err != nil {
		t.Fatal(err)
	}
	tm.Sync(b, exchange.SyncOptions{})
	tm.Sync(a, exchange.SyncOptions{})
	if all, err := comparison.ListAcceptances(ctx, a, ""); err != nil || len(all) != 0 {
		t.Errorf("after it was revoked: %+v, %v", all, err)
	}
	for _, bad := range []struct {
		bench string
		opt   comparison.AcceptOptions
	}{
		{"GELU_1000", comparison.AcceptOptions{}}, {"GELU_1000", comparison.AcceptOptions{Reason: " \n"}}, {"None", comparison.AcceptOptions{Reason: "x"}},
		{"GELU_1000", comparison.AcceptOptions{Reason: "x", Commit: "nowhere"}}, {"GELU_1000", comparison.AcceptOptions{Reason: "x", Commit: "--output=x"}},
	} {
		if done, err := comparison.Accept(ctx, a, bad.bench, bad.opt); err == nil {
			t.Errorf("%+v: %+v", bad, done)
		}
	}
	for _, id := range []string{"", "abc", done.ID, "zzzz", "%"} {
		if _, err := comparison.Revoke(ctx, a, id, "x"); err == nil {
			t.Errorf("revoked %q", id)
		}
	}
}

// Complete runs can be exchanged with every kind of clone, such as shallow and partial ones.
func TestSyncOddClones(t *testing.T) {
	tm := NewTeam(t, 1)
	ids := tm.Add(tm.Apps[0], tm.RunAt("a", 1))
	tm.Sync(tm.Apps[0], exchange.SyncOptions{})
	tm.git(tm.Bare, "config", "uploadpack.allowFilter", "true")
	for name, args := range map[string][]string{"shallow": {"--depth=1"}, "partial": {"--filter=blob:none"}, "single branch": {"--single-branch", "--no-tags"}} {
		a := tm.clone(args...)
		ids = append(ids, tm.Add(a, tm.RunAt(name, 1))...)
		tm.Sync(a, exchange.SyncOptions{})
		tm.want(a, ids...)
		if name == "shallow" && tm.git(a.Dir, "rev-parse", "--is-shallow-repository") != "true" {
			t.Error("the clone was deepened")
		}
	}
	linked := filepath.Join(t.TempDir(), "linked")
	tm.git(tm.Apps[0].Dir, "worktree", "add", "-q", linked)
	a := tm.in(linked)
	tm.Sync(a, exchange.SyncOptions{})
	tm.want(a, ids...)
	tm.git(tm.Apps[0].Dir, "fsck", "--strict", "--no-dangling")
	tm.git(tm.Bare, "fsck", "--strict", "--no-dangling")
}

// If the remote refuses a push, the error gives the reason and nothing is deleted.
func TestSyncRefused(t *testing.T) {
	tm := NewTeam(t, 1)
	a := tm.Apps[0]
	ids := tm.Add(a, tm.RunAt("a", 1))
	hook := filepath.Join(tm.Bare, "hooks", "pre-receive")
	if err := os.WriteFile(hook, []byte("#!/bin/sh\necho asked >>asked\necho 'refs/perftrack is protected' >&2\nexit 1\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	_, err := exchange.Sync(context.Background(), a, exchange.SyncOptions{})
	if err == nil || !strings.Contains(err.Error(), "refused 1 reference in") || !strings.Contains(err.Error(), "hook declined): refs/perftrack is protected: allow them") {
		t.Errorf("a hook that declines: %v", err)
	}
	// A pre-receive hook runs in the repository's folder.
	if asked, err := os.ReadFile(filepath.Join(tm.Bare, "asked")); err != nil || strings.Count(string(asked), "asked") > 1+exchange.MaxTries {
		t.Errorf("the remote was asked %d times, %v", strings.Count(string(asked), "asked"), err)
	}
	if refs := tm.refs(a.Dir); len(refs) != 0 {
		t.Errorf("what the remote refuses is left here: %v", refs)
	}
	if err := os.Remove(hook); err != nil {
		t.Fatal(err)
	}
	if done := tm.Sync(a, exchange.SyncOptions{}); done.Sent.Runs != 1 {
		t.Errorf("then: %+v", done)
	}
	tm.want(a, ids...)
	for _, tt := range []struct{ remote, want string }{
		{"nowhere", "nowhere' does not appear to be a git repository: check the network, and the remote's name"}, {"--upload-pack=touch x", "give"},
		{"https://user:secret@127.0.0.1:1/x", "read remote https://127.0.0.1:1/x: unable to access 'https://127.0.0.1:1/x/': "},
		{"ext::touch x", "give an https, ssh or file URL"},
	} {
		if _, err := exchange.Sync(context.Background(), a, exchange.SyncOptions{Remote: tt.remote}); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: %v, want %q", tt.remote, err, tt.want)
		}
	}
	tm.git(a.Dir, "remote", "remove", "origin")
	if _, err := exchange.Sync(context.Background(), a, exchange.SyncOptions{}); !errors.Is(err, parcel.ErrNoRemote) {
		t.Errorf("no remote: %v", err)
	}
	a.Dir = t.TempDir()
	if _, err := exchange.Sync(context.Background(), a, exchange.SyncOptions{}); err == nil || !strings.Contains(err.Error(), "git repository") {
		t.Errorf("no repository: %v", err)
	}
}
