package modules

import (
	"os"
	"path/filepath"
	"testing"
)

func TestModuleName(t *testing.T) {
	for _, tt := range []struct{ mod, want string }{
		{"module github.com/cespare/xxhash/v2\n", "xxhash"}, {"// hi\nmodule \"example.com/x\"\n", "x"}, {"module v2\n", "v2"},
	} {
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, "go.mod"), []byte(tt.mod), 0o644); err != nil {
			t.Fatal(err)
		}
		if got := Name(dir); got != tt.want {
			t.Errorf("Name(%q) = %q, want %q", tt.mod, got, tt.want)
		}
	}
}
