// Package gittest creates git repositories for tests and runs git in them as a user would.
package gittest

import (
	"crypto/sha256"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// Isolate hides the user's git configuration from a test and makes the test use a temporary
// directory of its own. It returns the directory.
func Isolate(t *testing.T) (temp string) {
	t.Helper()
	for _, kv := range os.Environ() {
		if name, value, _ := strings.Cut(kv, "="); strings.HasPrefix(name, "GIT_") {
			_ = os.Unsetenv(name)
			t.Cleanup(func() { _ = os.Setenv(name, value) })
		}
	}
	temp = TempDir(t)
	for name, value := range map[string]string{
		"HOME": t.TempDir(), "TMPDIR": temp, "XDG_CONFIG_HOME": "",
		"GIT_CONFIG_GLOBAL": os.DevNull, "GIT_CONFIG_NOSYSTEM": "1",
		"GIT_AUTHOR_NAME": "A U Thor", "GIT_AUTHOR_EMAIL": "author@example.com",
		"GIT_COMMITTER_NAME": "C O Mitter", "GIT_COMMITTER_EMAIL": "committer@example.com",
		"GIT_CONFIG_COUNT": "1", "GIT_CONFIG_KEY_0": "maintenance.auto", "GIT_CONFIG_VALUE_0": "false", // otherwise git starts a process after each commit
		"GIT_AUTHOR_DATE": "1700000000 +0000", "GIT_COMMITTER_DATE": "1700000000 +0000",
	} {
		t.Setenv(name, value)
	}
	return temp
}

// TempDir returns t.TempDir with symbolic links resolved, because git uses the resolved path.
func TempDir(t *testing.T) string {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

// Run runs git as a user would and returns its output without the last newline.
func Run(t *testing.T, dir string, args ...string) string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "git", args...)
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("git %q: %v\n%s", args, err, out)
	}
	return strings.TrimSuffix(string(out), "\n")
}

// Pipe runs git with the text stdin as its standard input and returns its output.
func Pipe(t *testing.T, dir, stdin string, args ...string) string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "git", args...)
	cmd.Dir, cmd.Stdin = dir, strings.NewReader(stdin)
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("git %q: %v", args, err)
	}
	return string(out)
}

// WriteFile writes a file and creates its parent directories.
func WriteFile(t *testing.T, dir, name, text string) {
	t.Helper()
	path := filepath.Join(dir, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o755); err != nil {
		t.Fatal(err)
	}
}

// New creates a repository with n commits on main, each with a change to the file "n".
func New(t *testing.T, n int) string {
	t.Helper()
	dir := TempDir(t)
	Run(t, dir, "init", "--quiet", "--initial-branch=main")
	for i := range n {
		WriteFile(t, dir, "n", strings.Repeat("x", i+1))
		Run(t, dir, "add", "n")
		Run(t, dir, "commit", "--quiet", "-m", "change "+string(rune('a'+i)))
	}
	return dir
}

// Fingerprint returns the names, modes and content hashes of all files below dir.
func Fingerprint(t *testing.T, dir string) string {
	t.Helper()
	var b strings.Builder
	err := filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := entry.Info()
		if err != nil {
			return err
		}
		fmt.Fprintf(&b, "%s %v", path, info.Mode())
		if info.Mode().IsRegular() {
			text, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			fmt.Fprintf(&b, " %x", sha256.Sum256(text))
		}
		b.WriteByte('\n')
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// Entries returns the names of the entries in dir.
func Entries(t *testing.T, dir string) []string {
	t.Helper()
	list, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, entry := range list {
		names = append(names, entry.Name())
	}
	return names
}
