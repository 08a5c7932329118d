// Perftrack is the launcher for `go tool perftrack`. Its module has no requirements, so it adds
// only one line to a user's go.mod. The launcher installs the perftrack command, in the launcher's
// own version, into the user's cache and runs it.
//
// Begin with main.go.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"regexp"
	"runtime"
	"runtime/debug"
	"syscall"
)

const command = "github.com/perftrack/perftrack/cmd/perftrack"

// The exit statuses of perftrack after a failure and after an interrupt.
const (
	exitFailed      = 2
	exitInterrupted = 130
)

func main() {
	status, err := launch(os.Args[1:])
	if err != nil {
		fmt.Fprintln(os.Stderr, "perftrack:", err)
	}
	os.Exit(status)
}

// launch runs perftrack with args. On Unix it returns only if perftrack could not be started.
func launch(args []string) (status int, err error) {
	build, ok := debug.ReadBuildInfo()
	if !ok {
		return exitFailed, errors.New("read the launcher's version: the binary has no build information")
	}
	version, err := versionOf(build.Main)
	if err != nil {
		return exitFailed, err
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		return exitFailed, fmt.Errorf("find the cache directory: %w", err)
	}
	// Include the Go version, so that perftrack is rebuilt after an upgrade of Go.
	program := filepath.Join(cache, "perftrack", "tool", version+"-"+runtime.Version(), "perftrack")
	if runtime.GOOS == "windows" {
		program += ".exe"
	}
	if _, err := os.Stat(program); err != nil {
		ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
		defer stop()
		if err := install(ctx, version, program); err != nil {
			if ctx.Err() != nil {
				return exitInterrupted, nil
			}
			return exitFailed, fmt.Errorf("install %s@%s: %w", command, version, err)
		}
	}
	return run(program, args)
}

// pseudoVersion matches the version of a commit without a tag. Its group matches the commit.
var pseudoVersion = regexp.MustCompile(`[-.]\d{14}-([0-9a-f]{12})$`)

// versionOf returns the version or commit of perftrack to install, the same as the launcher's.
func versionOf(launcher debug.Module) (string, error) {
	const remedy = "run `go get -tool github.com/perftrack/perftrack/tool/perftrack@latest`"
	if r := launcher.Replace; r != nil {
		return "", fmt.Errorf("find the launcher's version: go.mod replaces %s by %s; remove the replace directive, or run `go run ./cmd/perftrack` in a clone of perftrack", launcher.Path, r.Path)
	}
	if commit := pseudoVersion.FindStringSubmatch(launcher.Version); commit != nil {
		return commit[1], nil // the two modules may have different tags, but the commit is the same
	}
	if !regexp.MustCompile(`^v\d+\.\d+\.\d+(-[0-9A-Za-z.-]+)?$`).MatchString(launcher.Version) {
		return "", fmt.Errorf("find the launcher's version: it is %q; %s in your module", launcher.Version, remedy)
	}
	return launcher.Version, nil
}

// install builds perftrack and moves it to the path program in a single step, since several
// launchers may run at the same time.
func install(ctx context.Context, version, program string) error {
	dir := filepath.Dir(program)
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	bin, err := os.MkdirTemp(dir, "install-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(bin)
	goInstall := exec.CommandContext(ctx, "go", "install", "-mod=readonly", command+"@"+version) // a user's -mod=vendor would fail
	goInstall.Cancel = func() error { return goInstall.Process.Signal(os.Interrupt) }
	goInstall.Env = append(os.Environ(), "GOBIN="+bin, "GOOS="+runtime.GOOS, "GOARCH="+runtime.GOARCH)
	goInstall.Stdout, goInstall.Stderr = os.Stderr, os.Stderr
	if err := goInstall.Run(); err != nil {
		return err
	}
	return os.Rename(filepath.Join(bin, filepath.Base(program)), program)
}
