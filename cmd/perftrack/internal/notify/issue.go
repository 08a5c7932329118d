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
	"strings"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/githubapi"
	"github.com/perftrack/perftrack/reports"
	"github.com/perftrack/perftrack/reports/github"
)

// What an issue of ours begins with, and the parts of the line behind that.
const (
	issueMarker = "<!-- perftrack:notify:v1 -->"
	toldOpen    = "<!-- perftrack:told "
	lineClose   = " -->"
	issueTitle  = "Performance of the default branch"
	letterOpen  = "<!-- perftrack:letter:"
)

// maxTold is how much a hidden line may unpack to.
const maxTold = 4 << 20

// An issue is the one rolling issue of a repository. Its body remembers what was told, in a
// line that no reader sees. Only one that the author wrote and that has our marker is ours,
// whatever others are called.
type issue struct {
	github *githubapi.Client
	author string
	number int // 0: there is none
	body   string
	state  string
}

// An issueAnswer is an issue as GitHub has it.
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

// load finds the issue, open or closed. Of several, which two jobs made at the same moment,
// it is the first.
func (c *issue) load(ctx context.Context) (Told, error) {
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
		return Told{Version: version}, err
	}
	told, err := hiddenTold(c.body)
	if err != nil {
		return Told{}, fmt.Errorf("issue %d: its hidden line was changed (%w): put it back from the issue's edits, or delete the first line of the issue to begin another one", c.number, err)
	}
	return told, nil
}

// begin makes the issue, where there is none. What it says is the first letter.
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
		What: "create the issue", Method: http.MethodPost, Path: "issues", Once: true, // the next run finds it, if it was made
		Body: map[string]any{"title": issueTitle, "body": body},
	}, &made)
	if err == nil && !strings.EqualFold(made.User.Login, c.author) {
		return false, c.abandon(ctx, made)
	}
	c.number = made.Number
	return err == nil, err
}

// abandon closes an issue that no later run would take for ours, and says why. It is not
// ours either when the author is named: it told nobody.
func (c *issue) abandon(ctx context.Context, made issueAnswer) error {
	err := fmt.Errorf("the token writes as %s, and only issues of %s are ours: issue %d is closed again: name the login with --author, of the action with author",
		plain(made.User.Login), c.author, made.Number)
	_, closing := c.github.Call(ctx, githubapi.Request{
		What: "close the issue", Method: http.MethodPatch, Path: fmt.Sprintf("issues/%d", made.Number),
		Body: map[string]any{"state": "closed", "state_reason": "not_planned", "body": "Made by a login that `--author` of `perftrack notify` does not name.\n"},
	}, nil)
	return errors.Join(err, closing)
}

// save writes the body, and opens or closes the issue.
func (c *issue) save(ctx context.Context, t Told) error {
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

// say adds a comment, unless one with the letter's id is there.
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
		What: "comment on the issue", Method: http.MethodPost, Path: path, Once: true, // the next run finds it, if it was made
		Body: map[string]string{"body": marker + "\n" + eventList(l.Events, github.MaxComment-len(marker))},
	}, nil)
	return err
}

// issueBody has what was told, hidden, and for readers what is in force. Below stands what
// made the issue, if this is its first text.
func issueBody(t Told, events []Event) (string, error) {
	hidden, err := hide(t)
	if err != nil {
		return "", err
	}
	var b strings.Builder
	b.WriteString(issueMarker + "\n" + hidden + "\n")
	if len(t.Steps) == 0 {
		b.WriteString("No regression is in force on the default branch.\n")
	} else {
		fmt.Fprintf(&b, "On the default branch %s in force, as last told:\n\n", countOf(len(t.Steps)))
		b.WriteString("| benchmark | unit | before | then | after commit | up to commit |\n|---|---|---:|---:|---|---|\n")
	}
	const foot = "\nA regression is in force until it is accepted (`perftrack accept`) or a later level is as good as the one before it: " +
		"`perftrack history --steps` lists them. Steps are seen in unpaired runs: a reason to measure both sides together, no proof.\n"
	for i, s := range t.Steps {
		row := fmt.Sprintf("| %s | %s | %s | %s | %s | %s |\n", reports.CodeSpan(reports.BenchmarkName(s.Target, s.id())), reports.CodeSpan(s.Unit),
			reports.ScaleFor(s.Unit, s.From).Format(s.From), reports.ScaleFor(s.Unit, s.Value).Format(s.Value), reports.CodeSpan(short(s.After)), reports.CodeSpan(short(s.UpTo)))
		if b.Len()+len(row)+len(foot)+100 > github.MaxComment*3/4 {
			fmt.Fprintf(&b, "\n%d more are left out.\n", len(t.Steps)-i)
			break
		}
		b.WriteString(row)
	}
	b.WriteString(foot)
	if len(t.Alarms) > 0 {
		b.WriteString("\nNot measured as before, as last told:\n\n" + eventList(t.Alarms, github.MaxComment*7/8-b.Len()))
	}
	if len(events) > 0 {
		b.WriteString("\n" + eventList(events, github.MaxComment-b.Len()))
	}
	if b.Len() > github.MaxComment {
		return "", fmt.Errorf("what is in force takes %d bytes, and an issue holds %d: accept what is intended", b.Len(), github.MaxComment)
	}
	return b.String(), nil
}

func countOf(n int) string {
	if n == 1 {
		return "1 regression is"
	}
	return fmt.Sprintf("%d regressions are", n)
}

// eventList is a line for each event, as many as there is room for.
func eventList(events []Event, room int) string {
	var b strings.Builder
	for i, e := range events {
		line := "- " + e.sentence(markdown) + ".\n"
		if b.Len()+len(line)+100 > room {
			fmt.Fprintf(&b, "- %d more: see `perftrack notify --dry-run`.\n", len(events)-i)
			break
		}
		b.WriteString(line)
	}
	return b.String()
}

// hide packs what was told into a line that no reader sees.
func hide(t Told) (string, error) {
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

// hiddenTold reads what was told from the body of an issue.
func hiddenTold(body string) (Told, error) {
	_, rest, ok := strings.Cut(body, toldOpen)
	packed, _, ok2 := strings.Cut(rest, lineClose)
	if !ok || !ok2 {
		return Told{}, errors.New("it is missing")
	}
	raw, err := base64.StdEncoding.DecodeString(packed)
	if err != nil {
		return Told{}, err
	}
	z, err := gzip.NewReader(bytes.NewReader(raw))
	if err != nil {
		return Told{}, err
	}
	text, err := io.ReadAll(io.LimitReader(z, maxTold))
	if err != nil {
		return Told{}, err
	}
	return parseTold(text)
}
