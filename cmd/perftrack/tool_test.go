package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

const toolPackage = "github.com/perftrack/perftrack/cmd/perftrack"

// toolModule is a module of a user in a folder of its own, who asks for no newer Go than go tool.
type toolModule struct {
	dir, root string
	env       []string
}

// newToolModule returns one for which this work tree is perftrack, and in which the other modules
// come from where they were downloaded for the tests: nothing is asked for over the network.
func newToolModule(t *testing.T) toolModule {
	t.Helper()
	live(t)
	root := filepath.Dir(filepath.Dir(scriptOf(t, "x")))
	download := exec.Command("go", "mod", "download")
	download.Dir = root
	download.Env = append(os.Environ(), "GOWORK=off", "GOFLAGS=")
	if out, err := download.CombinedOutput(); err != nil {
		t.Skipf("what perftrack depends on cannot be downloaded: %v\n%s", err, out)
	}
	m := toolModule{dir: t.TempDir(), root: root}
	m.env = append(os.Environ(), "GOPROXY=file://"+filepath.ToSlash(filepath.Join(goEnv("GOMODCACHE"), "cache", "download")),
		"GOSUMDB=off", "GOWORK=off", "GOFLAGS=-buildvcs=false", "GOTOOLCHAIN=local")
	writeFile(t, filepath.Join(m.dir, "go.mod"), "module example.com/user\n\ngo 1.24\n", 0o644)
	return m
}

// run runs a command in the module and returns what it printed.
func (m toolModule) run(t *testing.T, words ...string) string {
	t.Helper()
	c := exec.Command(words[0], words[1:]...)
	c.Dir, c.Env = m.dir, m.env
	out, err := c.CombinedOutput()
	if err != nil {
		t.Fatalf("%s: %v\n%s", strings.Join(words, " "), err, out)
	}
	return string(out)
}

func (m toolModule) read(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(m.dir, name))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// What go get -tool makes of a user's go.mod: which go line it has afterwards, and what it
// requires. Both are paid by everybody, so neither grows unseen: -update rewrites the list.
func TestToolRequirements(t *testing.T) {
	m := newToolModule(t)
	m.run(t, "go", "mod", "edit", "-replace="+module+"="+m.root)
	m.run(t, "go", "get", "-tool", toolPackage+"@v0.0.0")
	always := m.linked(t, "linux", "1")
	rare := []struct {
		what    string
		modules []string
	}{
		{"only on Windows", m.linked(t, "windows", "1")},
		{"only without a C compiler", append(m.linked(t, "linux", "0"), m.linked(t, "windows", "0")...)},
	}
	var list strings.Builder
	for line := range strings.Lines(m.read(t, "go.mod")) {
		f := strings.Fields(line)
		switch {
		case len(f) == 2 && f[0] == "go":
			list.WriteString(strings.Join(f, " ") + "\n")
		case len(f) == 4 && f[3] == "indirect" && f[0] != module:
			list.WriteString(f[0])
			if !slices.Contains(always, f[0]) {
				why := ", linked nowhere"
				for _, r := range rare {
					if slices.Contains(r.modules, f[0]) {
						why = ", " + r.what
						break
					}
				}
				list.WriteString(why)
			}
			list.WriteString("\n")
		}
	}
	golden := filepath.Join("testdata", "tool.txt")
	if *update {
		writeFile(t, golden, list.String(), 0o644)
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if list.String() != string(want) {
		t.Errorf("go get -tool leaves this in the go.mod of who asked for go 1.24:\n%s\nand no longer, as %s has it:\n%s", &list, golden, want)
	}
}

// linked returns the modules of what is linked into perftrack on a system.
func (m toolModule) linked(t *testing.T, goos, cgo string) []string {
	t.Helper()
	m.dir, m.env = m.root, append(slices.Clone(m.env), "GOOS="+goos, "CGO_ENABLED="+cgo)
	return strings.Fields(m.run(t, "go", "list", "-e", "-deps", "-f", "{{with .Module}}{{.Path}}{{end}}", toolPackage))
}

// All modules of this repository ask for the same Go, so that none of them is what raises it.
func TestGoLines(t *testing.T) {
	list, err := exec.Command("git", "-C", "../..", "ls-files", "*go.mod").Output()
	if err != nil {
		t.Skip("no git checkout: ", err)
	}
	for _, name := range strings.Fields(string(list)) {
		text, err := os.ReadFile(filepath.Join("..", "..", filepath.FromSlash(name)))
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(name, "testdata/") && !bytes.Contains(text, []byte("\ngo 1.25.0\n")) {
			t.Errorf("%s does not ask for go 1.25.0", name)
		}
	}
}

// The commands of docs/install.md leave a user's go.mod as it is.
func TestToolModfile(t *testing.T) {
	if raceDetector {
		t.Skip("it builds perftrack without the race detector: go test -run TestToolModfile ./cmd/perftrack")
	}
	page, err := os.ReadFile(filepath.Join("..", "..", "docs", "install.md"))
	if err != nil {
		t.Fatal(err)
	}
	m := newToolModule(t)
	before := m.read(t, "go.mod")
	ran, fence := 0, false
	for line := range strings.Lines(string(page)) {
		if strings.HasPrefix(line, "```") {
			fence = !fence
		}
		if !fence || !strings.Contains(line, "-modfile=perftrack.mod") {
			continue
		}
		line = strings.ReplaceAll(line, "@latest", "@v0.0.0") // this work tree
		line = strings.ReplaceAll(line, " check", " version")
		if strings.Contains(line, "GOWORK=off") {
			writeFile(t, filepath.Join(m.dir, "go.work"), "go 1.25\n\nuse .\n", 0o644)
			m.env = append(m.env, "GOWORK=")
		}
		said := m.run(t, "sh", "-c", line)
		if strings.Contains(line, " version") && !strings.HasPrefix(said, "perftrack ") {
			t.Errorf("%s says %q", line, said)
		}
		if ran++; ran == 1 {
			m.run(t, "go", "mod", "edit", "-modfile=perftrack.mod", "-replace="+module+"="+m.root)
		}
	}
	if ran != 4 {
		t.Errorf("docs/install.md has %d commands, want go mod init, go get, go tool, and that of a workspace", ran)
	}
	files, err := filepath.Glob(filepath.Join(m.dir, "*"))
	if err != nil {
		t.Fatal(err)
	}
	for i := range files {
		files[i] = filepath.Base(files[i])
	}
	if want := []string{"go.mod", "go.work", "perftrack.mod", "perftrack.sum"}; !slices.Equal(files, want) {
		t.Errorf("there are %v, want %v", files, want)
	}
	if after := m.read(t, "go.mod"); after != before {
		t.Errorf("go.mod is\n%s\nwas\n%s", after, before)
	}
}
