package notify

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/githubapi"
	"github.com/perftrack/perftrack/reports"
	"github.com/perftrack/perftrack/reports/github"
)

// The title of perftrack's issue, and the hidden markers in the issue and its comments.
const (
	issueMarker = "<!-- perftrack:notify:v1 -->"
	toldOpen    = "<!-- perftrack:told "
	lineClose   = " -->"
	issueTitle  = "Performance of the default branch"
	letterOpen  = "<!-- perftrack:letter:"
)

// maxTold is the maximum size in bytes of an unpacked hidden line. The rest is cut off.
const maxTold = 4 << 20

// An issue is the only issue with perftrack's reports in a repository. The last report is stored in
// a hidden line in its body. Regardless of its title, perftrack uses an issue only if the token's
// account created it and it begins with perftrack's marker.
type issue struct {
	github *githubapi.Client
	author string
	number int // 0 if there is no issue yet
	body   string
	state  string
}

// An issueAnswer is an issue in GitHub's API.
type issueAnswer struct {
	Number int    `json:"number"`
	Body   string `json:"body"`
	State  string `json:"state"`
	User   struct {
		Login string `json:"login"`
	} `json:"user"`
	PullRequest *struct{} `json:"pull_request"`
}

func (c *issue) name() string { return "the issue" }

// load finds the issue, whether open or closed, and returns the last report. If two jobs each
// created an issue at the same moment, load uses the first one.
func (c *issue) load(ctx context.Context) (Reported, error) {
	query := url.Values{"state": {"all"}, "creator": {c.author}, "sort": {"created"}, "direction": {"asc"}}
	err := githubapi.Pages(ctx, c.github, "list issues", "issues", query, func(list []issueAnswer) {
		for _, i := range list {
			ours := i.PullRequest == nil && strings.EqualFold(i.User.Login, c.author) && strings.HasPrefix(i.Body, issueMarker)
			if ours && (c.number == 0 || i.Number < c.number) {
				c.number, c.body, c.state = i.Number, i.Body, i.State
			}
		}
	})
	if err != nil || c.number == 0 {
		return Reported{Version: version}, err
	}
	told, err := reportedIn(c.body)
	if err != nil {
		return Reported{}, fmt.Errorf("issue %d: its hidden line was changed (%w): restore it from the issue's edit history, or delete the issue's first line to start another issue", c.number, err)
	}
	return told, nil
}

// begin creates the issue if it does not exist, with the first letter in its body, and reports
// whether it did.
func (c *issue) begin(ctx context.Context, l Letter) (done bool, err error) {
	if c.number != 0 {
		return false, nil
	}
	body, err := issueBody(l.after(), l.Events)
	if err != nil {
		return false, err
	}
	var made issueAnswer
	_, err = c.github.Call(ctx, githubapi.Request{
		What: "create the issue", Method: http.MethodPost, Path: "issues", Once: true, // if the issue was created, the next run finds it
		Body: map[string]any{"title": issueTitle, "body": body},
	}, &made)
	if err == nil && !strings.EqualFold(made.User.Login, c.author) {
		return false, c.abandon(ctx, made)
	}
	c.number = made.Number
	return err == nil, err
}

// abandon closes an issue created by another account, because no later run would recognize it, and
// returns an error explaining this.
func (c *issue) abandon(ctx context.Context, made issueAnswer) error {
	err := fmt.Errorf("the token belongs to %s, but notify only uses issues created by %s, so issue %d was closed again: set the login with --author, or with author in the action",
		plain(made.User.Login), c.author, made.Number)
	_, closing := c.github.Call(ctx, githubapi.Request{
		What: "close the issue", Method: http.MethodPatch, Path: fmt.Sprintf("issues/%d", made.Number),
		Body: map[string]any{"state": "closed", "state_reason": "not_planned", "body": "Created by a different account than the one in `perftrack ci notify --author`.\n"},
	}, nil)
	return errors.Join(err, closing)
}

// save updates the issue's body and opens or closes the issue.
func (c *issue) save(ctx context.Context, t Reported) error {
	body, err := issueBody(t, nil)
	if err != nil {
		return err
	}
	state := "closed"
	if len(t.Steps)+len(t.Alarms) > 0 || t.Sending != nil {
		state = "open"
	}
	if body == c.body && state == c.state {
		return nil
	}
	change := map[string]any{"body": body, "state": state}
	if state == "closed" {
		change["state_reason"] = "completed"
	}
	_, err = c.github.Call(ctx, githubapi.Request{
		What: "update the issue", Method: http.MethodPatch, Path: fmt.Sprintf("issues/%d", c.number), Body: change,
	}, nil)
	if err == nil {
		c.body, c.state = body, state
	}
	return err
}

// say adds a comment with the letter, unless there already is a comment with the letter's id.
func (c *issue) say(ctx context.Context, l Letter) error {
	marker := letterOpen + l.ID + lineClose
	there := false
	path := fmt.Sprintf("issues/%d/comments", c.number)
	err := githubapi.Pages(ctx, c.github, "list comments", path, nil, func(list []struct {
		Body string `json:"body"`
		User struct {
			Login string `json:"login"`
		} `json:"user"`
	}) {
		for _, comment := range list {
			there = there || strings.EqualFold(comment.User.Login, c.author) && strings.HasPrefix(comment.Body, marker)
		}
	})
	if err != nil || there {
		return err
	}
	_, err = c.github.Call(ctx, githubapi.Request{
		What: "comment on the issue", Method: http.MethodPost, Path: path, Once: true, // if the comment was created, the next run finds it
		Body: map[string]string{"body": marker + "\n" + eventList(l.Events, github.MaxComment-len(marker))},
	}, nil)
	return err
}

// issueBody returns the body of an issue: the hidden report and, for readers, the unresolved
// regressions and the alarms. The body of a new issue also lists the events, because it is sent as the first
// e-mail.
func issueBody(t Reported, events []Event) (string, error) {
	hidden, err := hide(t)
	if err != nil {
		return "", err
	}
	var b strings.Builder
	b.WriteString(issueMarker + "\n" + hidden + "\n")
	if len(t.Steps) == 0 {
		b.WriteString("There is no unresolved regression on the default branch.\n")
	} else {
		fmt.Fprintf(&b, "As last reported, %s unresolved on the default branch:\n\n", countOf(len(t.Steps)))
		b.WriteString("| benchmark | unit | before | then | after commit | up to commit |\n|---|---|---:|---:|---|---|\n")
	}
	const foot = "\nA regression is unresolved until it is accepted (`perftrack ci accept`) or a later level is as good as before: " +
		"`perftrack history --steps` lists them. Steps come from unpaired runs, so they are a reason to measure both sides together, but no proof.\n"
	for i, s := range t.Steps {
		row := fmt.Sprintf("| %s | %s | %s | %s | %s | %s |\n", reports.CodeSpan(reports.BenchmarkName(s.Target, s.id())), reports.CodeSpan(s.Unit),
			reports.ScaleFor(s.Unit, s.From).Format(s.From), reports.ScaleFor(s.Unit, s.Value).Format(s.Value), reports.CodeSpan(short(s.After)), reports.CodeSpan(short(s.UpTo)))
		if b.Len()+len(row)+len(foot)+100 > github.MaxComment*3/4 {
			fmt.Fprintf(&b, "\n%d more are not shown.\n", len(t.Steps)-i)
			break
		}
		b.WriteString(row)
	}
	b.WriteString(foot)
	for _, part := range []struct {
		title string
		queue bool
	}{{"No longer measured as before", false}, {"The queue of the fleet", true}} {
		alarms := slices.DeleteFunc(slices.Clone(t.Alarms), func(e Event) bool { return (e.Queue.Kind != "") != part.queue })
		if len(alarms) > 0 {
			b.WriteString("\n" + part.title + ", as last reported:\n\n" + eventList(alarms, github.MaxComment*7/8-b.Len()))
		}
	}
	if len(events) > 0 {
		b.WriteString("\n" + eventList(events, github.MaxComment-b.Len()))
	}
	if b.Len() > github.MaxComment {
		return "", fmt.Errorf("the list of unresolved regressions is too long for an issue (%d bytes, limit %d): accept the intended regressions", b.Len(), github.MaxComment)
	}
	return b.String(), nil
}

func countOf(n int) string {
	if n == 1 {
		return "1 regression is"
	}
	return fmt.Sprintf("%d regressions are", n)
}

// eventList returns a line for each event, and as many lines as fit into room bytes.
func eventList(events []Event, room int) string {
	var b strings.Builder
	for i, e := range events {
		line := "- " + e.sentence(markdown) + ".\n"
		if b.Len()+len(line)+100 > room {
			fmt.Fprintf(&b, "- %d more: see `perftrack ci notify --dry-run`.\n", len(events)-i)
			break
		}
		b.WriteString(line)
	}
	return b.String()
}

// hide packs a report into a hidden line.
func hide(t Reported) (string, error) {
	text, err := t.text()
	if err != nil {
		return "", err
	}
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	if _, err := z.Write(text); err != nil {
		return "", err
	}
	if err := z.Close(); err != nil {
		return "", err
	}
	return toldOpen + base64.StdEncoding.EncodeToString(packed.Bytes()) + lineClose, nil
}

// reportedIn reads the report hidden in the body of an issue.
func reportedIn(body string) (Reported, error) {
	_, rest, ok := strings.Cut(body, toldOpen)
	packed, _, ok2 := strings.Cut(rest, lineClose)
	if !ok || !ok2 {
		return Reported{}, errors.New("it is missing")
	}
	raw, err := base64.StdEncoding.DecodeString(packed)
	if err != nil {
		return Reported{}, err
	}
	z, err := gzip.NewReader(bytes.NewReader(raw))
	if err != nil {
		return Reported{}, err
	}
	text, err := io.ReadAll(io.LimitReader(z, maxTold))
	if err != nil {
		return Reported{}, err
	}
	return parseReported(text)
}
