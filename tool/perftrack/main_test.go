package main

import (
	"archive/zip"
	"bufio"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"
)

// A user's go.mod before and after go get -tool.
const (
	before = `module example.com/user

go 1.24

require github.com/olekukonko/tablewriter v0.0.5
`
	after = `module example.com/user

go 1.24

require github.com/olekukonko/tablewriter v0.0.5

require github.com/perftrack/perftrack/tool v1.2.3 // indirect

tool github.com/perftrack/perftrack/tool/perftrack
`
)

// standIn is the source of a program that takes the place of perftrack. Its first argument is its
// exit status.
const standIn = `package main

import (
	"bufio"
	"fmt"
	"os"
	"os/signal"
	"strconv"
	"syscall"

	"github.com/olekukonko/tablewriter"
)

func main() {
	if os.Args[1] == "wait" {
		c := make(chan os.Signal, 1)
		signal.Notify(c, syscall.SIGTERM)
		fmt.Println("ready")
		fmt.Println(<-c)
		os.Exit(130)
	}
	line, _ := bufio.NewReader(os.Stdin).ReadString('\n')
	fmt.Printf("%q %s%s\n", os.Args[1:], line, tablewriter.Version)
	status, _ := strconv.Atoi(os.Args[1])
	os.Exit(status)
}
`

// TestGoTool adds the launcher to a user's module and runs it, with modules from a proxy on disk.
func TestGoTool(t *testing.T) {
	proxy, home, user := t.TempDir(), t.TempDir(), t.TempDir()
	serve(t, proxy, "github.com/perftrack/perftrack/tool", "v1.2.3", sources(t))
	serve(t, proxy, "github.com/perftrack/perftrack", "v1.2.3", map[string]string{
		"go.mod":                "module github.com/perftrack/perftrack\n\ngo 1.24\n\nrequire github.com/olekukonko/tablewriter v1.1.5\n",
		"cmd/perftrack/main.go": standIn,
	})
	for _, version := range []string{"v0.0.5", "v1.1.5"} {
		serve(t, proxy, "github.com/olekukonko/tablewriter", version, map[string]string{
			"go.mod":   "module github.com/olekukonko/tablewriter\n",
			"table.go": fmt.Sprintf("package tablewriter\n\nconst Version = %q\n", version),
		})
	}
	write(t, filepath.Join(user, "go.mod"), before)
	write(t, filepath.Join(user, "user.go"), "package user\n\nimport _ \"github.com/olekukonko/tablewriter\"\n")
	goCache, err := exec.Command("go", "env", "GOCACHE").Output()
	if err != nil {
		t.Fatal(err)
	}
	env := append(os.Environ(), "HOME="+home, "XDG_CACHE_HOME="+filepath.Join(home, "cache"), "GOCACHE="+strings.TrimSpace(string(goCache)),
		"GOPATH="+filepath.Join(home, "go"), "GOMODCACHE="+filepath.Join(home, "go", "mod"), "GOENV=off", "GOWORK=off", "GOTOOLCHAIN=local",
		"GOFLAGS=-modcacherw", "GOSUMDB=off", "GOPROXY=file://"+filepath.ToSlash(proxy))
	command := func(words ...string) *exec.Cmd {
		c := exec.Command("go", words...)
		c.Dir, c.Env = user, slices.Clip(env)
		return c
	}
	run := func(words ...string) {
		t.Helper()
		if out, err := command(words...).CombinedOutput(); err != nil {
			t.Fatalf("go %s: %v\n%s", strings.Join(words, " "), err, out)
		}
	}
	run("mod", "tidy")
	run("get", "-tool", "github.com/perftrack/perftrack/tool/perftrack@latest")
	if got, err := os.ReadFile(filepath.Join(user, "go.mod")); err != nil || string(got) != after {
		t.Errorf("go.mod is\n%s\nwant\n%s%v", got, after, err)
	}

	run("mod", "vendor")
	for i, status := range []int{0, 1, 2, 3, 130} {
		c := command("tool", "perftrack", fmt.Sprint(status), "a b", "--flag", "")
		switch i {
		case 0:
			c.Env = append(c.Env, "GOFLAGS=-modcacherw -mod=vendor")
		default:
			c.Env = append(c.Env, "GOPROXY=off") // perftrack is installed already
		}
		var out, stderr strings.Builder
		c.Stdin, c.Stdout, c.Stderr = strings.NewReader("input\n"), &out, &stderr
		if err := c.Run(); c.ProcessState == nil || c.ProcessState.ExitCode() != status {
			t.Errorf("exit status %d: %v\n%s", status, err, &stderr)
		}
		if want := fmt.Sprintf(`["%d" "a b" "--flag" ""] input`+"\nv1.1.5\n", status); out.String() != want {
			t.Errorf("perftrack printed %q, want %q", &out, want)
		}
		if i > 0 && stderr.Len() > 0 {
			t.Errorf("exit status %d: printed %q", status, &stderr)
		}
	}
	testSignal(t, command("tool", "perftrack", "wait"))

	// Version v1.2.4 is a release of the launcher alone.
	if err := os.RemoveAll(filepath.Join(user, "vendor")); err != nil {
		t.Fatal(err)
	}
	serve(t, proxy, "github.com/perftrack/perftrack/tool", "v1.2.4", sources(t))
	run("get", "github.com/perftrack/perftrack/tool@v1.2.4")
	out, err := command("tool", "perftrack", "0").CombinedOutput()
	var exited *exec.ExitError
	if !errors.As(err, &exited) || exited.ExitCode() != exitFailed || !strings.Contains(string(out), "cmd/perftrack@v1.2.4") {
		t.Errorf("without perftrack v1.2.4: %v\n%s", err, out)
	}
}

// testSignal ends a waiting perftrack with a signal to the go command.
func testSignal(t *testing.T, c *exec.Cmd) {
	t.Helper()
	pipe, stdout, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer pipe.Close()
	defer stdout.Close()
	if err := pipe.SetReadDeadline(time.Now().Add(time.Minute)); err != nil {
		t.Fatal(err)
	}
	c.Stdout = stdout
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	out := bufio.NewReader(pipe)
	if line, err := out.ReadString('\n'); line != "ready\n" {
		t.Fatalf("perftrack printed %q, %v", line, err)
	}
	if err := c.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if line, err := out.ReadString('\n'); line != syscall.SIGTERM.String()+"\n" {
		t.Errorf("perftrack printed %q, %v, want the signal", line, err)
	}
	if err := c.Wait(); c.ProcessState.ExitCode() != exitInterrupted {
		t.Errorf("after a signal: %v, want exit status %d", err, exitInterrupted)
	}
}

func TestVersionOf(t *testing.T) {
	for _, tt := range []struct {
		launcher debug.Module
		want     string
	}{
		{debug.Module{Version: "v1.2.3"}, "v1.2.3"},
		{debug.Module{Version: "v1.2.3-rc.1"}, "v1.2.3-rc.1"},
		{debug.Module{Version: "v0.0.0-20261123071500-0123456789ab"}, "0123456789ab"},
		{debug.Module{Version: "v1.2.4-0.20261123071500-0123456789ab"}, "0123456789ab"},
		{debug.Module{Version: "v1.2.4-0.20261123071500-0123456789ab+dirty"}, ""},
		{debug.Module{Version: "v1.2.3+dirty"}, ""},
		{debug.Module{Version: "(devel)"}, ""},
		{debug.Module{}, ""},
		{debug.Module{Version: "v1.2.3", Replace: &debug.Module{Path: "../perftrack/tool"}}, ""},
	} {
		got, err := versionOf(tt.launcher)
		if got != tt.want || (err == nil) != (tt.want != "") {
			t.Errorf("%+v: %q, %v; want %q", tt.launcher, got, err, tt.want)
		}
	}
}

// sources returns the files of the launcher's module.
func sources(t *testing.T) map[string]string {
	t.Helper()
	files := map[string]string{}
	for _, name := range []string{"go.mod", "perftrack/main.go", "perftrack/run_unix.go", "perftrack/run_other.go"} {
		text, err := os.ReadFile(filepath.Join("..", filepath.FromSlash(name)))
		if err != nil {
			t.Fatal(err)
		}
		files[name] = string(text)
	}
	return files
}

// serve adds a version of a module to a proxy on disk.
func serve(t *testing.T, proxy, module, version string, files map[string]string) {
	t.Helper()
	dir := filepath.Join(proxy, filepath.FromSlash(module), "@v")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	list, err := os.OpenFile(filepath.Join(dir, "list"), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		t.Fatal(err)
	}
	defer list.Close()
	if _, err := fmt.Fprintln(list, version); err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(dir, version+".info"), fmt.Sprintf("{%q: %q}", "Version", version))
	write(t, filepath.Join(dir, version+".mod"), files["go.mod"])
	archive, err := os.Create(filepath.Join(dir, version+".zip"))
	if err != nil {
		t.Fatal(err)
	}
	defer archive.Close()
	w := zip.NewWriter(archive)
	for name, text := range files {
		f, err := w.Create(module + "@" + version + "/" + name)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := f.Write([]byte(text)); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
}

func write(t *testing.T, name, text string) {
	t.Helper()
	if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}
