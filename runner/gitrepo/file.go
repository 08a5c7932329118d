package gitrepo

import (
	"context"
	"fmt"
	"io"

	"github.com/perftrack/perftrack/runner/gitrepo/internal/git"
)

// File returns what a commit has at a path from the root of the repository, with
// slashes, through links inside of the tree. ok is false where it has no file.
// Of more than limit bytes only limit+1 are read.
func (r *Repo) File(ctx context.Context, c Commit, path string, limit int64) (text []byte, ok bool, err error) {
	err = git.Objects(ctx, r.root, []string{c.SHA + ":" + path}, func(_ int, o git.Object) (err error) {
		if o.Kind != "blob" {
			return nil
		}
		ok = true
		text, err = io.ReadAll(io.LimitReader(o.Content, limit+1))
		return err
	})
	if err != nil {
		return nil, false, fmt.Errorf("read %s of commit %s: %w", path, c.SHA, err)
	}
	return text, ok, nil
}
