package gitrepo

import (
	"context"
	"fmt"
	"io"

	"github.com/perftrack/perftrack/runner/gitrepo/internal/git"
)

// File returns the content of the file at a path in a commit. The path is relative to the root of
// the repository, with slashes, and may pass through symbolic links within the tree. ok is false if
// there is no such file. File reads at most limit+1 bytes.
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
