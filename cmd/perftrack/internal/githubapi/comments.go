package githubapi

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/restapi"
)

// A Comment is a comment on a pull request.
type Comment struct {
	ID      int64     `json:"id"`
	Body    string    `json:"body"`
	Updated time.Time `json:"updated_at"`
	User    struct {
		ID int64 `json:"id"`
	} `json:"user"`
}

// SetComment makes body the token user's only comment beginning with marker on the pull request,
// and returns a description of what it did: see [restapi.Client.SetComment]. It ignores comments by
// other users, even if they begin with the marker.
func (g *Client) SetComment(ctx context.Context, pull int, marker, body string, create bool) (did string, err error) {
	me := g.Bot
	return g.Client.SetComment(ctx, restapi.Comments{
		Noun: "comment",
		List: func(ctx context.Context) (own []restapi.Comment, err error) {
			list, err := g.ListComments(ctx, pull, marker, me)
			for _, c := range list {
				own = append(own, restapi.Comment{ID: c.ID, Body: c.Body})
			}
			return own, err
		},
		Create: func(ctx context.Context, body string) error {
			var made Comment
			_, err := g.Call(ctx, Request{
				What: "create the comment", Method: http.MethodPost, Path: fmt.Sprintf("issues/%d/comments", pull),
				Body: map[string]string{"body": body}, Once: true,
			}, &made)
			if err == nil {
				me = made.User.ID // for List to find the earlier comments of the token's user
			}
			return err
		},
		Update: func(ctx context.Context, id int64, body string) error {
			_, err := g.Call(ctx, Request{
				What: "update the comment", Method: http.MethodPatch, Path: fmt.Sprintf("issues/comments/%d", id),
				Body: map[string]string{"body": body},
			}, nil)
			return err
		},
		Delete: func(ctx context.Context, id int64) error {
			_, err := g.Call(ctx, Request{
				What: "delete a second comment", Method: http.MethodDelete, Path: fmt.Sprintf("issues/comments/%d", id),
			}, nil)
			return err
		},
	}, body, create)
}

// ListComments returns the comments beginning with marker, oldest first. If me is not 0, it returns
// only comments by the user with this id.
func (g *Client) ListComments(ctx context.Context, pull int, marker string, me int64) (own []Comment, err error) {
	path := fmt.Sprintf("issues/%d/comments", pull)
	err = Pages(ctx, g, "list comments", path, nil, func(list []Comment) {
		for _, c := range list {
			if (me == 0 || c.User.ID == me) && strings.HasPrefix(c.Body, marker) {
				own = append(own, c)
			}
		}
	})
	slices.SortFunc(own, func(a, b Comment) int { return int(min(1, max(-1, a.ID-b.ID))) })
	return own, err
}
