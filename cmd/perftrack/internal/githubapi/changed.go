package githubapi

import (
	"context"
	"net/url"
)

// maxChanged is the maximum number of changed files in GitHub's comparison of two commits.
const maxChanged = 300

// Changed returns the files that differ between base and head, with renamed files listed under both
// names. If GitHub's list may be incomplete, Changed returns no files and all is false.
func (g *Client) Changed(ctx context.Context, base, head string) (files []string, all bool, err error) {
	var answer struct {
		Files []struct {
			Name   string `json:"filename"`
			Before string `json:"previous_filename"`
		} `json:"files"`
	}
	query := url.Values{"per_page": {"1"}, "page": {"1"}}
	if _, err := g.Get(ctx, "list the changed files", "compare/"+base+"..."+head, query, &answer); err != nil {
		return nil, false, err
	}
	if len(answer.Files) >= maxChanged {
		return nil, false, nil
	}
	for _, f := range answer.Files {
		files = append(files, f.Name)
		if f.Before != "" {
			files = append(files, f.Before)
		}
	}
	return files, true, nil
}
