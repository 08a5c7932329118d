package pullrequest

import (
	"context"
	"errors"
	"os"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/comparison"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/fault"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/githubapi"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/restapi"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/workspace"
	"github.com/perftrack/perftrack/compare"
	"github.com/perftrack/perftrack/reports/github"
	"github.com/perftrack/perftrack/runner/config"
	"github.com/perftrack/perftrack/runner/gitrepo"
	"github.com/perftrack/perftrack/runner/record"
)

// Some forges cannot start a job from the default branch when a measurement has ended. On these, a
// job in the request's own pipeline shows the result. It trusts the trial and the clone, so anyone
// who may change the pipeline can also change the result.

// A Forge shows the result of a job in the request's own pipeline.
type Forge interface {
	// Head returns the newest commit of a pull or merge request, or "" if the request is not open.
	Head(ctx context.Context, request int) (sha string, err error)
	// SetStatus sets the commit status named perftrack to one of the states of [github.Finding].
	SetStatus(ctx context.Context, sha, state, description, link string) error
	// SetComment makes body our only comment beginning with marker, and reports what it did. If
	// create is false, it only updates an existing comment.
	SetComment(ctx context.Context, request int, marker, body string, create bool) (did string, err error)
}

// A Request is the pull or merge request of a pipeline.
type Request struct {
	Forge  Forge
	Number int
	Head   string // newest commit, according to the pipeline
	Base   string // merge base with the target branch according to the pipeline, or ""
	Target string // the target branch, or ""
	Link   string // the job's address
	// Commits is the address of a commit without its hash at the end, or "".
	Commits string
}

// shown returns the options for a comment on the request.
func (r Request) shown(opt Options) github.Options {
	return github.Options{Workflow: opt.Workflow, Link: r.Link, Commits: r.Commits}
}

// CommentOn judges the trial named in opt, or the newest one, and reports the result on the
// pipeline's request. If the forge's API refuses a request, CommentOn prints a notice and returns
// no error.
func CommentOn(ctx context.Context, a *workspace.Session, opt Options, r Request) (res Result, err error) {
	if !gitrepo.IsHash(r.Head) || r.Number <= 0 {
		return res, fault.Usagef("the pipeline does not name a merge request and its head commit: run perftrack ci comment in a merge request pipeline, or use --dry-run")
	}
	res, changed, err := judgeDirectly(ctx, a, opt, r)
	if err != nil || opt.DryRun {
		return res, err
	}
	err = showDirectly(ctx, a, opt, r, &res, changed)
	var refused *restapi.Error
	if errors.As(err, &refused) {
		a.Noticef("the result could not be shown on the merge request: %v", refused)
		res.Summary += "\n" + github.Sentence("The result could not be shown on the merge request: "+refused.Error()) + "\n"
		return res, nil
	}
	return res, err
}

func showDirectly(ctx context.Context, a *workspace.Session, opt Options, r Request, res *Result, changed bool) error {
	head, err := r.Forge.Head(ctx, r.Number)
	if err != nil {
		return err
	}
	if head != r.Head {
		a.Noticef("no comment: %s is no longer the head of the open merge request %d", record.ShortHash(r.Head), r.Number)
		return nil
	}
	res.Pull = r.Number
	a.Noticef("status %s: %s", res.State, res.Description)
	statusErr := r.Forge.SetStatus(ctx, r.Head, res.State, res.Description, r.Link)
	if statusErr != nil && !errors.As(statusErr, new(*restapi.Error)) || opt.Comment == Never {
		return statusErr
	}
	did, err := r.Forge.SetComment(ctx, r.Number, github.Marker(opt.Workflow), res.Body, changed || opt.Comment == Always)
	if err == nil {
		a.Noticef("merge request %d: %s", r.Number, did)
	}
	if statusErr != nil {
		return statusErr // one refusal is enough, because both use the same token
	}
	return err
}

// judgeDirectly judges the trial under the rules in the base commit's perftrack.toml. If there is
// no trial, the result blocks merging.
func judgeDirectly(ctx context.Context, a *workspace.Session, opt Options, r Request) (res Result, changed bool, err error) {
	where, err := a.Locate(ctx)
	if err != nil {
		return res, false, err
	}
	none := func(why, do string, detail error) (Result, bool, error) {
		if detail != nil {
			a.Noticef("%v", detail)
		}
		return Result{
			Body: r.shown(opt).Failed(r.Head, github.Broken, why, do), State: github.Broken, Description: github.Description(broken(why, do, nil).Error(), ""),
		}, true, nil
	}
	var base, head compare.Side
	if _, missing := os.Stat(opt.Trial); opt.Trial != "" && missing != nil && looksLikeFile(opt.Trial) {
		return none("the measurement ended without a result", seeLog, nil)
	}
	if base, head, err = findTrialSides(ctx, a, where, opt.Trial); err != nil {
		if ctx.Err() != nil {
			return res, false, ctx.Err()
		}
		return none("the measurement ended without a trial", seeLog, err)
	}
	if head.Commit() != r.Head {
		return none("the measured commit is not the head of the merge request", "", nil)
	}
	if !r.leftAt(ctx, where, base.Commit()) {
		return none("the measured base is not the merge base with the target branch", "", nil)
	}
	rules, err := baseRules(ctx, where, base.Commit())
	if err != nil {
		return none("the base's perftrack.toml is invalid or missing from this clone", "fetch the whole history", err)
	}
	options := optionsFrom(rules)
	if claimsEdits(head.Runs) {
		files, err := where.Repo.ChangedFiles(ctx, [][2]string{{base.Commit(), head.Commit()}})
		if err != nil {
			return none("this clone lacks the merge request's changes", "fetch the whole history", fault.Git(err))
		}
		options.Edited = editedIn(files[0], head.Runs)
	}
	c := compare.Compare(base, head, options)
	noteOtherTerms(c, rules)
	c.Untried = unmeasured(rules, c)
	accepted, err := comparison.FindAcceptances(ctx, a, where, c)
	if err != nil {
		return res, false, err
	}
	shown := r.shown(opt)
	shown.Site, shown.Opaque = rules.Defaults.Site, rules.Opaque()
	shown.OwnWorkflow, shown.Strict, shown.Accepted = true, opt.Strict, accepted.Reason
	if hasOpenRegression(c, accepted.Reason) {
		if shown.Histories, err = storedMedians(ctx, a, c); err != nil {
			return res, false, err
		}
	}
	f := github.New(c, shown)
	return resultOf(f), f.Changed(), nil
}

// leftAt reports whether base is the merge base of the head and the target branch, according to the
// pipeline or to the clone. This matters because any head looks harmless when compared with itself
// or with a poorly chosen base. If the merge base is unknown, leftAt accepts any commit other than
// the head.
func (r Request) leftAt(ctx context.Context, where workspace.Place, base string) bool {
	if base == "" || base == r.Head {
		return false
	}
	if base == r.Base {
		return true
	}
	if where.Repo != nil && r.Target != "" {
		if left, err := where.Repo.MergeBase(ctx, "refs/remotes/origin/"+r.Target, r.Head); err == nil {
			return left.SHA == base
		}
	}
	return r.Base == ""
}

// looksLikeFile reports whether word looks like a file name and therefore cannot be the id of a
// trial.
func looksLikeFile(word string) bool {
	for _, r := range word {
		if r == '.' || r == '/' || r == os.PathSeparator {
			return true
		}
	}
	return false
}

// baseRules returns the rules in perftrack.toml at the measured base commit, or the default rules
// if there is no such file.
func baseRules(ctx context.Context, where workspace.Place, commit string) (*config.Config, error) {
	if err := where.NeedRepo("perftrack needs one to read the rules from the base commit"); err != nil {
		return nil, err
	}
	text, ok, err := where.Repo.File(ctx, gitrepo.Commit{SHA: commit}, config.FileName, config.MaxSize)
	switch {
	case err != nil:
		return nil, fault.Git(err)
	case !ok:
		if _, err := where.Repo.Resolve(ctx, commit); err != nil {
			return nil, fault.Git(err)
		}
		return config.Default(), nil
	}
	rules, err := config.Parse(text, config.FileName)
	if err != nil {
		return nil, fault.Config(err)
	}
	return rules, nil
}

// A forgejo is the [Forge] for a Forgejo Actions job. Its API accepts the same requests as
// GitHub's.
type forgejo struct{ github *githubapi.Client }

// Forgejo returns the request of a Forgejo Actions job. Such a job has the same variables and event
// file as a GitHub Actions job.
func Forgejo(a *workspace.Session, act Actions) (r Request, err error) {
	e, err := githubapi.ReadEvent(act.EventPath)
	if err != nil {
		return r, err
	}
	if e.PullRequest == nil {
		return r, fault.Usagef("the event is not a pull_request event: see perftrack help forges")
	}
	g, err := githubapi.NewForgejoClient(act.API, e.Repository.FullName, act.Token, a.Now)
	if err != nil {
		return r, err
	}
	r = Request{Forge: forgejo{g}, Number: e.PullRequest.Number, Head: e.HeadSHA(), Target: e.PullRequest.Base.Ref}
	if act.Server != "" && act.Run != "" {
		r.Link = act.Server + "/" + e.Repository.FullName + "/actions/runs/" + act.Run
		r.Commits = act.Server + "/" + e.Repository.FullName + "/commit/"
	}
	return r, nil
}

func (f forgejo) Head(ctx context.Context, request int) (string, error) {
	return f.github.Head(ctx, request)
}

func (f forgejo) SetStatus(ctx context.Context, sha, state, description, link string) error {
	creator, err := f.github.SetStatus(ctx, sha, state, description, link)
	if err == nil {
		f.github.Bot = creator // our comments are written by the same user
	}
	return err
}

func (f forgejo) SetComment(ctx context.Context, request int, marker, body string, create bool) (string, error) {
	if f.github.Bot == 0 || f.github.Bot == githubapi.ActionsBotID {
		return "", &restapi.Error{Forge: "Forgejo", What: "find our comment", Message: "the response does not name the status's creator"}
	}
	return f.github.SetComment(ctx, request, marker, body, create)
}
