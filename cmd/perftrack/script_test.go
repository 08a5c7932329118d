package main

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/console"
	"github.com/rogpeppe/go-internal/testscript"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/disturbtest"
	"github.com/perftrack/perftrack/runner/livetest"
	"github.com/perftrack/perftrack/runner/proc"
)

var update = flag.Bool("update", false, "rewrite the golden parts of testdata/script")

// The test binary acts as perftrack, as perftrack's supervisors, and as a busy neighbour.
func TestMain(m *testing.M) {
	// Under the race detector every process would end a second late.
	if os.Getenv("GORACE") == "" {
		os.Setenv("GORACE", "atexit_sleep_ms=0")
	}
	proc.Supervise()
	testscript.Main(m, map[string]func(){
		"perftrack": func() { setClock(os.Getenv(testClock)); completeWithin = time.Minute; main() },
		"disturb":   disturbtest.Main,
	})
}

// testClock is the environment variable that names a file with a number of seconds on each line. A
// perftrack started by a test adds them up to get the time. A benchmark appending to the file takes
// exactly the stated time, on any machine.
const testClock = "PERFTRACK_TEST_CLOCK"

func setClock(file string) {
	if file == "" {
		console.WithoutProgress()
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

// The scripts run commands as a user does, and check the output and exit codes.
func TestScripts(t *testing.T) { testscript.Run(t, scriptParams("script")) }

// Scripts that measure or build Go modules run one after the other. Failed ones run once more,
// because other load may be the cause.
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
		if again < len(p.Files) { // if a -run pattern ends in the name of a script
			t.Errorf("%d failed, and their second attempts were not asked for", len(p.Files)-again)
		}
	}
}

// live skips tests that measure for real, build perftrack, simulate GitHub or draw seeds from the
// clock, unless PERFTRACK_LIVE is set. .ci/run runs the short form; the full form takes hours.
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
		Condition:           haveTools,
		Cmds:                map[string]func(*testscript.TestScript, bool, []string){"code": expectCode, "damage": damageFile},
	}
}

// setupScript gives each script its own home and the user's Go caches. Otherwise every script would
// compile the standard library.
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
		"GIT_CONFIG_COUNT": "1", "GIT_CONFIG_KEY_0": "maintenance.auto", "GIT_CONFIG_VALUE_0": "false", // it would start a process after each commit
		"GIT_AUTHOR_NAME": "Test", "GIT_AUTHOR_EMAIL": "test@example.com",
		"GIT_COMMITTER_NAME": "Test", "GIT_COMMITTER_EMAIL": "test@example.com",
		"GIT_AUTHOR_DATE": "2026-01-02T03:04:05Z", "GIT_COMMITTER_DATE": "2026-01-02T03:04:05Z",
	} {
		env.Setenv(key, value)
	}
	return nil
}
