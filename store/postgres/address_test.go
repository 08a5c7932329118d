package postgres

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/perftrack/perftrack/store"
	"github.com/perftrack/perftrack/store/postgres/pgtest"
)

func TestParseURL(t *testing.T) {
	for _, tt := range []struct{ url, name, repository string }{
		{"postgres://h/d", "postgres://h/d", ""},
		{"postgresql://me:canary@h1:5432,h2:5433/d?sslmode=disable", "postgres://me@h1:5432,h2:5433/d?sslmode=disable", ""},
		{"postgres://me:ca%40nary@h/d?repository=a%2Fb&application_name=x", "postgres://me@h/d?repository=a%2Fb&application_name=x", "a/b"},
		{"postgres://h/d?user=me&password=canary&repository=a/b", "postgres://h/d?user=me&repository=a/b", "a/b"},
		{"postgres://me:canary@[::1]:5432/d?sslpassword=canary", "postgres://me@[::1]:5432/d", ""},
		{"postgres:///d?host=/run/postgresql", "postgres:///d?host=/run/postgresql", ""},
	} {
		a, err := ParseURL(tt.url)
		if err != nil || a.Name != tt.name || a.Repository != tt.repository || strings.Contains(a.url, "repository") {
			t.Errorf("ParseURL(%q) = %+v, %v", tt.url, a, err)
		}
	}
	for _, url := range []string{
		"postgres://me:can/ary@h/d", "postgres://me:can?ary@h/d", "postgres://me:canary@h:port/d", "postgres://me:canary@h/d?sslmode=odd",
		"postgres://me:canary@h/d?repository=", "postgres://me:canary@h/d?repository=%zz", "postgres://me:canary%@h/d", "postgres://me:canary@h:1:2/d",
	} {
		if a, err := ParseURL(url); err == nil || strings.Contains(err.Error(), "can") && strings.Contains(err.Error(), "ary") && !strings.Contains(err.Error(), "cannot") {
			t.Errorf("ParseURL(%q) = %+v, %v", url, a, err)
		} else if strings.Contains(err.Error(), "canary") {
			t.Errorf("ParseURL(%q) shows the password: %v", url, err)
		}
	}
}

// Messages say what to do, and never contain the password.
func TestMessages(t *testing.T) {
	ctx := context.Background()
	url := strings.Replace(pgtest.NewDatabase(t), "//postgres@", "//postgres:canary@", 1)
	for name, tt := range map[string]struct {
		url, want string
		kind      error
	}{
		"no server":   {"postgres://me:canary@127.0.0.1:1/d?connect_timeout=2", "check the host and the port", nil},
		"no database": {strings.Replace(url, "/test", "/none", 1), "createdb", store.ErrNoDatabase},
		"no tables":   {url, "run `perftrack db migrate`", store.ErrNoDatabase},
		"no user":     {strings.Replace(url, "//postgres:", "//nobody:", 1), "check the user in the address", nil},
	} {
		db, err := OpenReadOnly(ctx, address(t, tt.url), repository)
		if err == nil {
			db.Close()
			t.Errorf("%s: opened", name)
			continue
		}
		if !strings.Contains(err.Error(), tt.want) || tt.kind != nil && !errors.Is(err, tt.kind) || strings.Contains(err.Error(), "canary") {
			t.Errorf("%s: %v", name, err)
		}
	}
	db := openAt(t, address(t, url), repository)
	if strings.Contains(db.Path(), "canary") {
		t.Error(db.Path())
	}
}

// A database with tables of another program is not modified.
func TestForeign(t *testing.T) {
	ctx := context.Background()
	a := newAddress(t)
	config, err := a.forWriting()
	if err != nil {
		t.Fatal(err)
	}
	raw := pool(config, 1)
	defer raw.Close()
	if _, err := raw.Exec(`CREATE TABLE runs (mine text); CREATE TABLE goose_db_version (version_id int)`); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(ctx, a, repository); !errors.Is(err, store.ErrForeign) || !strings.Contains(err.Error(), "search_path") {
		t.Errorf("Open: %v", err)
	}
	var tables int
	if err := raw.QueryRow(`SELECT count(*) FROM pg_tables WHERE schemaname = 'public'`).Scan(&tables); err != nil || tables != 2 {
		t.Errorf("%d tables, %v", tables, err)
	}
	if _, err := raw.Exec(`CREATE SCHEMA perftrack`); err != nil {
		t.Fatal(err)
	}
	a.url += "&search_path=perftrack"
	db := openAt(t, a, repository)
	if _, added, err := db.Put(ctx, sample("", 1)); !added || err != nil {
		t.Errorf("a schema of its own: %v, %v", added, err)
	}
}
