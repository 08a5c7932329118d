package identity

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/perftrack/perftrack/runner/livetest"
)

// identityModule is a module with a benchmark using its own package and another one in the module.
var identityModule = map[string]string{
	"go.mod":     "module example.com/identity\n\ngo 1.24\n",
	"dep/dep.go": "package dep\n\nfunc Mix(n int) int { return n*7 + 1 }\n",
	"work.go": `package identity

import (
	"fmt"

	"example.com/identity/dep"
)

const scale = 3

var table = [...]int{1, 2, 3, 4}

func small(n int) int { return n*scale + 1 }

func Work(n int) (sum int) {
	parts := make([]int, n)
	for i := range parts {
		parts[i] = small(i) + table[i%len(table)]
		sum += dep.Mix(parts[i])
	}
	if sum == 42 {
		panic(fmt.Sprint("unlucky ", sum))
	}
	return sum
}
`,
	"work_test.go": "package identity\n\nimport \"testing\"\n\nfunc BenchmarkWork(b *testing.B) {\n\tfor b.Loop() {\n\t\tWork(100)\n\t}\n}\n",
}

func TestCodeHash(t *testing.T) {
	same := codeHashOf(t, t.TempDir(), "7", "", "", "")
	for _, tt := range []struct {
		name           string
		file, old, new string
		seed           string
		equal          bool
	}{
		{"another directory", "", "", "", "7", true},
		{"a comment", "work.go", "for i := range", "// A comment.\n\n\n\tfor i := range", "7", true},
		{"many comments", "work.go", "const scale", strings.Repeat("// A comment.\n", 5000) + "const scale", "7", true},
		{"a renamed variable", "work.go", "parts", "elements", "7", true},
		{"another layout", "", "", "", "8", false},
		{"a constant", "work.go", "scale = 3", "scale = 5", "7", false},
		{"data", "work.go", "{1, 2, 3, 4}", "{1, 2, 3, 5}", "7", false},
		{"a dependency", "dep/dep.go", "n*7", "n*9", "7", false},
		{"the benchmark", "work_test.go", "100", "101", "7", false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got := codeHashOf(t, filepath.Join(t.TempDir(), "deeper", "down"), tt.seed, tt.file, tt.old, tt.new)
			if equal := got == same; equal != tt.equal {
				t.Errorf("same code hash: %v, want %v", equal, tt.equal)
			}
		})
	}
}

// codeHashOf writes the module to dir with old replaced in one file, builds it in the same way as a
// side of a trial, and returns the code hash.
func codeHashOf(t *testing.T, dir, seed, file, old, replacement string) string {
	t.Helper()
	livetest.Skip(t)
	writeTree(t, dir, identityModule)
	if file != "" {
		path := filepath.Join(dir, file)
		text := strings.ReplaceAll(identityModule[file], old, replacement)
		if text == identityModule[file] {
			t.Fatalf("%s has no %q", file, old)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	binary := filepath.Join(t.TempDir(), "x.test")
	cmd := exec.Command("go", "test", "-c", "-trimpath", "-buildvcs=false", "-o", binary,
		"-ldflags="+LinkerFlag+" -randlayout="+seed, ".")
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOFLAGS=", "GOWORK=off")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v: %v\n%s", cmd, err, out)
	}
	sum, err := CodeHash(binary)
	if err != nil {
		t.Fatal(err)
	}
	return sum
}

func writeTree(t *testing.T, dir string, files map[string]string) {
	t.Helper()
	for name, text := range files {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

func TestCodeHashRefuses(t *testing.T) {
	dir := t.TempDir()
	writeTree(t, dir, map[string]string{
		"empty": "", "script": "#!/bin/sh\n", "cut": "\x7fELF\x02\x01\x01", "windows": "MZ\x90\x00" + strings.Repeat("\x00", 100),
	})
	for _, tt := range []struct{ path, want string }{
		{filepath.Join(dir, "none"), "no such file"},
		{filepath.Join(dir, "empty"), "neither an ELF nor a Mach-O"},
		{filepath.Join(dir, "script"), "neither an ELF nor a Mach-O"},
		{filepath.Join(dir, "windows"), "neither an ELF nor a Mach-O"},
		{filepath.Join(dir, "cut"), "EOF"},
		{dir, "identify code of"},
	} {
		if sum, err := CodeHash(tt.path); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("CodeHash(%s) = %q, %v, want an error with %q", tt.path, sum, err, tt.want)
		}
	}
}

// CodeHash returns an error for a program in another language, such as this machine's shell.
func TestCodeHashRefusesOtherPrograms(t *testing.T) {
	shell, err := filepath.EvalSymlinks("/bin/sh")
	if err != nil {
		t.Skip("no /bin/sh here")
	}
	if sum, err := CodeHash(shell); err == nil {
		t.Errorf("CodeHash(%s) = %s, want an error", shell, sum)
	}
}
