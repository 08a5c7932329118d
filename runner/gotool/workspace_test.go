package gotool

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/perftrack/perftrack/runner/proc"
)

func TestMain(m *testing.M) {
	proc.Supervise()
	os.Exit(m.Run())
}

func TestWorkspaceModules(t *testing.T) {
	t.Setenv("GOWORK", "off")
	dir := t.TempDir()
	write := func(text string) {
		if err := os.WriteFile(filepath.Join(dir, "go.work"), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write("go 1.26\n\nuse ./a // ./b\nuse (\n\t.\n\t./c/d/\n\t../up\n\t" + filepath.Join(dir, "e") + "\n)\n")
	want := []string{"a", ".", "c/d", "../up", "e"}
	if got, err := WorkspaceModules(t.Context(), dir); err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%q, %v, want %q", got, err, want)
	}
	write("use (\n")
	if got, err := WorkspaceModules(t.Context(), dir); err == nil || !strings.Contains(err.Error(), "go.work:1") {
		t.Errorf("%q, %v of a file that is none", got, err)
	}
}
