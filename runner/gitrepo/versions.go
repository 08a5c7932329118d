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

// A Version is a file's content as one commit wrote it.
type Version struct {
	Commit Commit
	Path   string // of the file in that commit, from the root, with slashes; free text
	Blob   string // object name of the content
	Size   int64  // bytes
}

// Files selects whose history is read: one file, all files of a folder, or with Glob all
// files that match a pattern as in .gitignore.
type Files struct {
	Path string // from the root, with slashes; it need not exist today; "." is the root
	Glob bool
	All  bool // the commits that only other branches or tags reach, too
}

// A FileHistory is every content that the commits up to HEAD, or those of all branches
// and tags, gave to the selected files.
type FileHistory struct {
	// Versions are in the order of the history, see [Repo.Order]: each content once,
	// under the first commit that has it. A move, a copy, a revert or a merge that
	// brings back known content is no version, and neither is a deletion.
	Versions []Version
	// Cut are the contents that a shallow clone begins with: whether this commit wrote
	// them, or an earlier one that is not here, cannot be known.
	Cut []Version
	// Shallow says that this clone lacks the older part of the history.
	Shallow bool
	// Elsewhere counts the commits that changed the files, are not reached from HEAD and
	// were not asked for: those of unmerged branches.
	Elsewhere int
}

// FileHistory returns the versions of files. All commits that HEAD reaches count, those
// of merged branches, too. A single file is followed to the names that it had before.
func (r *Repo) FileHistory(ctx context.Context, files Files) (FileHistory, error) {
	h, err := r.fileHistory(ctx, files)
	if strings.Contains(git.Stderr(err), "promisor remote") {
		err = errors.New("its contents are not in this partial clone; fetch them with: git fetch --refetch --no-filter")
	}
	if err != nil {
		return FileHistory{}, fmt.Errorf("read history of %s: %w", files.Path, err)
	}
	return h, nil
}

// otherTips select the references whose commits HEAD need not reach. What perftrack,
// pull requests and the stash keep under refs/ is no branch of the project.
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

// boundary returns the commits that a shallow clone begins with. Their parents are not
// here, so that everything in them looks as if they had written it.
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

// elsewhere counts the commits that changed files of a pathspec and that head does not
// reach, but another branch or tag does.
func (r *Repo) elsewhere(ctx context.Context, head, pathspec string) (int, error) {
	args := append([]string{"rev-list", "--count", "--full-history", "--no-merges"}, otherTips...)
	out, err := r.git(ctx, append(args, "--not", head, "--", pathspec)...)
	if err != nil {
		return 0, err
	}
	return strconv.Atoi(strings.TrimSpace(string(out)))
}

// A change is a file that differs between a commit and one of its parents.
type change struct {
	commit, path string
	mode, blob   string // as the commit has it
	added        bool
}

// follow returns the changes of path up to the tips, and those of the names it had
// before, up to where it was renamed.
func (r *Repo) follow(ctx context.Context, tips []string, path string) (all []change, err error) {
	type name struct{ tip, path string } // no tip: the tips
	names := []name{{"", path}}
	for i := 0; i < len(names); i++ {
		n := names[i]
		from := tips
		if n.tip != "" {
			from = []string{n.tip}
		}
		changes, err := r.changes(ctx, from, literal(n.path))
		if err != nil {
			return nil, err
		}
		all = append(all, changes...)
		for _, c := range changes {
			if !c.added || c.path != n.path {
				continue
			}
			old, err := r.renamedFrom(ctx, c)
			if err != nil {
				return nil, err
			}
			if before := (name{c.commit + "^@", old}); old != "" && !slices.Contains(names, before) {
				names = append(names, before)
			}
		}
	}
	return all, nil
}

// literal is the pathspec that matches path and what is below it, whatever
// characters it has.
func literal(path string) string {
	if path == "." {
		return ":(top)"
	}
	return ":(top,literal)" + path
}

// changes returns what the commits up to the tips changed of the files of a pathspec.
func (r *Repo) changes(ctx context.Context, tips []string, pathspec string) ([]change, error) {
	// Without --full-history, a branch is skipped whose changes a merge did not take.
	args := append([]string{"rev-list", "--full-history"}, tips...)
	commits, err := r.git(ctx, append(args, "--", pathspec)...)
	if err != nil || len(commits) == 0 {
		return nil, err
	}
	var all []change
	c := git.Call{Dir: r.root, Stdin: strings.NewReader(string(commits)),
		Args: []string{"diff-tree", "--stdin", "-r", "-z", "--root", "-m", "--raw", "--no-renames", "--", pathspec}}
	err = rawChanges(ctx, c, func(c change, _ string) { all = append(all, c) })
	return all, err
}

// renamedFrom returns the path from which the commit of c renamed the file that it
// added, perhaps changing it a little; "" when it did not.
func (r *Repo) renamedFrom(ctx context.Context, c change) (old string, err error) {
	err = rawChanges(ctx, git.Call{Dir: r.root, Stdin: strings.NewReader(c.commit + "\n"),
		Args: []string{"diff-tree", "--stdin", "-r", "-z", "-M", "--raw", "--diff-filter=R"}}, func(renamed change, from string) {
		if renamed.path == c.path {
			old = from
		}
	})
	return old, err
}

// rawChanges reads the output of git diff-tree --stdin -z --raw: the name of a commit,
// then entries ":mode mode blob blob status", each with its path, or with the old and
// the new path of a rename.
func rawChanges(ctx context.Context, c git.Call, each func(c change, from string)) error {
	var commit, from string
	var entry *change // whose path comes next
	renamed := false  // and before it the one that it had
	return git.Records(ctx, c, 0, func(s string) error {
		switch f := strings.Fields(s); {
		case renamed:
			from, renamed = s, false
		case entry != nil:
			entry.path = s
			each(*entry, from)
			entry, from = nil, ""
		case git.IsObjectName(s):
			commit = s
		case len(f) == 5 && strings.HasPrefix(s, ":") && commit != "":
			entry = &change{commit: commit, mode: f[1], blob: f[3], added: f[4] == "A"}
			renamed = f[4][0] == 'R'
		default:
			return fmt.Errorf("unexpected answer of git diff-tree: %.200q", s)
		}
		return nil
	})
}

// versions returns those changes that wrote a file, in the order of the history.
func (r *Repo) versions(ctx context.Context, changes []change) ([]Version, error) {
	// Neither a deletion nor a symbolic link nor a submodule.
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

// sizes fills in the sizes of the versions.
func (r *Repo) sizes(ctx context.Context, versions []Version) error {
	sizes, err := git.Sizes(ctx, r.root, blobs(versions))
	if err != nil {
		return err
	}
	for i := range versions {
		if versions[i].Size = sizes[i]; sizes[i] < 0 {
			return fmt.Errorf("%s of %s is missing: check the repository with: git fsck", versions[i].Path, versions[i].Commit.SHA)
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

// Contents hands the content of each version to read, in their order, by one git for
// all. It can be read until read returns, and need not be. An error of read ends it and
// is returned as it is.
func (r *Repo) Contents(ctx context.Context, versions []Version, read func(v Version, content io.Reader) error) error {
	names := blobs(versions)
	return git.Objects(ctx, r.root, names, func(i int, o git.Object) error {
		if o.Kind != "blob" {
			return fmt.Errorf("read %s of %s: %s is %s", versions[i].Path, versions[i].Commit.SHA, names[i], o.Kind)
		}
		return read(versions[i], o.Content)
	})
}

// Shallow reports whether commits are missing from this clone's history.
func (r *Repo) Shallow() (bool, error) {
	cut, err := r.boundary()
	return len(cut) > 0, err
}
