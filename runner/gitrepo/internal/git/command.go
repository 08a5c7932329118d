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

// stopDelay is the time git gets to stop before it is killed. Git needs it to remove its lock files
// and an unfinished worktree.
const stopDelay = 5 * time.Second

// maxStderr is the maximum number of bytes to keep of git's messages. The reason for a failure is
// in the first lines; progress and warnings follow.
const maxStderr = 16 << 10

// maxOutput is the maximum amount of output held in memory. The longest output expected is the
// status of a work tree with hundreds of thousands of untracked files.
const maxOutput = 64 << 20

// repositoryVariables lists the variables pointing git to another repository, index or object
// store, as printed by `git rev-parse --local-env-vars`, and the two for hooks in a receiving
// repository. GIT_CONFIG_COUNT and GIT_CONFIG_PARAMETERS are also on git's list, but are kept: see
// the package comment.
var repositoryVariables = []string{
	"GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_COMMON_DIR", "GIT_PREFIX",
	"GIT_OBJECT_DIRECTORY", "GIT_ALTERNATE_OBJECT_DIRECTORIES", "GIT_QUARANTINE_PATH",
	"GIT_IMPLICIT_WORK_TREE", "GIT_INTERNAL_SUPER_PREFIX", "GIT_GRAFT_FILE",
	"GIT_SHALLOW_FILE", "GIT_NAMESPACE", "GIT_CONFIG", "GIT_REPLACE_REF_BASE",
}

// environment returns the environment for a git process, derived from environ.
func environment(environ []string, network bool) []string {
	set := map[string]string{
		// perftrack recognizes git's messages only in English.
		"LC_ALL": "C", "LANGUAGE": "C",
		// git status must not take the index lock; the user's own git may need it.
		"GIT_OPTIONAL_LOCKS":  "0",
		"GIT_TERMINAL_PROMPT": "0",
		// A commit id must denote the same tree on every machine, even if this clone replaces
		// objects.
		"GIT_NO_REPLACE_OBJECTS": "1",
		emptyVariable:            "",
	}
	if !network {
		// In a partial clone, a request for an unknown object would otherwise start a fetch with a
		// transport chosen by the repository.
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

// SafeConfig contains the settings for every call. A -c on the command line overrides all
// configuration files.
var SafeConfig = []string{
	"-c", "core.hooksPath=/dev/null",
	"-c", "core.fsmonitor=false",
	"-c", "protocol.ext.allow=never",
	"-c", "submodule.recurse=false",
}

// Call is one execution of git.
type Call struct {
	Dir     string
	Config  []string  // additional -c settings, before the subcommand
	Args    []string  // the subcommand and its arguments
	Stdin   io.Reader // nil means empty input
	Network bool
	Env     []string // additional environment variables
	Lock    *os.File // if not nil, the lock is held until this git process ends, even if perftrack ends earlier
}

// commandError is the error of a failed git process.
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
		return "", fmt.Errorf("find git in PATH: install git 2.30 or later: %w", err)
	}
	return path, nil
}

// CommandLine returns the command line for another process to run git with args. It includes
// SafeConfig and names the git directory explicitly, so an inherited GIT_DIR has no effect.
func CommandLine(gitDir string, args ...string) ([]string, error) {
	git, err := findGit()
	if err != nil {
		return nil, err
	}
	return slices.Concat([]string{git, "--git-dir=" + gitDir}, SafeConfig, args), nil
}

// Output runs c and returns its standard output. It is an error if there are more than maxOutput
// bytes.
func Output(ctx context.Context, c Call) ([]byte, error) {
	out := &bounded{limit: maxOutput}
	err := Run(ctx, c, out)
	if err == nil && out.dropped {
		err = fmt.Errorf("git %s: output is larger than %d MiB", c.Args[0], maxOutput>>20)
	}
	return out.buf.Bytes(), err
}

// Run runs c and copies its standard output to stdout.
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
	if c.Network { // a credential helper may need any variable
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
	ownGroup(cmd)
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

// ExitCode returns the exit status in err, or -1 if git did not run to completion.
func ExitCode(err error) int {
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		return exit.ExitCode()
	}
	return -1
}

// Stderr returns git's error message if err is a failure of git, and "" otherwise.
func Stderr(err error) string {
	var failed *commandError
	if errors.As(err, &failed) {
		return failed.stderr
	}
	return ""
}

// bounded keeps the first limit bytes written to it and discards the rest, so git is never blocked
// by a full pipe.
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
