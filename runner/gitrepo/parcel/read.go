package parcel

import (
	"bufio"
	"bytes"
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/perftrack/perftrack/runner/gitrepo/internal/git"
)

// Files calls read with the list of files in each parcel, in order, using a single git process. If
// a parcel is invalid, err says why: its commit is missing or has no tree, or the tree is too large
// or has entries that are not files. Files with names of an unknown form are only counted.
func (c *Clone) Files(ctx context.Context, list []Parcel, read func(p Parcel, files []File, others int, err error) error) error {
	names := make([]string, len(list))
	for i, p := range list {
		names[i] = p.Commit + "^{tree}"
	}
	return git.Objects(ctx, c.repo.Root(), names, func(i int, o git.Object) error {
		switch {
		case o.Kind != "tree":
			return read(list[i], nil, 0, errors.New("it is not a commit with files"))
		case o.Size > maxTree:
			return read(list[i], nil, 0, fmt.Errorf("its list of files is larger than %d MiB", maxTree>>20))
		}
		raw, err := io.ReadAll(o.Content)
		if err != nil {
			return err
		}
		files, others, err := parseTree(raw, len(list[i].Commit)/2)
		return read(list[i], files, others, err)
	})
}

// parseTree parses a raw tree object, a list of entries "mode SPACE name NUL hash".
func parseTree(raw []byte, hashLen int) (files []File, others int, err error) {
	for len(raw) > 0 {
		mode, rest, ok := bytes.Cut(raw, []byte(" "))
		name, rest, ok2 := bytes.Cut(rest, []byte{0})
		if !ok || !ok2 || len(rest) < hashLen {
			return nil, 0, errors.New("its list of files is damaged")
		}
		if string(mode) != "100644" {
			return nil, 0, fmt.Errorf("its entry %.80q is not a regular file", name)
		}
		if fileName.Match(name) {
			files = append(files, File{string(name), hex.EncodeToString(rest[:hashLen])})
		} else {
			others++
		}
		if len(files)+others > MaxFiles {
			return nil, 0, fmt.Errorf("it has more than %d files", MaxFiles)
		}
		raw = rest[hashLen:]
	}
	return files, others, nil
}

// Parents returns the commits of each parcel's parents, by the parcel's commit.
func (c *Clone) Parents(ctx context.Context, list []Parcel) (map[string][]string, error) {
	names := make([]string, len(list))
	for i, p := range list {
		names[i] = p.Commit
	}
	parents := map[string][]string{}
	err := git.Objects(ctx, c.repo.Root(), names, func(i int, o git.Object) error {
		if o.Kind != "commit" {
			return nil
		}
		lines := bufio.NewScanner(o.Content)
		for lines.Scan() && lines.Text() != "" { // the message follows an empty line
			if commit, ok := strings.CutPrefix(lines.Text(), "parent "); ok {
				parents[names[i]] = append(parents[names[i]], commit)
			}
		}
		return nil // an unreadable commit has no parents
	})
	return parents, err
}

// Read calls read with the content of each file, in order, using a single git process. read need
// not consume the content. It is valid until read returns, and nil if the object is missing or is
// not a file. size is in bytes.
func (c *Clone) Read(ctx context.Context, files []File, read func(f File, size int64, content io.Reader) error) error {
	names := make([]string, len(files))
	for i, f := range files {
		names[i] = f.Blob
	}
	return git.Objects(ctx, c.repo.Root(), names, func(i int, o git.Object) error {
		if o.Kind != "blob" {
			return read(files[i], 0, nil)
		}
		return read(files[i], o.Size, o.Content)
	})
}
