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

// An Artifact describes an artifact of a workflow run.
type Artifact struct {
	ID      int64  `json:"id"`
	Name    string `json:"name"`
	Size    int64  `json:"size_in_bytes"`
	Expired bool   `json:"expired"`
}

// Artifact returns the archive of the artifact with the given name from a workflow run. data is nil
// if the run has no such artifact or if it has expired; expired distinguishes the two cases.
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

// Artifacts returns up to a hundred artifacts of a run. If several artifacts have the same name, it
// returns only the newest one, preferring unexpired ones.
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
	// Each rerun of a job leaves another artifact. Prefer the newest unexpired one.
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

// Download returns the archive of an artifact. It returns a [LargeArtifactError] if the archive is
// larger than most bytes. If the artifact has expired in the meantime, it returns no data and
// expired is true.
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

// A LargeArtifactError reports an artifact larger than the limit.
type LargeArtifactError struct{ Name string }

// Error returns a message with the artifact's name and the limit.
func (e *LargeArtifactError) Error() string {
	return fmt.Sprintf("the artifact %s is larger than the limit of %d MiB", e.Name, artifact.MaxArchive>>20)
}
