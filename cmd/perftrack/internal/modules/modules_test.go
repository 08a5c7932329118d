package modules

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
	"testing/fstest"
)

// Folders left out by `go test ./...` do not count unless they are modules of their own.
func TestScan(t *testing.T) {
	bench := &fstest.MapFile{Data: []byte("package x\n\nfunc BenchmarkX(b *testing.B) {}\n")}
	mod := &fstest.MapFile{Data: []byte("module example.com/x\n")}
	all, err := Scan(fstest.MapFS{
		"go.mod": mod, "x_test.go": bench, "sub/x_test.go": bench, "_old/x_test.go": bench, "_old/sub/x_test.go": bench, "testdata/x_test.go": bench,
		"testdata/mod/go.mod": mod, ".cache/go.mod": mod, "vendor/v/go.mod": mod,
		"_benchmark/go/go.mod": mod, "_benchmark/go/x_test.go": bench, "_benchmark/go/_more/x_test.go": bench, "_tools/go.mod": mod, "_tools/x_test.go": bench,
	})
	want := []Module{{Dir: ".", Benchmarks: 2, Packages: 2}, {Dir: "_benchmark/go", Benchmarks: 1, Packages: 1}, {Dir: "_tools", Benchmarks: 1, Packages: 1}}
	if err != nil || len(all.Workspaces) > 0 || !slices.Equal(all.Modules, want) || all.Loose != 0 {
		t.Errorf("%+v, %v; want %+v", all, err, want)
	}
	all, err = Scan(fstest.MapFS{"x_test.go": bench, "sub/x_test.go": bench, "_old/x_test.go": bench, "mod/go.mod": mod, "mod/x_test.go": bench})
	if err != nil || all.Loose != 2 || len(all.Modules) != 1 {
		t.Errorf("%+v, %v; want one module, and two benchmarks in none", all, err)
	}
}

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
