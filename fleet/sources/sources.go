// Package sources provides the work trees in which a worker measures: a clone for each repository,
// and in it a work tree for the current trial. Begin with [Sources.Checkout].
package sources

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"
)

// Sources is a folder of clones and at most one work tree.
type Sources struct {
	Dir string

	trial, clone, tree string
}

var hash = regexp.MustCompile(`^[0-9a-f]{40}([0-9a-f]{24})?$`)

// Checkout returns a work tree of head that also has the commit base. It keeps the work tree until
// another trial asks for one.
func (s *Sources) Checkout(ctx context.Context, url, trial, base, head string) (dir string, err error) {
	if !hash.MatchString(base) || !hash.MatchString(head) {
		return "", fmt.Errorf("check out %s: %q and %q must be full hashes of commits", url, base, head)
	}
	if s.tree != "" && s.trial == trial {
		return s.tree, nil
	}
	if err := s.Release(ctx); err != nil {
		return "", err
	}
	clone := filepath.Join(s.Dir, "clones", name(url)+".git")
	tree := filepath.Join(s.Dir, "trees", name(trial))
	s.trial, s.clone, s.tree = trial, clone, tree
	err = create(ctx, clone, tree, url, base, head)
	if err != nil && ctx.Err() == nil {
		// A git command that was killed may have left locks or half a clone behind.
		if err := os.RemoveAll(clone); err != nil {
			return "", err
		}
		err = create(ctx, clone, tree, url, base, head)
	}
	if err != nil {
		return "", errors.Join(err, s.Release(context.WithoutCancel(ctx)))
	}
	return tree, nil
}

// name returns a valid name of a file.
func name(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:10])
}

// create creates a clone unless it exists, and the work tree.
func create(ctx context.Context, clone, tree, url, base, head string) error {
	if err := prepare(ctx, clone, url); err != nil {
		return err
	}
	if err := fetch(ctx, clone, url, base, head); err != nil {
		return err
	}
	// A worker that was killed may have left the work tree behind.
	if err := os.RemoveAll(tree); err != nil {
		return err
	}
	return git(ctx, clone, "worktree", "add", "--quiet", "--detach", "--force", "--force", "--end-of-options", tree, head)
}

// Release removes the work tree.
func (s *Sources) Release(ctx context.Context) error {
	if s.tree == "" {
		return nil
	}
	err := os.RemoveAll(s.tree)
	if _, missing := os.Stat(s.clone); err == nil && missing == nil {
		err = git(ctx, s.clone, "worktree", "prune")
	}
	s.trial, s.clone, s.tree = "", "", ""
	return err
}

// prepare creates an empty clone. It takes no template, which could contain hooks.
func prepare(ctx context.Context, clone, url string) error {
	if url == "" || strings.HasPrefix(url, "-") {
		return fmt.Errorf("clone %q: it is not the address of a repository", url)
	}
	if _, err := os.Stat(filepath.Join(clone, "HEAD")); err == nil {
		return nil
	}
	if err := os.MkdirAll(clone, 0o700); err != nil {
		return err
	}
	return git(ctx, clone, "init", "--quiet", "--bare", "--template=", ".")
}

// fetch gets commits. Not every server gives out a commit by its hash, so all branches and tags come
// second.
func fetch(ctx context.Context, clone, url string, commits ...string) error {
	missing := func() (missing []string) {
		for _, commit := range commits {
			if git(ctx, clone, "cat-file", "-e", commit+"^{commit}") != nil {
				missing = append(missing, commit)
			}
		}
		return missing
	}
	commits = missing()
	if len(commits) == 0 {
		return nil
	}
	args := []string{"fetch", "--quiet", "--no-tags", "--no-write-fetch-head", "--no-auto-maintenance", "--end-of-options", url}
	byHash := slices.Clone(args)
	for _, commit := range commits {
		byHash = append(byHash, commit+":refs/perftrack/"+commit) // the reference keeps the commit
	}
	first := git(ctx, clone, byHash...)
	if first == nil {
		return nil
	}
	if err := git(ctx, clone, append(args, "+refs/heads/*:refs/remotes/origin/*", "+refs/tags/*:refs/tags/*")...); err != nil {
		return errors.Join(first, err)
	}
	if commits = missing(); len(commits) > 0 {
		return fmt.Errorf("fetch %s: no branch or tag of %s has it: push it", commits[0], url)
	}
	return nil
}

// git runs a git command in a clone. Nothing that the repository contains can make git run a
// program: it has no hooks, and transports that name programs are off.
func git(ctx context.Context, clone string, args ...string) error {
	c := exec.CommandContext(ctx, "git", append([]string{
		"-c", "core.hooksPath=" + os.DevNull, "-c", "core.fsmonitor=false", "-c", "protocol.ext.allow=never",
		"-c", "submodule.recurse=false", "-c", "gc.auto=0", "-c", "safe.bareRepository=all",
	}, args...)...)
	c.Dir, c.WaitDelay = clone, time.Second
	c.Env = append(environ(), "GIT_TERMINAL_PROMPT=0", "GIT_OPTIONAL_LOCKS=0", "LC_ALL=C")
	out, err := c.CombinedOutput()
	if err != nil {
		return fmt.Errorf("git %s: %w: %s", args[0], err, strings.TrimSpace(string(out)))
	}
	return nil
}

// environ returns the environment without the address of the database and without the variables
// that point git to another repository.
func environ() []string {
	var env []string
	for _, v := range os.Environ() {
		name, _, _ := strings.Cut(v, "=")
		switch name {
		case "PERFTRACK_DB", "GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_COMMON_DIR", "GIT_OBJECT_DIRECTORY", "GIT_PREFIX":
		default:
			env = append(env, v)
		}
	}
	return env
}
