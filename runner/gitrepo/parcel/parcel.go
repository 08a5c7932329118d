// Package parcel exchanges files between clones of a git repository, as references below
// refs/perftrack/ that no branch and no tag shows.
//
// [Clone.Write] makes parcels of files whose names are checked, [Clone.Files] and
// [Clone.Read] read them again, and remote.go lists, fetches and pushes those of a remote.
// Begin with [Parcel]. What is in the files is not looked at here. If a remote cannot be
// read or written, the error is a [RemoteError]; if it refuses one reference, [Clone.Push]
// returns a [Refusal].
package parcel

import (
	"bytes"
	"cmp"
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"regexp"
	"slices"
	"strings"
	"sync/atomic"

	"github.com/perftrack/perftrack/runner/gitrepo"
	"github.com/perftrack/perftrack/runner/gitrepo/internal/git"
)

// A Parcel is a few named files that travel between clones as one commit without
// parents, under a reference of its own below refs/perftrack/. It is made of its
// files alone, whoever makes it and when, so that the same files are the same commit
// everywhere, and it is never changed: a clone pushes new ones and takes away old
// ones, and two clones that push at once do not meet.
type Parcel struct {
	Name   string // reference without refs/perftrack/: runs/ID, packs/ID, ...
	Commit string // object name of what the reference is
}

// A File is a file of a parcel. Two files with one Blob have the same content.
type File struct {
	Name string // ID.run, ID.accepted, ID.deleted, or of a kind that a newer perftrack writes
	Blob string // object name of the content
}

// Limits of what is taken from a remote. MaxTree is far above a parcel of MaxFiles.
const (
	MaxParcels = 10_000  // new parcels of one fetch
	MaxFiles   = 100_000 // files of a parcel
	maxTree    = 32 << 20
)

const parcelRefs = "refs/perftrack/"

// The references and files that this package will touch at all: no other name is ever
// given to git, whatever a remote calls its references.
var (
	parcelName = regexp.MustCompile(`^(runs|packs|accepted|deleted)/[0-9a-f]{64}$`)
	fileName   = regexp.MustCompile(`^[0-9a-f]{64}\.[a-z]{1,16}$`)
)

// Valid reports whether p is what a parcel can be, for those that do not come from git.
func (p Parcel) Valid() bool { return parcelName.MatchString(p.Name) && git.IsObjectName(p.Commit) }

// Valid reports whether f is what a file of a parcel can be.
func (f File) Valid() bool { return fileName.MatchString(f.Name) && git.IsObjectName(f.Blob) }

// A Clone is a clone of a repository as the holder of parcels: it keeps some, and
// exchanges them with the parcels of its remotes.
type Clone struct {
	repo *gitrepo.Repo
	lock atomic.Pointer[os.File] // while it is held: see Lock
}

// Of returns repo as a holder of parcels.
func Of(repo *gitrepo.Repo) *Clone { return &Clone{repo: repo} }

// parcels reads references, lines of "commit TAB name", and returns those that are
// parcels, sorted by name, and how many below refs/perftrack/ are none.
func parcels(ctx context.Context, call git.Call) (all []Parcel, others int, err error) {
	err = git.Records(ctx, call, '\n', func(line string) error {
		sha, ref, _ := strings.Cut(line, "\t")
		name, ok := strings.CutPrefix(ref, parcelRefs)
		switch p := (Parcel{name, sha}); {
		case !ok:
		case !p.Valid():
			others++
		default:
			all = append(all, p)
		}
		return nil
	})
	slices.SortFunc(all, func(a, b Parcel) int { return cmp.Compare(a.Name, b.Name) })
	return all, others, err
}

// List returns the parcels that this clone keeps, sorted by name.
func (c *Clone) List(ctx context.Context) (all []Parcel, err error) {
	call := git.Call{Dir: c.repo.Root(), Args: []string{"for-each-ref", "--format=%(objectname)%09%(refname)", parcelRefs}}
	all, _, err = parcels(ctx, call)
	if err != nil {
		return nil, fmt.Errorf("list parcels of %s: %w", c.repo.Root(), err)
	}
	return all, nil
}

// Files hands the files of each parcel to read, in order, by one git for all. The
// error says why a parcel is none: its commit is not here or has no tree, or the tree
// is too large or holds something else than files. Files of names that no perftrack
// writes are left out of the list.
func (c *Clone) Files(ctx context.Context, list []Parcel, read func(p Parcel, files []File, err error) error) error {
	names := make([]string, len(list))
	for i, p := range list {
		names[i] = p.Commit + "^{tree}"
	}
	return git.Objects(ctx, c.repo.Root(), names, func(i int, o git.Object) error {
		switch {
		case o.Kind != "tree":
			return read(list[i], nil, errors.New("it is no commit with files"))
		case o.Size > maxTree:
			return read(list[i], nil, fmt.Errorf("its list of files is larger than %d MiB", maxTree>>20))
		}
		raw, err := io.ReadAll(o.Content)
		if err != nil {
			return err
		}
		files, err := parseTree(raw, len(list[i].Commit)/2)
		return read(list[i], files, err)
	})
}

// parseTree reads a raw tree object: entries "mode SPACE name NUL hash".
func parseTree(raw []byte, hashLen int) (files []File, err error) {
	for len(raw) > 0 {
		mode, rest, ok := bytes.Cut(raw, []byte(" "))
		name, rest, ok2 := bytes.Cut(rest, []byte{0})
		if !ok || !ok2 || len(rest) < hashLen {
			return nil, errors.New("its list of files is damaged")
		}
		if string(mode) != "100644" {
			return nil, fmt.Errorf("%.80q in it is no plain file", name)
		}
		if fileName.Match(name) {
			files = append(files, File{string(name), hex.EncodeToString(rest[:hashLen])})
		}
		if len(files) > MaxFiles {
			return nil, fmt.Errorf("it has more than %d files", MaxFiles)
		}
		raw = rest[hashLen:]
	}
	return files, nil
}

// Read hands the content of each file to read, in order, by one git for all. The
// content can be read until read returns, and need not be; it is nil when it is not
// here or not a file, and size is in bytes.
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

// Keep makes the references of parcels whose commits are here, and removes those
// of others, all or none. A parcel to be removed that is another one by now stays, and
// then nothing is done; one that is gone already does no harm.
func (c *Clone) Keep(ctx context.Context, keep, remove []Parcel) error {
	if len(keep)+len(remove) == 0 {
		return nil
	}
	var in strings.Builder
	in.WriteString("start\n")
	for _, p := range keep {
		fmt.Fprintf(&in, "update %s%s %s\n", parcelRefs, p.Name, p.Commit)
	}
	for _, p := range remove {
		fmt.Fprintf(&in, "delete %s%s %s\n", parcelRefs, p.Name, p.Commit)
	}
	in.WriteString("prepare\ncommit\n")
	call := git.Call{Dir: c.repo.Root(), Stdin: strings.NewReader(in.String()), Lock: c.lock.Load(), Args: []string{"update-ref", "--stdin"}}
	_, err := git.Output(ctx, call)
	if err != nil {
		return fmt.Errorf("keep parcels in %s: %w", c.repo.Root(), err)
	}
	return nil
}
