package program

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/perftrack/perftrack/runner/livetest"
	"github.com/perftrack/perftrack/runner/proc"
)

func TestMain(m *testing.M) {
	proc.Supervise()
	os.Exit(m.Run())
}

// writeModule writes a Go module with one benchmark file into a fresh directory. It skips the test
// unless live tests are requested, because tests that use the module build it.
func writeModule(t testing.TB, body string) string {
	t.Helper()
	livetest.Skip(t)
	dir := t.TempDir()
	write(t, dir, "go.mod", "module example.com/m\n\ngo 1.26\n")
	write(t, dir, "m_test.go", "package m\n\nimport \"testing\"\n\n"+body)
	return dir
}

func write(t testing.TB, dir, name, text string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}
