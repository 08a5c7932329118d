package program

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/perftrack/perftrack/runner/config"
	"github.com/perftrack/perftrack/runner/livetest"
)

// files are the paths and contents of files. A content that begins with -> is a symbolic link.
type files map[string]string

// codeOf returns the hash of a target in a new folder with the files.
func codeOf(t *testing.T, target config.Target, all files, prepare func(dir string)) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range all {
		path := filepath.Join(dir, name)
		err := os.MkdirAll(filepath.Dir(path), 0o755)
		if to, link := strings.CutPrefix(text, "->"); err == nil && link {
			err = os.Symlink(to, path)
		} else if err == nil {
			err = os.WriteFile(path, []byte(text), 0o644)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if prepare != nil {
		prepare(dir)
	}
	target.Name, target.Kind = "c", config.Command
	return (&commandProgram{plan: &Spec{Target: target}, dir: dir}).CodeOf(Slot{})
}

// changed returns the files with some of them replaced. An empty text removes a file.
func (all files) changed(changes files) files {
	out := files{}
	for name, text := range all {
		out[name] = text
	}
	for name, text := range changes {
		if out[name] = text; text == "" {
			delete(out, name)
		}
	}
	return out
}

// The files that the paths declare decide whether an interpreted target is measured, as do the lines
// that build and run it.
func TestCodeOfPaths(t *testing.T) {
	target := config.Target{Build: "npm ci", Run: "node bench.js >out.json", Results: []string{"src/out"}, Paths: []string{"src/*", "*.js", "package.json"}}
	all := files{"src/a/b.js": "1", "bench.js": "2", "package.json": "{}", "README.md": "3", "src/out/x": "4", "outside": "5"}
	want := codeOf(t, target, all, nil)
	if want == "" {
		t.Fatal("no hash")
	}
	for _, tt := range []struct {
		what   string
		change files
		same   bool
	}{
		{"nothing", nil, true},
		{"another file", files{"README.md": "4"}, true},
		{"a result", files{"src/out/x": "5"}, true},
		{"a source", files{"src/a/b.js": "2"}, false},
		{"a source is empty", files{"src/a/b.js": " "}, false},
		{"a name", files{"src/a/b.js": "", "src/a/c.js": "1"}, false},
		{"a new source", files{"src/new": "1"}, false},
		{"one source less", files{"bench.js": ""}, false},
		{"a link to another file", files{"src/a/b.js": "->../../outside"}, false},
		{"a link to the same content", files{"src/a/b.js": "->../../one", "one": "1"}, true},
	} {
		if got := codeOf(t, target, all.changed(tt.change), nil); (got == want) != tt.same || got == "" {
			t.Errorf("%s changed: %q, want the same %v", tt.what, got, tt.same)
		}
	}
	for what, change := range map[string]files{
		"a link to the outside": {"src/a/b.js": "->/etc/passwd"}, "a link to nothing": {"src/a/b.js": "->nothing"}, "a link to a folder": {"src/d": "->a"},
	} {
		if got := codeOf(t, target, all.changed(change), nil); got != "" {
			t.Errorf("%s: %q, want none", what, got)
		}
	}
	for what, change := range map[string]func(*config.Target){
		"build": func(c *config.Target) { c.Build = "" }, "run": func(c *config.Target) { c.Run = "node --jitless bench.js" }, "variables": func(c *config.Target) { c.Env = []string{"PATH"} },
	} {
		other := target
		if change(&other); codeOf(t, other, all, nil) == want {
			t.Errorf("another %s: the same hash", what)
		}
	}
	for what, paths := range map[string][]string{"none": nil, "without files": {"lib/*"}} {
		other := target
		if other.Paths = paths; codeOf(t, other, all, nil) != "" {
			t.Errorf("paths %s: there is a hash", what)
		}
	}
}

// A file that git ignores is no source, unless git tracks it.
func TestCodeOfIgnored(t *testing.T) {
	target := config.Target{Run: "node bench.js | cat", Paths: []string{"*"}}
	git := func(dir string) {
		for _, args := range [][]string{{"init", "-q"}, {"add", "-f", "kept"}} {
			if out, err := exec.Command("git", append([]string{"-C", dir}, args...)...).CombinedOutput(); err != nil {
				t.Fatalf("%v: %s", err, out)
			}
		}
	}
	all := files{"bench.js": "1", ".gitignore": "made\nkept\n", "made": "1", "kept": "1"}
	want := codeOf(t, target, all, git)
	for name, same := range map[string]bool{"made": true, "kept": false, "bench.js": false} {
		if got := codeOf(t, target, all.changed(files{name: "2"}), git); (got == want) != same || got == "" {
			t.Errorf("%s changed: %q, want the same %v", name, got, same)
		}
	}
}

// A compiled target is the same if its binary, its libraries and the files that it may read are.
func TestCodeOfBinary(t *testing.T) {
	livetest.Skip(t)
	if _, err := exec.LookPath("cc"); err != nil || runtime.GOOS != "linux" {
		t.Skip("there is no C compiler for ELF files")
	}
	const build = "cc -shared -fPIC -o lib/libf.so f.c && cc -O2 -o x main.c -Llib -lf -Wl,-rpath,'$ORIGIN/lib'"
	compile := func(dir string) {
		cmd := exec.Command("sh", "-c", "git init -q && "+build) // git ignores what is built
		cmd.Dir = dir
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
	}
	target := config.Target{Build: build, Run: "./x --input=in.txt 5"}
	all := files{"main.c": "int f(void); int main(void) { return f(); }\n", "f.c": "int f(void) { return 0; }\n", "lib/.keep": "", ".gitignore": "x\n*.so\n", "in.txt": "1", "data": "2"}
	want := codeOf(t, target, all, compile)
	if want == "" {
		t.Fatal("no hash")
	}
	for _, tt := range []struct {
		what   string
		change files
		same   bool
	}{
		{"nothing", nil, true},
		{"a comment", files{"f.c": "/* 1 */ " + all["f.c"]}, true},
		{"a document", files{"README.md": "1"}, true},
		{"the program", files{"main.c": "int f(void); int main(void) { return f() + f(); }\n"}, false},
		{"the library", files{"f.c": "int f(void) { return 1 - 1 + (int)sizeof(\"\") - 1 + 2; }\n"}, false},
		{"the input", files{"in.txt": "2"}, false},
		{"other data", files{"data": "3"}, false},
	} {
		if got := codeOf(t, target, all.changed(tt.change), compile); (got == want) != tt.same || got == "" {
			t.Errorf("%s changed: %q, want the same %v", tt.what, got, tt.same)
		}
	}
	for _, run := range []string{"./x >x.txt", "LD_PRELOAD=./lib/libf.so ./x", "sh main.c", "./x $A", "./x; ./y", "env ./x", "x", "../x"} {
		other := target
		if other.Run = run; codeOf(t, other, all, compile) != "" {
			t.Errorf("%s: there is a hash", run)
		}
	}
	declared := target
	declared.Paths = []string{"*.c"}
	want = codeOf(t, declared, all, compile)
	if got := codeOf(t, declared, all.changed(files{"data": "3"}), compile); got != want || want == "" {
		t.Errorf("a file outside paths changed: %q, want %q", got, want)
	}
	if got := codeOf(t, declared, all.changed(files{"f.c": "/* 1 */ " + all["f.c"]}), compile); got == want {
		t.Error("a file of paths changed: the same hash")
	}
}
