package main

import (
	"context"
	"embed"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

//go:embed c/*.c
var sources embed.FS

// A workshop builds C code into shared libraries in a temporary directory.
type workshop struct{ dir string }

func newWorkshop() (workshop, error) {
	dir, err := os.MkdirTemp("", "peers")
	if err != nil {
		return workshop{}, fmt.Errorf("make a directory to build in: %w", err)
	}
	for _, name := range []string{"kernels.c", "llama2.c", "llm.c", "ggml.c"} {
		text, err := sources.ReadFile("c/" + name)
		if err == nil {
			err = os.WriteFile(filepath.Join(dir, name), text, 0o666)
		}
		if err != nil {
			return workshop{}, fmt.Errorf("write %s: %w", name, err)
		}
	}
	return workshop{dir}, nil
}

func (w workshop) close() { _ = os.RemoveAll(w.dir) }

// build compiles one of our C sources with the given flags and loads the resulting library. The
// flags are not used for linking, because -ffast-math makes the linker change the rounding of the
// whole process.
func (w workshop) build(name string, flags []string, libraries ...string) (library, error) {
	object, shared := filepath.Join(w.dir, name+".o"), filepath.Join(w.dir, name+".so")
	compile := append(append([]string{"-fPIC", "-w"}, flags...), "-c", filepath.Join(w.dir, name), "-o", object)
	link := append([]string{"-shared", object, "-o", shared}, append(libraries, "-lmvec", "-lm")...)
	for _, args := range [][]string{compile, link} {
		command := exec.CommandContext(context.Background(), "cc", args...)
		if out, err := command.CombinedOutput(); err != nil {
			return library{}, fmt.Errorf("cc %s: %w\n%s", strings.Join(args, " "), err, out)
		}
	}
	return load(shared)
}
