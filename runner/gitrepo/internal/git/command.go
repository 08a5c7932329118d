package git

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"
	"time"

	"github.com/perftrack/perftrack/runner/childenv"
)

// stopDelay is how long a git that was told to stop may take to remove its lock
// files and half-made worktree before it is killed.
const stopDelay = 5 * time.Second

// maxStderr bounds what is kept of git's messages. The first lines say what is
// wrong; progress and warnings follow.
const maxStderr = 16 << 10

// maxOutput bounds the output of the commands whose output is held in memory; the
// longest is the status of a tree with hundreds of thousands of untracked files.
const maxOutput = 64 << 20

// repositoryVariables are the variables of `git rev-parse --local-env-vars` which
// redirect git to another repository, index or object store, with the two that
// hooks of a receiving repository get. GIT_CONFIG_COUNT and GIT_CONFIG_PARAMETERS are
// on git's list too, and stay: see the package comment.
var repositoryVariables = []string{
	"GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_COMMON_DIR", "GIT_PREFIX",
	"GIT_OBJECT_DIRECTORY", "GIT_ALTERNATE_OBJECT_DIRECTORIES", "GIT_QUARANTINE_PATH",
	"GIT_IMPLICIT_WORK_TREE", "GIT_INTERNAL_SUPER_PREFIX", "GIT_GRAFT_FILE",
	"GIT_SHALLOW_FILE", "GIT_NAMESPACE", "GIT_CONFIG", "GIT_REPLACE_REF_BASE",
}

// environment returns the environment of one git process, made from environ.
func environment(environ []string, network bool) []string {
	set := map[string]string{
		// Messages are matched in English.
		"LC_ALL": "C", "LANGUAGE": "C",
		// A status must not take the index lock from under the user's own git.
		"GIT_OPTIONAL_LOCKS":  "0",
		"GIT_TERMINAL_PROMPT": "0",
		// A stored commit id means the same tree on every machine, whatever
		// replacements this clone has.
		"GIT_NO_REPLACE_OBJECTS": "1",
		emptyVariable:            "",
	}
	if !network {
		// Asking for an unknown object in a partial clone would otherwise start a
		// fetch through a transport which the repository's configuration chooses.
		set["GIT_NO_LAZY_FETCH"] = "1"
		set["GIT_ALLOW_PROTOCOL"] = "none"
	}
	var env []string
	for _, kv := range environ {
		name, _, _ := strings.Cut(kv, "=")
		if _, ours := set[name]; ours || slices.Contains(repositoryVariables, name) {
			continue
		}
		env = append(env, kv)
	}
	for name, value := range set {
		env = append(env, name+"="+value)
	}
	slices.Sort(env[len(env)-len(set):])
	return env
}

// SafeConfig are the settings of every call; a -c on the command line outranks every
// configuration file.
var SafeConfig = []string{
	"-c", "core.hooksPath=/dev/null",
	"-c", "core.fsmonitor=false",
	"-c", "protocol.ext.allow=never",
	"-c", "submodule.recurse=false",
}

// Call is one execution of git.
type Call struct {
	Dir     string
	Config  []string  // further -c settings, before the subcommand
	Args    []string  // subcommand and its arguments
	Stdin   io.Reader // nil: empty
	Network bool
	Env     []string // further variables
	Lock    *os.File // nil, or held locked until this git ends, however perftrack does
}

// commandError is a git that ran and failed.
type commandError struct {
	subcommand string
	stderr     string
	err        error
}

func (e *commandError) Error() string {
	if e.stderr == "" {
		return fmt.Sprintf("git %s: %v", e.subcommand, e.err)
	}
	return fmt.Sprintf("git %s: %s", e.subcommand, e.stderr)
}

func (e *commandError) Unwrap() error { return e.err }

// findGit returns the path of the git binary.
func findGit() (string, error) {
	path, err := exec.LookPath("git")
	if err != nil {
		return "", fmt.Errorf("find git: it is not on PATH: install git 2.30 or later: %w", err)
	}
	return path, nil
}

// CommandLine is the command with args for a process of its own, with the settings of
// every call. It names its git directory, so that no GIT_DIR that the process inherits
// leads it elsewhere.
func CommandLine(gitDir string, args ...string) ([]string, error) {
	git, err := findGit()
	if err != nil {
		return nil, err
	}
	return slices.Concat([]string{git, "--git-dir=" + gitDir}, SafeConfig, args), nil
}

// Output runs c and returns its standard output, at most maxOutput bytes.
func Output(ctx context.Context, c Call) ([]byte, error) {
	out := &bounded{limit: maxOutput}
	err := Run(ctx, c, out)
	if err == nil && out.dropped {
		err = fmt.Errorf("git %s: more than %d MiB of output", c.Args[0], maxOutput>>20)
	}
	return out.buf.Bytes(), err
}

// Run runs c with its standard output copied to stdout.
func Run(ctx context.Context, c Call, stdout io.Writer) error {
	git, err := findGit()
	if err != nil {
		return err
	}
	if err := ctx.Err(); err != nil {
		return fmt.Errorf("git %s: %w", c.Args[0], err)
	}
	cmd := exec.CommandContext(ctx, git, slices.Concat(SafeConfig, c.Config, c.Args)...)
	cmd.Dir = c.Dir
	own := childenv.Tools()
	if c.Network { // a credential helper may ask for any variable
		own = os.Environ()
	}
	cmd.Env = append(environment(own, c.Network), c.Env...)
	cmd.Stdin = c.Stdin
	cmd.Stdout = stdout
	stderr := &bounded{limit: maxStderr}
	cmd.Stderr = stderr
	if c.Lock != nil {
		cmd.ExtraFiles = []*os.File{c.Lock}
	}
	setApart(cmd)
	cmd.WaitDelay = stopDelay
	err = cmd.Run()
	if err == nil {
		return nil
	}
	if ctx.Err() != nil {
		return fmt.Errorf("git %s: %w", c.Args[0], ctx.Err())
	}
	return &commandError{c.Args[0], strings.TrimSpace(stderr.buf.String()), err}
}

// ExitCode returns the exit status inside err, or -1 when git did not run to its end.
func ExitCode(err error) int {
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		return exit.ExitCode()
	}
	return -1
}

// Stderr returns what git said when it failed with err.
func Stderr(err error) string {
	var failed *commandError
	if errors.As(err, &failed) {
		return failed.stderr
	}
	return ""
}

// bounded keeps the first limit bytes written to it and accepts the rest, so that
// git is never stopped by a full pipe.
type bounded struct {
	buf     bytes.Buffer
	limit   int
	dropped bool
}

func (b *bounded) Write(p []byte) (int, error) {
	keep := min(len(p), b.limit-b.buf.Len())
	b.buf.Write(p[:keep])
	b.dropped = b.dropped || keep < len(p)
	return len(p), nil
}
