package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

// The scripts in testdata/fleet start workers. Times of the benchmarks are made up, so no verdict
// depends on load.
func TestFleetScripts(t *testing.T) {
	live(t)
	bin := fleetPrograms(t)
	p := scriptParams("fleet")
	p.Setup = func(env *testscript.Env) error {
		env.Setenv("PATH", bin+string(filepath.ListSeparator)+env.Getenv("PATH"))
		// A dead worker is noticed within seconds.
		env.Setenv("PERFTRACK_FLEET_SCALE", "0.1")
		return setupScript(env)
	}
	testscript.Run(t, p)
}

// fleetPrograms builds perftrack and perftrack-fleet, and returns their folder.
func fleetPrograms(t *testing.T) string {
	t.Helper()
	if _, err := os.Stat("../../fleet"); err != nil {
		t.Skip("the module of the queue is missing: fleet")
	}
	dir := t.TempDir()
	for _, of := range []struct{ module, pkg string }{{".", "."}, {"../../fleet", "./perftrack-fleet"}} {
		build := exec.Command("go", "build", "-o", dir+string(filepath.Separator), of.pkg)
		build.Dir = of.module
		if out, err := build.CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
	}
	return dir
}
