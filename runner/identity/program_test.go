package identity

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"testing"

	"github.com/perftrack/perftrack/runner/livetest"
)

// Comments, debug information and the build ID do not change a program. Instructions, constants, data
// behind the program and its libraries do.
func TestReadProgram(t *testing.T) {
	livetest.Skip(t)
	if _, err := exec.LookPath("cc"); err != nil || runtime.GOOS != "linux" {
		t.Skip("there is no C compiler for ELF files")
	}
	const source = "#include <stdio.h>\nint main(void) { puts(\"hello\"); return 3; }\n"
	build := func(source, behind string, flags ...string) *Program {
		t.Helper()
		dir := t.TempDir()
		path := filepath.Join(dir, "x")
		writeTree(t, dir, map[string]string{"x.c": source})
		cmd := exec.Command("cc", append(append([]string{"-O2", "-o", path}, flags...), "x.c")...)
		cmd.Dir = dir
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
		text, err := os.ReadFile(path)
		if err == nil {
			err = os.WriteFile(path, append(text, behind...), 0o755)
		}
		if err != nil {
			t.Fatal(err)
		}
		p, err := ReadProgram(path)
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	want := build(source, "")
	for _, tt := range []struct {
		what, source, behind string
		flags                []string
		same                 bool
	}{
		{"nothing", source, "", nil, true},
		{"a comment", "/* 1 */\n" + source, "", nil, true},
		{"debug information", source, "", []string{"-g"}, true},
		{"the build ID", source, "", []string{"-Wl,--build-id=0x1234567890123456789012345678901234567890"}, true},
		{"no symbols", source, "", []string{"-s"}, true},
		{"a constant", "#include <stdio.h>\nint main(void) { puts(\"hello\"); return 4; }\n", "", nil, false},
		{"a string", "#include <stdio.h>\nint main(void) { puts(\"hallo\"); return 3; }\n", "", nil, false},
		{"optimization", source, "", []string{"-O0"}, false},
		{"a script behind it", source, "puts(1)", nil, false},
		{"the folder of libraries", source, "", []string{"-Wl,-rpath,$ORIGIN/lib"}, false},
	} {
		if got := build(tt.source, tt.behind, tt.flags...); (got.Hash == want.Hash) != tt.same {
			t.Errorf("%s changed: same hash %v, want %v", tt.what, got.Hash == want.Hash, tt.same)
		}
	}
	if p := build(source, "", "-Wl,-rpath,$ORIGIN/lib:/opt/x"); len(p.Search) != 2 || filepath.Base(p.Search[0]) != "lib" || !filepath.IsAbs(p.Search[0]) || !slices.Contains(p.Needed, "libc.so.6") {
		t.Errorf("libraries %q from %q", p.Needed, p.Search)
	}
}

func TestReadProgramRefuses(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x")
	for _, text := range []string{"", "#!/bin/sh\n", "\x7fELF", "\x7fELF\x02\x01\x01"} {
		if err := os.WriteFile(path, []byte(text), 0o755); err != nil {
			t.Fatal(err)
		}
		if p, err := ReadProgram(path); err == nil {
			t.Errorf("%q: %+v", text, p)
		}
	}
}
