// Package parcel exchanges files between clones of a git repository, using references below
// refs/perftrack/, separate from branches and tags.
//
// [Clone.Write] makes parcels from files with checked names, [Clone.Files] and [Clone.Read] read
// them back, and remote.go lists, fetches and pushes the parcels on a remote. Start with [Parcel].
// This package does not interpret the content of the files. If a remote cannot be read or written,
// the error is a [RemoteError]; if a remote refuses a single reference, [Clone.Push] returns a
// [Refusal].
package parcel

import (
	"cmp"
	"context"
	"crypto/sha1"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"sync/atomic"

	"github.com/perftrack/perftrack/runner/gitrepo"
	"github.com/perftrack/perftrack/runner/gitrepo/internal/git"
)

// A Parcel is a set of named files exchanged between clones. It is stored as one commit under its
// own reference below refs/perftrack/. The commit has all files in its tree. Its parents are the
// parcels included in it, so git does not send their files again. The commit depends only on the
// name, the files and the parents, not on an author or time, so the same parcel is the same commit
// everywhere. A parcel never changes: a clone only pushes new parcels and removes old ones, so two
// clones pushing at the same time do not conflict.
type Parcel struct {
	Name   string // reference without refs/perftrack/: packs/ID, or runs/ID and such with one file
	Commit string // object name of the reference's commit
}

// A File is a file in a parcel. Two files with the same Blob have the same content.
type File struct {
	Name string // ID.run, ID.accepted, ID.deleted, or a kind from a newer perftrack
	Blob string // object name of the content
}

// Limits on an exchange with a remote. maxTree is far larger than a parcel with MaxFiles files
// needs.
const (
	MaxParcels = 10_000  // new parcels in one fetch
	MaxFiles   = 100_000 // files in a parcel
	maxTree    = 32 << 20
)

const parcelRefs = "refs/perftrack/"

// The names that references and files in this package can have. This package never passes any other
// name to git, even if a remote has one.
var (
	parcelName = regexp.MustCompile(`^(runs|packs|accepted|deleted)/[0-9a-f]{64}$`)
	fileName   = regexp.MustCompile(`^[0-9a-f]{64}\.[a-z]{1,16}$`)
)

// Valid reports whether p is well-formed. Use it for parcels that do not come from git.
func (p Parcel) Valid() bool { return parcelName.MatchString(p.Name) && git.IsObjectName(p.Commit) }

// Valid reports whether f is well-formed.
func (f File) Valid() bool { return fileName.MatchString(f.Name) && git.IsObjectName(f.Blob) }

// Holds reports whether content has the hash in f.Blob, and is therefore undamaged.
func (f File) Holds(content []byte) bool {
	sum := sha1.New()
	if len(f.Blob) == 2*sha256.Size {
		sum = sha256.New()
	}
	fmt.Fprintf(sum, "blob %d\x00", len(content))
	sum.Write(content)
	return hex.EncodeToString(sum.Sum(nil)) == f.Blob
}

// A Clone is a clone of a repository that stores parcels and exchanges them with remotes.
type Clone struct {
	repo *gitrepo.Repo
	lock atomic.Pointer[os.File] // not nil while the lock is held: see Lock
}

// Of returns a Clone for the parcels in repo.
func Of(repo *gitrepo.Repo) *Clone { return &Clone{repo: repo} }

// parcels runs call, which prints references as lines of the form "commit TAB name". It returns the
// parcels among the references, sorted by name, and the number of other references below
// refs/perftrack/.
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

// List returns the parcels in this clone, sorted by name.
func (c *Clone) List(ctx context.Context) (all []Parcel, err error) {
	call := git.Call{Dir: c.repo.Root(), Args: []string{"for-each-ref", "--format=%(objectname)%09%(refname)", parcelRefs}}
	all, _, err = parcels(ctx, call)
	if err != nil {
		return nil, fmt.Errorf("list parcels in %s: %w", c.repo.Root(), err)
	}
	return all, nil
}

// Keep creates the references for the parcels in keep, whose commits must be in this clone, and
// deletes the references for the parcels in remove. If it fails, for example because a parcel in
// remove has changed, it changes nothing. It is not an error if a parcel in remove is already gone.
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
