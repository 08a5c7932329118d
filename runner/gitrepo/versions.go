package gitrepo

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/perftrack/perftrack/runner/gitrepo/internal/git"
)

// A Version is the content of a file as one commit wrote it.
type Version struct {
	Commit Commit
	Path   string // path of the file in the commit, from the root, with slashes; untrusted text
	Blob   string // object name of the content
	Size   int64  // size of the content in bytes
}

// Files selects the files whose history is read: one file, all files in a directory or, with Glob,
// all files matching a pattern as in .gitignore.
type Files struct {
	Path string // from the root, with slashes; it need not exist now; "." is the root
	Glob bool
	All  bool // include commits reachable only from other branches or tags
}

// A FileHistory lists each content of the selected files in the history of HEAD, or of all branches
// and tags.
type FileHistory struct {
	// Versions lists each content once, under the first commit that has it, in the order of
	// [Repo.Order]. Deletions are not included, and neither are moves, copies, reverts or merges
	// that bring back a known content.
	Versions []Version
	// Cut lists the versions in the oldest commits of a shallow clone. Each was written by its
	// commit or by an earlier one that this clone lacks.
	Cut []Version
	// Shallow is set if this clone lacks the older part of the history.
	Shallow bool
	// Elsewhere is the number of commits that changed the files but can be reached only from other
	// branches or tags. It is 0 if Files.All is set.
	Elsewhere int
}

// FileHistory returns the versions of files in the history of HEAD, including merged branches. A
// single file is followed through renames.
func (r *Repo) FileHistory(ctx context.Context, files Files) (FileHistory, error) {
	h, err := r.fileHistory(ctx, files)
	if strings.Contains(git.Stderr(err), "promisor remote") {
		err = errors.New("this partial clone lacks its contents; fetch them with `git fetch --refetch --no-filter`")
	}
	if err != nil {
		return FileHistory{}, fmt.Errorf("read history of %s: %w", files.Path, err)
	}
	return h, nil
}

// otherTips selects the references to consider besides HEAD. Other references, such as those for
// parcels, pull requests and the stash, are not branches of the project.
var otherTips = []string{"--branches", "--tags", "--remotes"}

func (r *Repo) fileHistory(ctx context.Context, files Files) (FileHistory, error) {
	head, err := r.lookup(ctx, "HEAD")
	if err != nil {
		return FileHistory{}, err
	}
	if head == "" {
		return FileHistory{}, r.missing(ctx, "HEAD")
	}
	boundary, err := r.boundary()
	if err != nil {
		return FileHistory{}, err
	}
	h := FileHistory{Shallow: len(boundary) > 0}
	tips, pathspec := []string{head}, literal(files.Path)
	if files.Glob {
		pathspec = ":(top,glob)" + files.Path
	}
	if files.All {
		tips = append(tips, otherTips...)
	} else if h.Elsewhere, err = r.elsewhere(ctx, head, pathspec); err != nil {
		return FileHistory{}, err
	}
	var all []change
	if files.Glob {
		all, err = r.changes(ctx, tips, pathspec)
	} else {
		all, err = r.follow(ctx, tips, files.Path)
	}
	if err != nil {
		return FileHistory{}, err
	}
	versions, err := r.versions(ctx, all)
	if err != nil {
		return FileHistory{}, err
	}
	known := map[string]bool{}
	for _, v := range versions {
		switch {
		case known[v.Blob]:
			continue
		case boundary[v.Commit.SHA]:
			h.Cut = append(h.Cut, v)
		default:
			h.Versions = append(h.Versions, v)
		}
		known[v.Blob] = true
	}
	return h, nil
}

// boundary returns the oldest commits in a shallow clone. Because their parents are missing, each
// seems to have written all of its files.
func (r *Repo) boundary() (map[string]bool, error) {
	text, err := os.ReadFile(filepath.Join(r.common, "shallow"))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	commits := map[string]bool{}
	for _, sha := range strings.Fields(string(text)) {
		commits[sha] = true
	}
	return commits, nil
}

// elsewhere returns the number of commits that changed files matching a pathspec and that are
// reachable from another branch or tag but not from head.
func (r *Repo) elsewhere(ctx context.Context, head, pathspec string) (int, error) {
	args := append([]string{"rev-list", "--count", "--full-history", "--no-merges"}, otherTips...)
	out, err := r.git(ctx, append(args, "--not", head, "--", pathspec)...)
	if err != nil {
		return 0, err
	}
	return strconv.Atoi(strings.TrimSpace(string(out)))
}

// versions returns the changes that wrote a file, in history order.
func (r *Repo) versions(ctx context.Context, changes []change) ([]Version, error) {
	// Drop deletions, symbolic links and submodules.
	changes = slices.DeleteFunc(changes, func(c change) bool { return !strings.HasPrefix(c.mode, "100") })
	var shas []string
	for _, c := range changes {
		shas = append(shas, c.commit)
	}
	slices.Sort(shas)
	shas = slices.Compact(shas)
	all, err := r.commits(ctx, shas)
	if err != nil {
		return nil, err
	}
	commits := make(map[string]Commit, len(shas))
	for _, c := range all {
		commits[c.SHA] = c
	}
	position, err := r.order(ctx, shas)
	if err != nil {
		return nil, err
	}
	var out []Version
	for _, c := range changes {
		out = append(out, Version{Commit: commits[c.commit], Path: c.path, Blob: c.blob})
	}
	slices.SortFunc(out, func(a, b Version) int {
		return cmp.Or(cmp.Compare(position[a.Commit.SHA], position[b.Commit.SHA]), strings.Compare(a.Path, b.Path))
	})
	return out, r.sizes(ctx, out)
}

// sizes sets the sizes of the versions.
func (r *Repo) sizes(ctx context.Context, versions []Version) error {
	sizes, err := git.Sizes(ctx, r.root, blobs(versions))
	if err != nil {
		return err
	}
	for i := range versions {
		if versions[i].Size = sizes[i]; sizes[i] < 0 {
			return fmt.Errorf("%s is missing from commit %s: check the repository with `git fsck`", versions[i].Path, versions[i].Commit.SHA)
		}
	}
	return nil
}

func blobs(versions []Version) []string {
	names := make([]string, len(versions))
	for i, v := range versions {
		names[i] = v.Blob
	}
	return names
}

// Contents calls read with the content of each version, in order, using a single git process. read
// need not consume the content; it is valid until read returns. If read returns an error, Contents
// stops and returns it unchanged.
func (r *Repo) Contents(ctx context.Context, versions []Version, read func(v Version, content io.Reader) error) error {
	names := blobs(versions)
	return git.Objects(ctx, r.root, names, func(i int, o git.Object) error {
		if o.Kind != "blob" {
			return fmt.Errorf("read %s of commit %s: %s is a %s, not a blob", versions[i].Path, versions[i].Commit.SHA, names[i], o.Kind)
		}
		return read(versions[i], o.Content)
	})
}

// Shallow reports whether this clone lacks part of the history.
func (r *Repo) Shallow() (bool, error) {
	cut, err := r.boundary()
	return len(cut) > 0, err
}
