package gitrepo

import (
	"context"
	"fmt"
	"io"
)

// File returns what a commit has at a path from the root of the repository, with
// slashes, through links inside of the tree. ok is false where it has no file.
// Of more than limit bytes only limit+1 are read.
func (r *Repo) File(ctx context.Context, c Commit, path string, limit int64) (text []byte, ok bool, err error) {
	err = r.objects(ctx, []string{c.SHA + ":" + path}, func(_ int, o object) (err error) {
		if o.kind != "blob" {
			return nil
		}
		ok = true
		text, err = io.ReadAll(io.LimitReader(o.content, limit+1))
		return err
	})
	if err != nil {
		return nil, false, fmt.Errorf("read %s of commit %s: %w", path, c.SHA, err)
	}
	return text, ok, nil
}
