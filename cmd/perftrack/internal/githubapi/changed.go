package githubapi

import (
	"context"
	"net/url"
)

// maxChanged is how many changed files GitHub lists of a comparison of commits.
const maxChanged = 300

// Changed returns the files that head changes of base, those that it renames by both names. It is
// nil, and all is false, where there may be more than GitHub lists.
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
