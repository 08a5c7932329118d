package demand

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/fault"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/githubapi"
	"github.com/perftrack/perftrack/reports"
	"github.com/perftrack/perftrack/reports/github"
	"github.com/perftrack/perftrack/runner/gitrepo"
	"github.com/perftrack/perftrack/runner/record"
)

// Options describe the event and its job.
type Options struct {
	API       string // GITHUB_API_URL
	Token     string // GITHUB_TOKEN
	EventPath string // GITHUB_EVENT_PATH
	Link      string // address of this workflow run
	Workflow  string // identifies perftrack's comment: see [github.Marker]
	Now       func() time.Time
	Sleep     func(context.Context, time.Duration) error // waits between attempts; nil for a real sleep
}

// An Answer holds either the commits to measure or the reason for refusing the request.
type Answer struct {
	Refused    string // the reason, or "" if the request was not refused
	Pull       int
	By         string
	Head, Base string
	Repository string // repository of the head; "" if the repository was deleted
	Command
}

// Decide decides whether to measure a pull request, as requested by a comment or by starting a
// workflow by hand. If the author of a comment has no push access, Decide refuses and replies with
// a comment. Starting a workflow requires push access anyway. The head to be measured gets a
// pending status, to block merging until there is a result.
func Decide(ctx context.Context, opt Options) (answer Answer, err error) {
	e, err := githubapi.ReadDemand(opt.EventPath)
	if err != nil {
		return answer, err
	}
	g, err := githubapi.NewClient(cmp.Or(opt.API, "https://api.github.com"), e.Repository.FullName, opt.Token, opt.Now)
	if err != nil {
		return answer, err
	}
	if opt.Sleep != nil {
		g.Sleep = opt.Sleep
	}
	answer = Answer{Pull: e.Pull, By: e.By}
	if answer.Refused, err = refuse(ctx, g, e, &answer.Command); err != nil || answer.Refused == silently {
		return answer, err
	}
	if answer.Refused != "" {
		_, err = g.SetComment(ctx, e.Pull, marker(opt), marker(opt)+"\n### perftrack will not measure for "+reports.CodeSpan(e.By)+"\n\n"+github.Sentence(answer.Refused)+"\n", true)
		return answer, err
	}
	p, err := g.ReadPull(ctx, e.Pull)
	if err != nil {
		return answer, err
	}
	if p.State != "open" || !gitrepo.IsHash(p.Head.SHA) || p.Base.Repo == nil || p.Base.Repo.ID != e.Repository.ID {
		answer.Refused = fmt.Sprintf("pull request %d is not open", e.Pull)
		return answer, nil
	}
	tip, err := g.BranchTip(ctx, p.Base.Ref)
	if err != nil {
		return answer, err
	}
	base, err := g.MergeBase(ctx, cmp.Or(tip, p.Base.SHA), p.Head.SHA)
	if err != nil {
		return answer, err
	}
	if !gitrepo.IsHash(base) {
		return answer, fault.Data(fmt.Errorf("the merge base of pull request %d with %s is unknown", e.Pull, p.BaseName()))
	}
	if p.Head.Repo != nil && !strings.ContainsAny(p.Head.Repo.FullName, "\r\n") {
		answer.Repository = p.Head.Repo.FullName
	}
	// This comment replaces an earlier refusal.
	body := marker(opt) + "\n### perftrack is measuring " + reports.CodeSpan(record.ShortHash(p.Head.SHA)) + "\n\nRequested by " + reports.CodeSpan(e.By) + ".\n"
	if _, err := g.SetComment(ctx, e.Pull, marker(opt), body, false); err != nil {
		return answer, err
	}
	// The status is set last, because nothing would remove it after a later error.
	if _, err := g.SetStatus(ctx, p.Head.SHA, github.Pending, github.Description("requested by "+e.By+": the benchmarks are being measured", ""), githubapi.Stamp{Asked: true}.AddTo(opt.Link)); err != nil {
		return answer, err
	}
	answer.Head, answer.Base = p.Head.SHA, base
	return answer, nil
}

// silently is the reason for refusing a comment that is not meant for perftrack. Decide does not
// reply to such a comment.
const silently = "the comment is not a perftrack command on a pull request"

// refuse returns the reason for refusing the request, or sets c and returns "" to accept it. It
// checks access before it parses the command, so users without push access get no hints about their
// command.
func refuse(ctx context.Context, g *githubapi.Client, e *githubapi.Demand, c *Command) (why string, err error) {
	if !e.Commented {
		if *c, err = parse(e.Bench, e.Budget); err != nil {
			return "", fault.Usagef("%w", err)
		}
		return "", nil
	}
	if e.Pull == 0 || !IsCommand(e.Body) {
		return silently, nil
	}
	permission, err := g.Permission(ctx, e.By)
	if err != nil && !githubapi.IsStatus(err, http.StatusNotFound) {
		return "", err
	}
	if permission != "admin" && permission != "write" {
		return "measuring a pull request requires push access to this repository", nil
	}
	if *c, err = ParseComment(e.Body); err != nil {
		return err.Error(), nil
	}
	return "", nil
}

func marker(opt Options) string { return github.Marker(opt.Workflow + "-demand") }

// WriteOutputs appends the answer to path, the file for the outputs of the workflow step, unless
// the request was refused. No value contains a line break, because [parse] and GitHub reject them.
func (a Answer) WriteOutputs(path string) (err error) {
	if path == "" || a.Refused != "" {
		return nil
	}
	f, err := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return fault.IO(err)
	}
	_, err = fmt.Fprintf(f, "pull=%s\nhead=%s\nbase=%s\nrepository=%s\nbench=%s\nbudget=%s\n",
		strconv.Itoa(a.Pull), a.Head, a.Base, a.Repository, a.Bench, a.Budget)
	if err := errors.Join(err, f.Close()); err != nil {
		return fault.IO(err)
	}
	return nil
}
