package notify

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/fault"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/githubapi"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/history"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/workspace"
	"github.com/perftrack/perftrack/compare/steps"
	"github.com/perftrack/perftrack/runner/gitrepo/parcel"
)

// Options say who is told.
type Options struct {
	Branch string // whose history; "" is the default branch, which must be checked out
	DryRun bool   // read what was told, and tell nothing

	// The rolling issue, where there are a repository and a token.
	API, Server, Repository, Token string
	Author                         string // login as whom the token writes

	Webhook Webhook
	Remote  string // of git, that keeps what the webhook was told; "" is the usual one
}

// A Result is what was told, or with DryRun would be, for each channel.
type Result struct {
	Channels []Channel
	InForce  int // regressions
	Alarms   int // what is not measured as it was
	Known    int // series with enough runs to tell
	TooFew   int // series with too few
}

// A Channel is one of them, and its sentences.
type Channel struct {
	Name      string
	Sentences []string
}

// errAlone says that nobody would hear it.
var errAlone = errors.New("nobody to tell: give a webhook in PERFTRACK_WEBHOOK, or in a job of GitHub Actions GITHUB_TOKEN, or see what would be told with --dry-run")

// Run compares the regressions that are in force on the default branch with what each channel
// was told, and tells it the difference.
func Run(ctx context.Context, a *workspace.Session, opt Options) (res Result, err error) {
	channels, err := opt.channels(ctx, a)
	if err != nil {
		return res, err
	}
	branch, err := branchOf(ctx, a, opt.Branch)
	if err != nil {
		return res, err
	}
	now := State{At: a.Now()}
	now.Standings, now.Coverage, err = history.Standings(ctx, a, history.Options{Branch: branch})
	if err != nil {
		return res, err
	}
	res.Alarms = len(now.alarms())
	for _, s := range now.Standings {
		res.InForce += min(1, len(s.InForce))
		if s.Enough {
			res.Known++
		} else {
			res.TooFew++
		}
	}
	count := func(e Event) int { // which of a step's commits are known needs no more than a guess
		n, err := history.CommitsBetween(ctx, a, steps.Step{Last: steps.Point{Commit: e.After}, First: steps.Point{Commit: e.UpTo}})
		if err != nil {
			return 0
		}
		return n
	}
	var failed error
	for _, c := range channels {
		said, err := Tell(ctx, c, now, count, opt.DryRun)
		if err != nil {
			err = fmt.Errorf("tell %s: %w: the next run tries again", c.name(), err)
		}
		failed = errors.Join(failed, err)
		res.Channels = append(res.Channels, Channel{c.name(), said})
	}
	if failed != nil && ctx.Err() == nil {
		failed = fault.IO(failed)
	}
	return res, failed
}

// channels are those that the options name.
func (opt Options) channels(ctx context.Context, a *workspace.Session) (all []channel, err error) {
	where, err := a.Locate(ctx)
	if err != nil {
		return nil, err
	}
	if err := where.NeedRepo("there is no default branch to tell of"); err != nil {
		return nil, err
	}
	shallow, err := where.Repo.Shallow()
	if err != nil {
		return nil, fault.Git(err)
	}
	if shallow {
		return nil, fault.Usagef("this clone is shallow: whether a change was accepted in a commit before its end cannot be seen: fetch all with `git fetch --unshallow`, in a workflow with fetch-depth: 0")
	}
	if opt.Repository != "" && opt.Token != "" {
		g, err := githubapi.NewClient(cmp.Or(opt.API, "https://api.github.com"), opt.Repository, opt.Token, a.Now)
		if err != nil {
			return nil, err
		}
		all = append(all, &issue{github: g, author: opt.Author})
	}
	if opt.Webhook.URL != "" {
		hook, err := newHook(opt.Webhook, opt.Repository)
		if err != nil {
			return nil, err
		}
		hook.clone = parcel.Of(where.Repo)
		if hook.remote, err = hook.clone.Remote(ctx, opt.Remote, a.Dir); err != nil {
			return nil, fault.Git(fmt.Errorf("keep what the webhook was told: %w", err))
		}
		all = append(all, hook)
	}
	if len(all) == 0 && opt.DryRun {
		all = append(all, nobody{})
	}
	if len(all) == 0 {
		return nil, fault.Usagef("%w", errAlone)
	}
	return all, nil
}

// branchOf returns the branch to tell of. Steps of another branch than the default one are
// no news to those who read of that. A branch that was only fetched is the remote's.
func branchOf(ctx context.Context, a *workspace.Session, branch string) (string, error) {
	where, err := a.Locate(ctx)
	if err != nil {
		return "", err
	}
	if branch != "" {
		_, err := where.Repo.Resolve(ctx, branch)
		if err != nil {
			if _, fetched := where.Repo.Resolve(ctx, "origin/"+branch); fetched != nil {
				return "", fault.Git(err)
			}
			branch = "origin/" + branch
		}
		return branch, nil
	}
	here, err := where.Repo.HeadBranch(ctx)
	if err != nil {
		return "", fault.Git(err)
	}
	main, err := where.Repo.DefaultBranch(ctx)
	if err == nil {
		main = strings.TrimPrefix(main, "origin/")
	}
	switch {
	case here == "":
		return "", fault.Usagef("no branch is checked out: name the one to tell of with --branch")
	case err == nil && here != main:
		return "", fault.Usagef("notify tells of the default branch %s, and %s is checked out: name it with --branch", main, here)
	}
	return here, nil
}

// A State is how the branch stands at a moment.
type State struct {
	Standings []history.Standing
	Coverage  history.Coverage
	At        time.Time
}

// A channel is somebody who is told, and remembers it.
type channel interface {
	name() string
	// load returns what the channel was told.
	load(ctx context.Context) (Told, error)
	// save makes it remember what it was told.
	save(ctx context.Context, t Told) error
	// say sends a letter. Sent again, one with the same id is not told twice.
	say(ctx context.Context, l Letter) error
}

// Tell tells a channel what stands otherwise than it was told, and returns the sentences.
// count says how many commits may have made a step. A letter that may not have arrived is
// sent again before anything else is.
func Tell(ctx context.Context, c channel, now State, count func(Event) int, dry bool) (said []string, err error) {
	told, err := c.load(ctx)
	if err != nil {
		return nil, err
	}
	if told.Sending != nil {
		said = sentences(told.Sending.Events)
		if !dry {
			if err := finish(ctx, c, *told.Sending); err != nil {
				return nil, err
			}
		}
		told = told.Sending.after()
	}
	events, next := Differences(told.Steps, now.Standings)
	alarms, nextAlarms := alarmDifferences(told.Alarms, now)
	events = append(events, alarms...)
	for i, e := range events {
		if e.Kind == New || e.Kind == Worse {
			events[i].Commits = count(e)
		}
	}
	switch {
	case dry:
		return append(said, sentences(events)...), nil
	case len(events) == 0 && reflect.DeepEqual(next, told.Steps) && slices.Equal(nextAlarms, told.Alarms):
		return said, nil
	case len(events) == 0:
		return said, c.save(ctx, Told{Version: version, Steps: next, Alarms: nextAlarms})
	}
	l := Letter{ID: letterID(told, events), Events: events, Next: next, Alarms: nextAlarms}
	if first, ok := c.(interface {
		begin(context.Context, Letter) (bool, error)
	}); ok {
		if done, err := first.begin(ctx, l); done || err != nil {
			return append(said, sentences(events)...), err
		}
	}
	if err := c.save(ctx, Told{Version: version, Steps: told.Steps, Alarms: told.Alarms, Sending: &l}); err != nil {
		return said, err
	}
	if err := finish(ctx, c, l); err != nil {
		return said, err
	}
	return append(said, sentences(events)...), nil
}

// finish sends a letter that the channel remembers, and lets it remember that it was sent.
func finish(ctx context.Context, c channel, l Letter) error {
	if err := c.say(ctx, l); err != nil {
		return err
	}
	return c.save(ctx, l.after())
}

// letterID is made of what was told and what is told now.
func letterID(told Told, events []Event) string {
	text, _ := json.Marshal([]any{told, events}) // of numbers that are finite, and text
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:8])
}

func sentences(events []Event) (all []string) {
	for _, e := range events {
		all = append(all, e.sentence(plainly))
	}
	return all
}

// nobody is told what a dry run without a channel shows: all that is in force.
type nobody struct{}

func (nobody) name() string                       { return "nobody" }
func (nobody) load(context.Context) (Told, error) { return Told{Version: version}, nil }
func (nobody) save(context.Context, Told) error   { return nil }
func (nobody) say(context.Context, Letter) error  { return nil }
