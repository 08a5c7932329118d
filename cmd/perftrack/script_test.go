package main

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/perftrack/perftrack/internal/disturbtest"
	"github.com/perftrack/perftrack/internal/livetest"
	"github.com/perftrack/perftrack/runner/proc"
)

var update = flag.Bool("update", false, "rewrite the golden parts of testdata/script")

// The test binary plays perftrack, perftrack's supervisors, and a busy neighbour.
func TestMain(m *testing.M) {
	// Under the race detector every process would end a second late.
	if os.Getenv("GORACE") == "" {
		os.Setenv("GORACE", "atexit_sleep_ms=0")
	}
	proc.Supervise()
	testscript.Main(m, map[string]func(){
		"perftrack": func() { setClock(os.Getenv(testClock)); suggestWithin = time.Minute; main() },
		"disturb":   disturbtest.Main,
	})
}

// testClock names a file of lines with a number of seconds each: the time of a
// perftrack that a test starts is then what they add up to. A benchmark that appends to
// it takes as long as it says, however busy the machine is.
const testClock = "PERFTRACK_TEST_CLOCK"

func setClock(file string) {
	if file == "" {
		firstAfter, progressEvery, stageAfter = 24*time.Hour, 24*time.Hour, 24*time.Hour // how long a machine takes is no part of a script
		return
	}
	now = func() time.Time {
		at := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
		text, err := os.ReadFile(file)
		if err != nil {
			panic(err)
		}
		for _, line := range strings.Fields(string(text)) {
			d, err := time.ParseDuration(line + "s")
			if err != nil {
				panic(err)
			}
			at = at.Add(d)
		}
		return at
	}
}

// The scripts drive the program as a user does: commands, streams, exit codes.
func TestScripts(t *testing.T) { testscript.Run(t, scriptParams("script")) }

// These measure, or build Go modules: one after the other, and those that fail once more, as a
// neighbour of the machine may have been what failed.
func TestLiveScripts(t *testing.T) {
	live(t)
	p := scriptParams("live")
	played, err := filepath.Glob(filepath.Join(p.Dir, "*.txtar"))
	if err != nil {
		t.Fatal(err)
	}
	first := &firstAttempt{T: t}
	p.Files, p.Dir = played, ""
	testscript.RunT(first, p)
	if p.Files = first.failed; len(p.Files) > 0 {
		again := 0
		p.Setup = func(env *testscript.Env) error {
			again++
			return setupScript(env)
		}
		t.Run("again", func(t *testing.T) { testscript.Run(t, p) })
		if again < len(p.Files) { // a -run that ends in the name of a script
			t.Errorf("%d failed, and their second attempts were not asked for", len(p.Files)-again)
		}
	}
}

// live skips what measures for real, builds perftrack, plays GitHub or takes its choices
// from the clock: PERFTRACK_LIVE asks for it, as .ci/run does, in a short form or in a
// full one, which takes hours.
func live(t *testing.T) {
	t.Helper()
	switch {
	case !livetest.Asked():
		t.Skip("it measures, builds perftrack or plays GitHub: .ci/run runs it, as does PERFTRACK_LIVE=short go test -run '" + t.Name() + "' ./cmd/perftrack")
	case raceDetector:
		t.Skip("it takes minutes under the race detector, which also changes what it measures: run it without -race")
	}
}

func scriptParams(folder string) testscript.Params {
	return testscript.Params{
		Dir:                 filepath.Join("testdata", folder),
		UpdateScripts:       *update,
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Setup:               setupScript,
		Cmds:                map[string]func(*testscript.TestScript, bool, []string){"code": expectCode, "damage": damageFile},
	}
}

// setupScript gives each script a home of its own and the Go caches of the
// user, without which every script would compile the world.
func setupScript(env *testscript.Env) error {
	home := filepath.Join(env.WorkDir, ".home")
	if err := os.MkdirAll(home, 0o755); err != nil {
		return err
	}
	for _, key := range []string{"GOCACHE", "GOMODCACHE", "GOPROXY", "GOTOOLCHAIN"} {
		env.Setenv(key, goEnv(key))
	}
	for key, value := range map[string]string{
		"HOME": home, "XDG_DATA_HOME": filepath.Join(home, "data"), "XDG_CACHE_HOME": filepath.Join(home, "cache"),
		"GORACE": os.Getenv("GORACE"), "GOFLAGS": "-buildvcs=false", "PERFTRACK_DB": "", "PERFTRACK_MACHINE": "", "NO_COLOR": "", "CLICOLOR_FORCE": "",
		"GIT_CONFIG_GLOBAL": os.DevNull, "GIT_CONFIG_NOSYSTEM": "1",
		"GIT_CONFIG_COUNT": "1", "GIT_CONFIG_KEY_0": "maintenance.auto", "GIT_CONFIG_VALUE_0": "false", // a process after each commit
		"GIT_AUTHOR_NAME": "Test", "GIT_AUTHOR_EMAIL": "test@example.com",
		"GIT_COMMITTER_NAME": "Test", "GIT_COMMITTER_EMAIL": "test@example.com",
		"GIT_AUTHOR_DATE": "2026-01-02T03:04:05Z", "GIT_COMMITTER_DATE": "2026-01-02T03:04:05Z",
	} {
		env.Setenv(key, value)
	}
	return nil
}
