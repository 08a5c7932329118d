package childenv

import (
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strings"
	"testing"
)

// canaries are variables hidden from all benchmarks.
var canaries = strings.Fields(`GITHUB_TOKEN GH_TOKEN GITLAB_TOKEN CI_JOB_TOKEN PERFTRACK_TOKEN PERFTRACK_WEBHOOK PERFTRACK_DB FORGEJO_TOKEN
	ACTIONS_ID_TOKEN_REQUEST_TOKEN ACTIONS_RUNTIME_TOKEN AWS_ACCESS_KEY_ID AWS_SECRET_ACCESS_KEY GOOGLE_API_KEY GOOGLE_APPLICATION_CREDENTIALS
	LC_TOKEN XDG_SECRET OMP_TOKEN SSH_AUTH_SOCK NETRC GOAUTH NPM_TOKEN DATABASE_URL STRIPE_KEY SLACK_URL MY_DATA_DIR`)

func TestLists(t *testing.T) {
	given := []string{"PATH=/bin", "HOME=/h", "GOGC=50", "LC_ALL=C", "OMP_NUM_THREADS=2", "GOPROXY=https://proxy.example", "https_proxy=http://u:p@proxy:1", "GIT_CONFIG_COUNT=1", "GIT_TOKEN=x", "EMPTY="}
	for _, name := range canaries {
		given = append(given, name+"=canary")
	}
	for _, c := range []struct {
		what  string
		got   []string
		names string
	}{
		{"measured", of(given, nil, false), "PATH HOME GOGC LC_ALL OMP_NUM_THREADS GOPROXY"},
		{"measured with an extra one", of(given, []string{"MY_DATA_DIR"}, false), "PATH HOME GOGC LC_ALL OMP_NUM_THREADS GOPROXY MY_DATA_DIR"},
		{"tools", of(given, nil, true), "PATH HOME GOGC LC_ALL OMP_NUM_THREADS GOPROXY https_proxy GIT_CONFIG_COUNT SSH_AUTH_SOCK NETRC GOAUTH"},
	} {
		var names []string
		for _, kv := range c.got {
			name, _, _ := strings.Cut(kv, "=")
			names = append(names, name)
		}
		if got := strings.Join(names, " "); got != c.names {
			t.Errorf("%s: %s, want %s", c.what, got, c.names)
		}
	}
	if of(nil, nil, false) == nil {
		t.Error("an empty environment is nil, which would be the caller's own")
	}
	for _, name := range forAll {
		if Credential(name) {
			t.Errorf("%s is on the list and looks like a credential", name)
		}
	}
}

func TestWithheld(t *testing.T) {
	t.Setenv("MY_DATA_DIR", "/data")
	t.Setenv("GITHUB_TOKEN", "")
	t.Setenv("GOGC", "50")
	for _, c := range []struct {
		extra []string
		want  bool
	}{{nil, true}, {[]string{"MY_DATA_DIR"}, false}} {
		got := Withheld(c.extra)
		if slices.Contains(got, "MY_DATA_DIR") != c.want || slices.Contains(got, "GITHUB_TOKEN") || slices.Contains(got, "GOGC") {
			t.Errorf("with %q: withheld %q", c.extra, got)
		}
	}
}

// Variables withheld from benchmarks cannot be read from /proc/PID/environ of a sealed process, not
// even by root; the process itself still has them.
func TestSeal(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("other systems have no /proc/PID/environ")
	}
	if os.Getenv("SEALED") != "" {
		if err := Seal(); err != nil {
			t.Fatal(err)
		}
		for _, name := range canaries {
			if os.Getenv(name) != "canary of "+name {
				t.Errorf("%s is lost to the process itself", name)
			}
		}
		fmt.Println("sealed")
		_, _ = os.Stdin.Read(make([]byte, 1))
		return
	}
	c := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestSeal$")
	c.Env = append(os.Environ(), "SEALED=1", "LANG=kept-by-all")
	for _, name := range canaries {
		c.Env = append(c.Env, name+"=canary of "+name)
	}
	c.Stderr = os.Stderr
	stdin, err := c.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	stdout, err := c.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	said := make([]byte, len("sealed"))
	if _, err := stdout.Read(said); err != nil || string(said) != "sealed" {
		t.Fatalf("%q, %v", said, err)
	}
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/environ", c.Process.Pid))
	if os.Getuid() == 0 && (err != nil || !strings.Contains(string(text), "LANG=kept-by-all")) {
		t.Errorf("%v, %d bytes: the rest is to stay", err, len(text))
	}
	if os.Getuid() != 0 && err == nil {
		t.Error("another process of the user may read it")
	}
	if i := strings.Index(string(text), "canary"); i >= 0 {
		t.Errorf("readable: %q", text[max(0, i-40):i+20])
	}
	_ = stdin.Close()
	if err := c.Wait(); err != nil {
		t.Error(err)
	}
}
