package restapi

import (
	"cmp"
	"context"
	"errors"
	"net/http"
	"slices"
	"strings"
	"time"
)

// A Comment is an earlier comment by perftrack.
type Comment struct {
	ID   int64
	Body string
}

// Comments holds the functions for perftrack's comments on one pull or merge request.
type Comments struct {
	Noun   string // the forge's word for a comment
	List   func(ctx context.Context) ([]Comment, error)
	Create func(ctx context.Context, body string) error
	Update func(ctx context.Context, id int64, body string) error
	Delete func(ctx context.Context, id int64) error
}

// SetComment makes body perftrack's only comment and returns a description of what it did. It keeps
// perftrack's oldest comment and deletes any others, left by concurrent jobs. If create is false,
// it only updates an existing comment.
func (c *Client) SetComment(ctx context.Context, of Comments, body string, create bool) (did string, err error) {
	tried := false
	for try := 1; ; try++ {
		own, err := of.List(ctx)
		switch {
		case err != nil:
			return did, err
		case len(own) > 0:
			changed, err := of.keepFirst(ctx, own, body)
			if IsStatus(err, http.StatusNotFound) && try < MaxTries {
				continue // the comment was deleted in the meantime
			}
			switch {
			case err != nil:
			case changed:
				did = "updated the " + of.Noun
			case tried: // the response to an earlier Create was lost
				did = "created the " + of.Noun
			case did == "":
				did = "left the " + of.Noun + " unchanged"
			}
			return did, err
		case did != "":
			return did, nil // the list does not show the new comment yet
		case !create:
			return "no " + of.Noun + " needed", nil
		}
		tried = true
		err = of.Create(ctx, body)
		var e *Error
		switch {
		case err == nil:
			did = "created the " + of.Noun // the next list also shows comments by concurrent jobs
		case errors.As(err, &e) && e.Uncertain() && try < MaxTries:
			if err := c.Sleep(ctx, time.Second<<(try-1)); err != nil {
				return did, err
			}
		default:
			return did, err
		}
	}
}

// keepFirst makes body the text of the oldest comment in own and deletes the others. It reports
// whether the text changed. Differences in white space at either end do not count, because a forge
// may trim it.
func (of Comments) keepFirst(ctx context.Context, own []Comment, body string) (changed bool, err error) {
	slices.SortFunc(own, func(a, b Comment) int { return cmp.Compare(a.ID, b.ID) })
	if strings.TrimSpace(own[0].Body) != strings.TrimSpace(body) {
		if err := of.Update(ctx, own[0].ID, body); err != nil {
			return false, err
		}
		changed = true
	}
	for _, c := range own[1:] {
		if err := of.Delete(ctx, c.ID); err != nil && !IsStatus(err, http.StatusNotFound) {
			return changed, err
		}
	}
	return changed, nil
}
