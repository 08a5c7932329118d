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

// A Comment is a comment of ours.
type Comment struct {
	ID   int64
	Body string
}

// Comments are those of one page of a forge, with which [Client.SetComment] keeps one.
type Comments struct {
	Noun   string // what the forge calls one: "comment"
	List   func(ctx context.Context) ([]Comment, error)
	Create func(ctx context.Context, body string) error
	Update func(ctx context.Context, id int64, body string) error
	Delete func(ctx context.Context, id int64) error
}

// SetComment makes body the one comment of ours, and says what it did: the oldest is kept, and
// others, which jobs made at the same moment, are deleted. Where create is false, only a
// comment that is there already is changed.
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
				continue // deleted meanwhile
			}
			switch {
			case err != nil:
			case changed:
				did = "updated the " + of.Noun
			case tried: // though nobody confirmed it
				did = "created the " + of.Noun
			case did == "":
				did = "left the " + of.Noun + " as it is"
			}
			return did, err
		case did != "":
			return did, nil // the list has not caught up
		case !create:
			return "no " + of.Noun + " needed", nil
		}
		tried = true
		err = of.Create(ctx, body)
		var e *Error
		switch {
		case err == nil:
			did = "created the " + of.Noun // the next look finds what another job made at the same moment
		case errors.As(err, &e) && e.Uncertain() && try < MaxTries:
			if err := c.Sleep(ctx, time.Second<<(try-1)); err != nil {
				return did, err
			}
		default:
			return did, err
		}
	}
}

// keepFirst makes body the oldest of our comments and deletes the others. It reports whether it
// changed the text. A forge may keep no blanks at the ends.
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
