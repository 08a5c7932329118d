package githubapi

import (
	"context"
	"net/url"
	"strings"
)

// rawContent is the media type for requesting the plain content of a file instead of JSON.
const rawContent = "application/vnd.github.raw+json"

// File reads a file from the repository as of ref, a commit or branch.
func (g *Client) File(ctx context.Context, what, name, ref string) ([]byte, error) {
	text, _, err := g.Do(ctx, Request{What: what, Path: "contents/" + name, Query: url.Values{"ref": {ref}}, Accept: rawContent})
	return text, err
}

// Blob reads the content of the file with the given git hash.
func (g *Client) Blob(ctx context.Context, what, sha string) ([]byte, error) {
	text, _, err := g.Do(ctx, Request{What: what, Path: "git/blobs/" + sha, Accept: rawContent})
	return text, err
}

// A Ref is a git reference in the repository.
type Ref struct {
	Name   string // without refs/
	Commit string
}

// Refs lists the references whose names, without refs/, begin with prefix.
func (g *Client) Refs(ctx context.Context, prefix string) (all []Ref, err error) {
	type answer struct {
		Ref    string `json:"ref"`
		Object struct {
			SHA string `json:"sha"`
		} `json:"object"`
	}
	err = Pages(ctx, g, "list refs/"+prefix, "git/matching-refs/"+prefix, nil, func(list []answer) {
		for _, r := range list {
			all = append(all, Ref{Name: strings.TrimPrefix(r.Ref, "refs/"), Commit: r.Object.SHA})
		}
	})
	return all, err
}

// A TreeEntry is a file or folder in a commit's top folder.
type TreeEntry struct {
	Path string `json:"path"`
	SHA  string `json:"sha"`
}

// TreeEntries lists the entries in a commit's top folder. If cut is true, GitHub has left out some
// entries.
func (g *Client) TreeEntries(ctx context.Context, sha string) (list []TreeEntry, cut bool, err error) {
	var answer struct {
		Truncated bool        `json:"truncated"`
		Tree      []TreeEntry `json:"tree"`
	}
	_, err = g.Get(ctx, "read refs/perftrack", "git/trees/"+sha, nil, &answer)
	return answer.Tree, answer.Truncated, err
}
