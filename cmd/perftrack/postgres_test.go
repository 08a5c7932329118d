package main

import (
	"bytes"
	"net/http"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/console"
	"github.com/perftrack/perftrack/store/postgres/pgtest"
)

// The scripts drive the program with the PostgreSQL database at the URL $POSTGRES.
func TestPostgresScripts(t *testing.T) {
	server := pgtest.Start(t, "-c", "fsync=off")
	p := scriptParams("postgres")
	setup := p.Setup
	p.Setup = func(env *testscript.Env) error {
		database := strings.ReplaceAll(env.Getenv("WORK"), "/", "_")
		database = strings.ToLower(database[max(0, len(database)-40):])
		server.Exec(t, "postgres", `CREATE DATABASE "`+database+`"`)
		env.Setenv("POSTGRES", strings.Replace(server.URL(database), "//postgres@", "//postgres:canary@", 1))
		return setup(env)
	}
	testscript.Run(t, p)
}

// history and serve work on a replica, even after its primary has stopped, and show the runs stored
// once the replica has become the primary.
func TestPostgresReplica(t *testing.T) {
	live(t)
	primary := pgtest.Start(t, "-c", "fsync=off")
	replica := primary.Standby(t, "second")
	emptyRepository(t)
	t.Setenv("PERFTRACK_DB", primary.URL("postgres"))
	storeRun(t, "Sort", 100)
	t.Setenv("PERFTRACK_DB", replica.URL("postgres"))
	s := startServing(t)
	s.until(t, "data/index.js", http.StatusOK, "Sort")
	t.Setenv("PERFTRACK_DB", primary.URL("postgres"))
	storeRun(t, "Merge", 100)
	s.until(t, "data/index.js", http.StatusOK, "Merge")
	primary.Kill()
	replica.Promote(t)
	t.Setenv("PERFTRACK_DB", replica.URL("postgres"))
	storeRun(t, "Heap", 100)
	s.until(t, "data/index.js", http.StatusOK, "Heap")
	var out bytes.Buffer
	if code := run([]string{"history", "Heap"}, strings.NewReader(""), &out, &out); code != console.ExitOK || !strings.Contains(out.String(), "Heap") {
		t.Errorf("history: %d %s", code, out.String())
	}
}
