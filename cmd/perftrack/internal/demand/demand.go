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

// Options say where the event comes from and where the answer goes.
type Options struct {
	API       string // GITHUB_API_URL
	Token     string // GITHUB_TOKEN
	EventPath string // GITHUB_EVENT_PATH
	Link      string // address of this run
	Workflow  string // that the comment is of, see [github.Marker]
	Now       func() time.Time
	Sleep     func(context.Context, time.Duration) error // between tries; nil is the real one
}

// An Answer is what is to be measured, or why nothing is.
type Answer struct {
	Refused    string // "" is not at all
	Pull       int
	By         string
	Head, Base string
	Repository string // of the head, "" where it is gone
	Command
}

// Decide decides on the event of a comment or of a workflow that was started by hand. Who may
// not push to the repository is refused, and told so; GitHub lets nobody else start a
// workflow. Of what is measured the head gets a status that blocks until there is a result.
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
		_, err = g.SetComment(ctx, e.Pull, marker(opt), marker(opt)+"\n### perftrack measures nothing for "+reports.CodeSpan(e.By)+"\n\n"+github.Sentence(answer.Refused)+"\n", true)
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
		return answer, fault.Data(fmt.Errorf("where pull request %d left %s is not known", e.Pull, p.BaseName()))
	}
	if p.Head.Repo != nil && !strings.ContainsAny(p.Head.Repo.FullName, "\r\n") {
		answer.Repository = p.Head.Repo.FullName
	}
	// A refusal that is there already is not the last word.
	body := marker(opt) + "\n### perftrack measures " + reports.CodeSpan(record.ShortHash(p.Head.SHA)) + "\n\nAsked for by " + reports.CodeSpan(e.By) + ".\n"
	if _, err := g.SetComment(ctx, e.Pull, marker(opt), body, false); err != nil {
		return answer, err
	}
	// Last: nobody would take it back if nothing were measured.
	if _, err := g.SetStatus(ctx, p.Head.SHA, github.Pending, github.Description(githubapi.AskedFor+e.By+": the benchmarks are being measured", ""), opt.Link); err != nil {
		return answer, err
	}
	answer.Head, answer.Base = p.Head.SHA, base
	return answer, nil
}

// silently is for what asks for nothing.
const silently = "this is no comment for perftrack on a pull request"

// refuse returns why nothing is measured, "" for what is in the command. Who may not ask is told
// nothing more.
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
		return "only those who may push to this repository can have a pull request measured", nil
	}
	if *c, err = ParseComment(e.Body); err != nil {
		return err.Error(), nil
	}
	return "", nil
}

func marker(opt Options) string { return github.Marker(opt.Workflow + "-demand") }

// WriteOutputs appends the answer to the file in which a job finds the outputs of a step. No value
// has a line of its own: [parse] and GitHub see to that.
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
