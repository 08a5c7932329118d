package simd

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// What is committed is what the generator writes. It is a module of its own, whose
// dependencies may not be at hand.
func TestGenerated(t *testing.T) {
	if runtime.GOARCH != "amd64" {
		t.Skip("the kernels are for amd64")
	}
	dir := t.TempDir()
	files := []string{"tiles_amd64.s", "tiles_amd64.go", "choose_amd64.go"}
	command := exec.Command("go", "run", ".", "-out", "../tiles_amd64.s", "-stubs", "../tiles_amd64.go", "-pkg", "simd", "-choose", "../choose_amd64.go")
	command.Dir = filepath.Join(dir, "generate")
	if err := os.CopyFS(command.Dir, os.DirFS("generate")); err != nil {
		t.Fatal(err)
	}
	command.Env = append(os.Environ(), "GOFLAGS=-mod=mod", "GOWORK=off")
	if out, err := command.CombinedOutput(); err != nil {
		if strings.Contains(string(out), "dial tcp") || strings.Contains(string(out), "lookup ") {
			t.Skipf("the generator's dependencies cannot be had here: %s", out)
		}
		t.Fatalf("%v\n%s", err, out)
	}
	for _, name := range files {
		want, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		got, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(got, want) {
			t.Errorf("%s is not what the generator writes: see the command in simd.go", name)
		}
	}
}
