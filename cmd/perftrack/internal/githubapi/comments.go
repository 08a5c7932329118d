package githubapi

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/restapi"
)

// A Comment is a comment of a pull request.
type Comment struct {
	ID      int64     `json:"id"`
	Body    string    `json:"body"`
	Updated time.Time `json:"updated_at"`
	User    struct {
		ID int64 `json:"id"`
	} `json:"user"`
}

// SetComment makes body the one comment of the pull request that begins with
// marker and is our own, and says what it did. A comment of somebody else's
// that has the marker is not ours. Where create is false, only a comment that
// is there already is changed.
func (g *Client) SetComment(ctx context.Context, pull int, marker, body string, create bool) (did string, err error) {
	me := g.Bot
	created := int64(0)
	for try := 1; ; try++ {
		own, err := g.ListComments(ctx, pull, marker, me)
		if err != nil {
			return did, err
		}
		if len(own) == 0 && created != 0 {
			return did, nil // GitHub's list has not caught up
		}
		if len(own) > 0 {
			err := g.keepFirst(ctx, own, body, created)
			if IsStatus(err, http.StatusNotFound) && try < restapi.MaxTries {
				continue // deleted meanwhile
			}
			if did == "" || len(own) > 1 && own[0].ID != created {
				did = "updated the comment"
			}
			return did, err
		}
		if !create {
			return "no comment needed", nil
		}
		var made Comment
		_, err = g.Call(ctx, Request{
			What: "create the comment", Method: http.MethodPost, Path: fmt.Sprintf("issues/%d/comments", pull),
			Body: map[string]string{"body": body}, Once: true,
		}, &made)
		var e *Error
		switch {
		case err == nil:
			// The next look finds what another job made at the same moment, and
			// earlier comments of whoever the token really belongs to.
			did, created, me = "created the comment", made.ID, made.User.ID
		case errors.As(err, &e) && e.Uncertain() && try < restapi.MaxTries:
			if err := g.Sleep(ctx, time.Second<<(try-1)); err != nil {
				return did, err
			}
		default:
			return did, err
		}
	}
}

// ListComments returns the comments with the marker of the user me, 0 being any, the oldest first.
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

// keepFirst makes body the oldest of our comments and deletes the others.
func (g *Client) keepFirst(ctx context.Context, own []Comment, body string, created int64) error {
	if own[0].ID != created || own[0].Body != body {
		_, err := g.Call(ctx, Request{
			What: "update the comment", Method: http.MethodPatch, Path: fmt.Sprintf("issues/comments/%d", own[0].ID),
			Body: map[string]string{"body": body},
		}, nil)
		if err != nil {
			return err
		}
	}
	for _, c := range own[1:] {
		_, err := g.Call(ctx, Request{
			What: "delete a second comment", Method: http.MethodDelete, Path: fmt.Sprintf("issues/comments/%d", c.ID),
		}, nil)
		if err != nil && !IsStatus(err, http.StatusNotFound) {
			return err
		}
	}
	return nil
}
