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

// The committed files must equal the generator's output. The generator is a separate module, and
// the test is skipped if its dependencies cannot be downloaded.
func TestGenerated(t *testing.T) {
	if runtime.GOARCH != "amd64" {
		t.Skip("the kernels are for amd64")
	}
	dir := t.TempDir()
	files := []string{"tiles_amd64.s", "tiles_amd64.go", "choose_amd64.go", "vectors_amd64.s", "vectors_amd64.go", "vectors_other.go"}
	generate := filepath.Join(dir, "generate")
	if err := os.CopyFS(generate, os.DirFS("generate")); err != nil {
		t.Fatal(err)
	}
	for _, command := range []string{
		"go run . -out ../tiles_amd64.s -stubs ../tiles_amd64.go -pkg simd -choose ../choose_amd64.go",
		"go run ./vectors -out ../vectors_amd64.s -stubs ../vectors_amd64.go -pkg simd -other ../vectors_other.go",
	} {
		words := strings.Fields(command)
		command := exec.Command(words[0], words[1:]...)
		command.Dir = generate
		command.Env = append(os.Environ(), "GOFLAGS=-mod=mod", "GOWORK=off")
		if out, err := command.CombinedOutput(); err != nil {
			if strings.Contains(string(out), "dial tcp") || strings.Contains(string(out), "lookup ") {
				t.Skipf("the generator's dependencies cannot be had here: %s", out)
			}
			t.Fatalf("%v\n%s", err, out)
		}
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
