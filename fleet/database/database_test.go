package database

import (
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/perftrack/perftrack/fleet/pgtest"
)

func TestMain(m *testing.M) {
	code := m.Run()
	pgtest.Stop()
	os.Exit(code)
}

// newFile creates a database as perftrack does.
func newFile(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "a b?.db")
	db, err := sql.Open("sqlite", "file:"+url.PathEscape(path)+"?_pragma=journal_mode(WAL)")
	if err == nil {
		_, err = db.Exec("CREATE TABLE run (id INTEGER PRIMARY KEY)")
	}
	if err := errors.Join(err, db.Close()); err != nil {
		t.Fatal(err)
	}
	return path
}

// Processes that start at the same time create the tables once.
func TestOpen(t *testing.T) {
	for kind, address := range map[string]func() string{
		"sqlite":   func() string { return "sqlite:" + newFile(t) },
		"postgres": func() string { return pgtest.NewDatabase(t) + "&repository=a/b" },
	} {
		t.Run(kind, func(t *testing.T) {
			address := address()
			var all sync.WaitGroup
			for range 6 {
				all.Go(func() {
					d, err := Open(t.Context(), address)
					if err != nil {
						t.Error(err)
						return
					}
					if err := d.Close(); err != nil {
						t.Error(err)
					}
				})
			}
			all.Wait()
			d, err := Open(t.Context(), address)
			if err != nil {
				t.Fatal(err)
			}
			defer d.Close()
			for _, query := range []string{"SELECT count(*) FROM fleet_queue", "SELECT count(*) FROM fleet_classes", "SELECT count(*) - 1 FROM fleet_schema"} {
				var n int
				if err := d.QueryRow(query).Scan(&n); err != nil || n != 0 {
					t.Errorf("%s: %d, %v", query, n, err)
				}
			}
			if ok, err := d.Maintains(t.Context()); !ok || err != nil {
				t.Errorf("maintains: %v, %v", ok, err)
			}
		})
	}
}

// perftrack reads the views with settings that refuse what a file could smuggle in.
func TestViews(t *testing.T) {
	path := newFile(t)
	d, err := Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	_, err = d.Exec(d.SQL(`INSERT INTO river_job (args, kind, max_attempts, attempt, attempted_by, attempted_at, created_at, state, queue) VALUES (
		jsonb('{"trial":"T","target":"t","shard":"1/2","first":5,"last":8,"repository":"r","class":"c","procedure":"p"}'), 'rounds', 3, 1,
		jsonb('["x#0000000000000001","host-1#0000000000000002"]'), '2026-01-02 03:04:05.678', '2026-01-02 03:04:05', 'running', 'q')`))
	if err != nil {
		t.Fatal(err)
	}
	reader, err := sql.Open("sqlite", "file:"+url.PathEscape(path)+"?mode=ro&_pragma=query_only(1)&_pragma=trusted_schema(0)")
	if err != nil {
		t.Fatal(err)
	}
	defer reader.Close()
	got := make([]any, 17)
	pointers := make([]any, len(got))
	for i := range got {
		pointers[i] = &got[i]
	}
	if err := reader.QueryRow("SELECT * FROM fleet_queue").Scan(pointers...); err != nil {
		t.Fatal(err)
	}
	if want := "[1 rounds c p 1 running r T t 1/2 5 8 1 host-1 1767323045000000 1767323045678000 <nil>]"; fmt.Sprint(got) != want {
		t.Errorf("%v, want %s", got, want)
	}
	if err := reader.QueryRow("SELECT * FROM fleet_classes").Scan(pointers[:7]...); err != nil {
		t.Fatal(err)
	}
	if want := "[c p 0 0 1 <nil> <nil>]"; fmt.Sprint(got[:7]) != want {
		t.Errorf("%v, want %s", got[:7], want)
	}
}

// Errors name the remedy and hide the password.
func TestRefused(t *testing.T) {
	for address, want := range map[string]string{
		"":                                  "set PERFTRACK_DB",
		"/missing/x.db":                     "create it with `perftrack run`",
		"postgres://u:canary@h:x/d":         "open store",
		"postgres://u:canary@h/d?a=%zz":     "not valid",
		"postgres://u:canary@h/d?sslmode=x": "sslmode",
	} {
		_, err := Open(t.Context(), address)
		if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "canary") {
			t.Errorf("%s: %v", address, err)
		}
	}
}

func TestWithRepository(t *testing.T) {
	for address, want := range map[string]string{
		"/a/b.db":                        "/a/b.db",
		"postgres://h:1,h:2/d":           "postgres://h:1,h:2/d?repository=a%2Fb",
		"postgres://h/d?repository=x&z=": "postgres://h/d?repository=a%2Fb&z=",
	} {
		if got, err := WithRepository(address, "a/b"); got != want || err != nil {
			t.Errorf("%s: %s, %v", address, got, err)
		}
	}
}

func TestRights(t *testing.T) {
	for _, role := range []string{"", "a b", `a"; DROP TABLE river_job; --`, strings.Repeat("a", 64)} {
		if text, err := Rights(role); err == nil {
			t.Errorf("%q: %s", role, text)
		}
	}
}
