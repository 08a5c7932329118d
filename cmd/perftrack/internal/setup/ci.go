package setup

import (
	"cmp"
	"context"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/fault"
	"github.com/perftrack/perftrack/runner/gitrepo"
)

// A CI is a kind of CI service.
type CI string

// The CI services supported by perftrack init. Generic is any other service that can run a shell
// script.
const (
	GitHub  CI = "github"
	GitLab  CI = "gitlab"
	Forgejo CI = "forgejo"
	Generic CI = "generic"
)

// CIs lists all supported CI services.
var CIs = []CI{GitHub, GitLab, Forgejo, Generic}

// jobs contains the files for the CIs other than GitHub.
//
//go:embed ci
var jobs embed.FS

// FindCI determines a repository's CI from the host of its remote or, failing that, from its CI
// files. If there is neither a remote nor any CI file, it guesses GitHub. It returns an error if it
// cannot determine the CI.
func FindCI(ctx context.Context, repo *gitrepo.Repo) (ci CI, guessed bool, err error) {
	host, err := repo.RemoteHost(ctx)
	if err != nil {
		return "", false, fault.Git(err)
	}
	root, err := os.OpenRoot(repo.Root())
	if err != nil {
		return "", false, fault.IO(err)
	}
	defer root.Close()
	if ci := ciOfHost(host); ci != "" {
		return ci, false, nil
	}
	if ci := ciOfFiles(root.FS()); ci != "" {
		return ci, false, nil
	}
	if host == "" {
		return GitHub, true, nil
	}
	return "", false, fault.Usagef("detect the CI for %s: unknown host; use --ci github, gitlab, forgejo or generic", host)
}

// ciOfHost returns the CI suggested by a host's name, or "".
func ciOfHost(host string) CI {
	names := map[string]CI{"github": GitHub, "gitlab": GitLab, "forgejo": Forgejo, "codeberg": Forgejo, "gitea": Forgejo}
	for label := range strings.SplitSeq(strings.ToLower(host), ".") {
		if ci, ok := names[label]; ok {
			return ci
		}
	}
	return ""
}

// ciOfFiles returns the CI with files in a repository, or "" if there is not exactly one.
func ciOfFiles(fsys fs.FS) (found CI) {
	for name, ci := range map[string]CI{".github/workflows": GitHub, ".gitlab-ci.yml": GitLab, ".forgejo/workflows": Forgejo, ".gitea/workflows": Forgejo} {
		if _, err := fs.Stat(fsys, name); err != nil {
			continue
		}
		if found != "" && found != ci {
			return ""
		}
		found = ci
	}
	return found
}

const (
	gitLabFile    = ".gitlab/perftrack.yml"
	gitLabMain    = ".gitlab-ci.yml"
	genericScript = "perftrack-ci.sh"
)

// ciFiles returns the files for a CI other than GitHub. They install perftrack at the given commit.
func ciFiles(ci CI, branch, commit string) (files []textFile, err error) {
	add := func(path, name string) {
		text, readErr := jobs.ReadFile("ci/" + name)
		err = cmp.Or(err, readErr)
		files = append(files, textFile{path, strings.NewReplacer("perftrack-commit", commit, "perftrack-branch", branch).Replace(string(text))})
	}
	switch ci {
	case GitLab:
		add(gitLabFile, "gitlab.yml")
		add(gitLabMain, "gitlab-include.yml")
	case Forgejo:
		add(".forgejo/workflows/perftrack.yml", "forgejo.yml")
	case Generic:
		add(genericScript, "generic.sh")
	default:
		return nil, fault.Usagef("--ci %q is not github, gitlab, forgejo or generic", ci)
	}
	return files, err
}

// Next returns a text on the next steps in the CI once the files are on the default branch.
func (res Result) Next() string {
	switch res.CI {
	case GitLab:
		text := "set the variable GITLAB_TOKEN to a token as described in " + gitLabFile
		if !res.Included {
			text = "add to " + gitLabMain + ": include: [{local: " + gitLabFile + "}], and " + text
		}
		return text + ": see perftrack help forges"
	case Forgejo:
		return "require the status perftrack for it: see perftrack help forges"
	case Generic:
		return "have your CI run sh " + genericScript + " on each change: see perftrack help forges"
	}
	return "require the status perftrack for it (Settings, Branches): see perftrack help github"
}

// includes reports whether an existing .gitlab-ci.yml includes perftrack's file.
func includes(root *os.Root) (bool, error) {
	text, err := fs.ReadFile(root.FS(), gitLabMain)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, fmt.Errorf("read %s: %w", gitLabMain, err)
	}
	return strings.Contains(string(text), gitLabFile), nil
}
