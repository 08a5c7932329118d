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
	"github.com/perftrack/perftrack/cmd/perftrack/internal/queue"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/workspace"
	"github.com/perftrack/perftrack/compare/steps"
	"github.com/perftrack/perftrack/runner/gitrepo/parcel"
)

// Options are the settings of `perftrack ci notify`.
type Options struct {
	Branch string // branch to report on; "" means the default branch, which must then be checked out
	DryRun bool   // read the last report, but send nothing

	// Settings for the issue. Without a repository and a token, no issue is used.
	API, Server, Repository, Token string
	Author                         string // login of the token's account

	Webhook Webhook
	Remote  string // git remote with the webhook's last report; "" means the default remote
}

// A Result holds the reports for all channels. They have been sent unless DryRun is set.
type Result struct {
	Channels    []Channel
	Unresolved  int // number of unresolved regressions
	Alarms      int // number of alarms about benchmarks
	QueueAlarms int // number of alarms about the queue of a fleet
	Known       int // number of series with enough runs to find a step
	TooFew      int // number of series with too few runs
}

// A Channel holds the name of a channel and the sentences reported to it.
type Channel struct {
	Name      string
	Sentences []string
}

// errAlone is returned if no channel is configured.
var errAlone = errors.New("nowhere to report to: set a webhook in PERFTRACK_WEBHOOK, or GITHUB_TOKEN in a GitHub Actions job; --dry-run shows the report")

// Run compares the branch's current state with each channel's last report, and sends the
// differences.
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
	var failed error
	now.Queue, failed = queue.Read(ctx, a) // after an error, the rest is reported all the same
	res.Alarms, res.QueueAlarms = len(now.alarms()), len(now.queueAlarms())
	for _, s := range now.Standings {
		res.Unresolved += min(1, len(s.Unresolved))
		if s.Enough {
			res.Known++
		} else {
			res.TooFew++
		}
	}
	count := func(e Event) int { // if there is an error, the sentence leaves out the number
		n, err := history.CommitsBetween(ctx, a, steps.Step{Last: steps.Point{Commit: e.After}, First: steps.Point{Commit: e.UpTo}})
		if err != nil {
			return 0
		}
		return n
	}
	for _, c := range channels {
		said, err := Tell(ctx, c, now, count, opt.DryRun)
		if err != nil {
			err = fmt.Errorf("report to %s: %w; the next run will retry", c.name(), err)
		}
		failed = errors.Join(failed, err)
		res.Channels = append(res.Channels, Channel{c.name(), said})
	}
	if failed != nil && ctx.Err() == nil {
		failed = fault.IO(failed)
	}
	return res, failed
}

// channels returns the channels configured by the options.
func (opt Options) channels(ctx context.Context, a *workspace.Session) (all []channel, err error) {
	where, err := a.Locate(ctx)
	if err != nil {
		return nil, err
	}
	if err := where.NeedRepo("there is no default branch to report on"); err != nil {
		return nil, err
	}
	shallow, err := where.Repo.Shallow()
	if err != nil {
		return nil, fault.Git(err)
	}
	if shallow {
		return nil, fault.Usagef("this clone is shallow and may lack commits with accepted changes: fetch the whole history with `git fetch --unshallow`, or in a workflow with fetch-depth: 0")
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
			return nil, fault.Git(fmt.Errorf("remember what the webhook reported: %w", err))
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

// branchOf returns the branch to report on. If branch is "", the default branch must be checked
// out, because its readers do not want news about other branches. If there is no local branch with
// the given name, branchOf returns the remote one.
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
		return "", fault.Usagef("no branch is checked out: name the branch to report on with --branch")
	case err == nil && here != main:
		return "", fault.Usagef("notify reports on the default branch %s, but %s is checked out: name it with --branch", main, here)
	}
	return here, nil
}

// A State is the state of a branch at a point in time.
type State struct {
	Standings []history.Standing
	Coverage  history.Coverage
	Queue     *queue.State // nil if the database has no fleet
	At        time.Time
}

// A channel sends reports and remembers the last one.
type channel interface {
	name() string
	// load returns the last report.
	load(ctx context.Context) (Reported, error)
	// save remembers a report.
	save(ctx context.Context, t Reported) error
	// say sends a letter. A letter sent twice has the same id each time, so readers see it only
	// once.
	say(ctx context.Context, l Letter) error
}

// Tell sends the differences between a channel's last report and now to the channel, and returns
// them as sentences. If an earlier letter may have been lost, Tell first sends it again. count
// returns the number of commits that may have caused a step. If dry is set, nothing is sent.
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
		return said, c.save(ctx, Reported{Version: version, Steps: next, Alarms: nextAlarms})
	}
	l := Letter{ID: letterID(told, events), Events: events, Next: next, Alarms: nextAlarms}
	if first, ok := c.(interface {
		begin(context.Context, Letter) (bool, error)
	}); ok {
		if done, err := first.begin(ctx, l); done || err != nil {
			return append(said, sentences(events)...), err
		}
	}
	if err := c.save(ctx, Reported{Version: version, Steps: told.Steps, Alarms: told.Alarms, Sending: &l}); err != nil {
		return said, err
	}
	if err := finish(ctx, c, l); err != nil {
		return said, err
	}
	return append(said, sentences(events)...), nil
}

// finish sends a letter remembered by the channel, and then records its delivery.
func finish(ctx context.Context, c channel, l Letter) error {
	if err := c.say(ctx, l); err != nil {
		return err
	}
	return c.save(ctx, l.after())
}

// letterID returns a hash of the last report and the new events.
func letterID(told Reported, events []Event) string {
	text, _ := json.Marshal([]any{told, events}) // cannot fail, because the values are text and finite numbers
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:8])
}

func sentences(events []Event) (all []string) {
	for _, e := range events {
		all = append(all, e.sentence(plainly))
	}
	return all
}

// nobody is the channel used by a dry run if no channel is configured. It remembers nothing, so all
// unresolved regressions are shown.
type nobody struct{}

func (nobody) name() string                           { return "nobody" }
func (nobody) load(context.Context) (Reported, error) { return Reported{Version: version}, nil }
func (nobody) save(context.Context, Reported) error   { return nil }
func (nobody) say(context.Context, Letter) error      { return nil }
