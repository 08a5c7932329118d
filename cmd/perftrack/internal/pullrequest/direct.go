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

// Not every forge starts a job of the default branch when a measurement has ended. Where none
// does, a job of the request's own pipeline shows the result, and believes the trial and the
// clone that it finds: whoever may change that pipeline may change what it says.

// A Forge is where such a job shows its result.
type Forge interface {
	// Head returns the newest commit of a pull or merge request, "" if it is not open.
	Head(ctx context.Context, request int) (sha string, err error)
	// SetStatus sets the commit status perftrack to one of the states of [github.Finding].
	SetStatus(ctx context.Context, sha, state, description, link string) error
	// SetComment makes body the one comment of ours that begins with marker, and says what
	// it did. Where create is false, only one that is there already is changed.
	SetComment(ctx context.Context, request int, marker, body string, create bool) (did string, err error)
}

// A Request is the pull or merge request of a pipeline.
type Request struct {
	Forge  Forge
	Number int
	Head   string // its newest commit, as the pipeline has it
	Base   string // where it left its target branch, as the pipeline has it, or ""
	Target string // the name of that branch, or ""
	Link   string // of the job
	// Commits is what a hash is added to for the address of a commit, or "".
	Commits string
}

// shown are the options of a comment.
func (r Request) shown(opt Options) github.Options {
	return github.Options{Workflow: opt.Workflow, Link: r.Link, Commits: r.Commits}
}

// CommentOn compares a trial and reports it on the request of the pipeline: of the file or the
// id that opt names, or the newest one here. What the forge refuses is a notice, not an error.
func CommentOn(ctx context.Context, a *workspace.Session, opt Options, r Request) (res Result, err error) {
	if !gitrepo.IsHash(r.Head) || r.Number <= 0 {
		return res, fault.Usagef("the pipeline names no merge request with its head commit: perftrack comment runs in one of a merge request; --dry-run prints the comment anywhere")
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
		a.Noticef("no comment: %s is not the head of the open merge request %d any more", record.ShortHash(r.Head), r.Number)
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
		return statusErr // one refusal says what the other would: both are of the same token
	}
	return err
}

// judgeDirectly judges the trial by perftrack.toml of the base commit. That there is none is a
// result that blocks.
func judgeDirectly(ctx context.Context, a *workspace.Session, opt Options, r Request) (res Result, changed bool, err error) {
	where, err := a.Locate(ctx)
	if err != nil {
		return res, false, err
	}
	none := func(why string, detail error) (Result, bool, error) {
		if detail != nil {
			a.Noticef("%v", detail)
		}
		return Result{
			Body: r.shown(opt).Failed(r.Head, github.Broken, why), State: github.Broken, Description: github.Description(why, ""),
		}, true, nil
	}
	var base, head compare.Side
	if _, missing := os.Stat(opt.Trial); opt.Trial != "" && missing != nil && looksLikeFile(opt.Trial) {
		return none("the measurement ended without a result: see its log", nil)
	}
	if base, head, err = findTrialSides(ctx, a, where, opt.Trial); err != nil {
		if ctx.Err() != nil {
			return res, false, ctx.Err()
		}
		return none("the measurement ended without a trial: see its log", err)
	}
	if sideCommit(head) != r.Head {
		return none("another commit was measured than the head of the merge request", nil)
	}
	if !r.leftAt(ctx, where, sideCommit(base)) {
		return none("the base that was measured is not where the merge request left its target branch", nil)
	}
	rules, err := baseRules(ctx, where, sideCommit(base))
	if err != nil {
		return none("perftrack.toml of the base has a mistake, or is not in this clone: fetch the whole history", err)
	}
	options := optionsFrom(rules)
	if claimsEdits(head.Runs) {
		files, err := where.Repo.ChangedFiles(ctx, [][2]string{{sideCommit(base), sideCommit(head)}})
		if err != nil {
			return none("what the merge request changes is not in this clone: fetch the whole history", fault.Git(err))
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
	shown.Site = rules.Defaults.Site
	shown.OwnWorkflow, shown.Strict, shown.Accepted = true, opt.Strict, accepted.Reason
	if chartable(c, accepted.Reason) {
		if shown.Histories, err = storedMedians(ctx, a, c); err != nil {
			return res, false, err
		}
	}
	f := github.New(c, shown)
	return resultOf(f), f.Changed(), nil
}

// leftAt reports whether a commit is where the request left its target branch, as the pipeline or the clone
// tells: measured against another one, and the head against itself, whatever it does looks harmless. Where
// neither tells, any other commit than the head is believed.
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

// looksLikeFile reports whether the word cannot be the id of a trial.
func looksLikeFile(word string) bool {
	for _, r := range word {
		if r == '.' || r == '/' || r == os.PathSeparator {
			return true
		}
	}
	return false
}

// baseRules are those of perftrack.toml as the commit that was measured as base has it.
func baseRules(ctx context.Context, where workspace.Place, commit string) (*config.Config, error) {
	if err := where.NeedRepo("its base commit has the rules"); err != nil {
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

// A forgejo is the forge of a job of Forgejo Actions, whose API has GitHub's requests.
type forgejo struct{ github *githubapi.Client }

// Forgejo returns what a job of Forgejo Actions on a pull request talks to, and about what.
// Its runner has the variables and the event of GitHub Actions.
func Forgejo(a *workspace.Session, act Actions) (r Request, err error) {
	e, err := githubapi.ReadEvent(act.EventPath)
	if err != nil {
		return r, err
	}
	if e.PullRequest == nil {
		return r, fault.Usagef("the event is not of a pull_request: see perftrack help forges")
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
		f.github.Bot = creator // whose comments are ours
	}
	return err
}

func (f forgejo) SetComment(ctx context.Context, request int, marker, body string, create bool) (string, error) {
	if f.github.Bot == 0 || f.github.Bot == githubapi.ActionsBotID {
		return "", &restapi.Error{Forge: "Forgejo", What: "find our comment", Message: "the answer to the status does not say who set it"}
	}
	return f.github.SetComment(ctx, request, marker, body, create)
}
