package githubapi

import (
	"cmp"
	"context"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/artifact"
)

// An Artifact is one that a run of a workflow left.
type Artifact struct {
	ID      int64  `json:"id"`
	Name    string `json:"name"`
	Size    int64  `json:"size_in_bytes"`
	Expired bool   `json:"expired"`
}

// Artifact returns the archive of a name that a run of a workflow left, nil
// where there is none, or none any more.
func (g *Client) Artifact(ctx context.Context, run int64, name string) (data []byte, expired bool, err error) {
	all, err := g.artifacts(ctx, run, url.Values{"name": {name}, "per_page": {"100"}})
	if err != nil {
		return nil, false, err
	}
	for _, a := range all {
		if a.Name != name {
			continue
		}
		if a.Expired {
			return nil, true, nil
		}
		return g.Download(ctx, a, artifact.MaxArchive)
	}
	return nil, false, nil
}

// Artifacts returns what a run of a workflow left, up to a hundred, the newest of each name.
func (g *Client) Artifacts(ctx context.Context, run int64) ([]Artifact, error) {
	return g.artifacts(ctx, run, url.Values{"per_page": {"100"}})
}

func (g *Client) artifacts(ctx context.Context, run int64, query url.Values) ([]Artifact, error) {
	var answer struct {
		Artifacts []Artifact `json:"artifacts"`
	}
	path := "actions/runs/" + strconv.FormatInt(run, 10) + "/artifacts"
	if _, err := g.Get(ctx, "list artifacts", path, query, &answer); err != nil {
		return nil, err
	}
	// A job that was run again leaves one each time: the newest counts that can be had.
	gone := map[bool]int{true: 1}
	slices.SortFunc(answer.Artifacts, func(a, b Artifact) int { return cmp.Or(gone[a.Expired]-gone[b.Expired], cmp.Compare(b.ID, a.ID)) })
	var newest []Artifact
	for _, a := range answer.Artifacts {
		if !slices.ContainsFunc(newest, func(n Artifact) bool { return n.Name == a.Name }) {
			newest = append(newest, a)
		}
	}
	return newest, nil
}

// Download returns the archive of an artifact that has at most so many bytes, nil where it
// expired just now.
func (g *Client) Download(ctx context.Context, a Artifact, most int64) (data []byte, expired bool, err error) {
	if a.Size > most {
		return nil, false, &LargeArtifactError{a.Name}
	}
	data, _, err = g.Do(ctx, Request{
		What: "download the artifact", Path: "actions/artifacts/" + strconv.FormatInt(a.ID, 10) + "/zip", FollowAway: true,
	})
	if IsStatus(err, http.StatusGone) {
		return nil, true, nil
	}
	return data, false, err
}

// A LargeArtifactError says that an artifact is larger than what is read of one.
type LargeArtifactError struct{ Name string }

// Error names the artifact and the limit.
func (e *LargeArtifactError) Error() string {
	return fmt.Sprintf("the artifact %s is larger than %d MiB, the limit: measure fewer benchmarks", e.Name, artifact.MaxArchive>>20)
}
