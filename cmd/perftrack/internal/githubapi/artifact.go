package githubapi

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"strconv"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/artifact"
)

// Artifact returns the archive of a name that a run of a workflow left, nil
// where there is none, or none any more.
func (g *Client) Artifact(ctx context.Context, run int64, name string) (data []byte, expired bool, err error) {
	var answer struct {
		Artifacts []struct {
			ID      int64  `json:"id"`
			Name    string `json:"name"`
			Size    int64  `json:"size_in_bytes"`
			Expired bool   `json:"expired"`
		} `json:"artifacts"`
	}
	path := "actions/runs/" + strconv.FormatInt(run, 10) + "/artifacts"
	if _, err := g.Get(ctx, "list artifacts", path, url.Values{"name": {name}, "per_page": {"100"}}, &answer); err != nil {
		return nil, false, err
	}
	// A job that was run again leaves one each time: the newest counts.
	newest, size := int64(0), int64(0)
	for _, a := range answer.Artifacts {
		switch {
		case a.Name != name || a.ID <= newest:
		case a.Expired:
			expired = true
		default:
			newest, size = a.ID, a.Size
		}
	}
	if newest == 0 {
		return nil, expired, nil
	}
	if size > artifact.MaxArchive {
		return nil, false, &LargeArtifactError{name}
	}
	data, _, err = g.Do(ctx, Request{
		What: "download the artifact", Path: "actions/artifacts/" + strconv.FormatInt(newest, 10) + "/zip", FollowAway: true,
	})
	if IsStatus(err, http.StatusGone) { // expired just now
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
