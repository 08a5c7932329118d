package pullrequest

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/fault"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/githubapi"
	"github.com/perftrack/perftrack/compare"
	"github.com/perftrack/perftrack/reports/github"
	"github.com/perftrack/perftrack/runner/config"
	"github.com/perftrack/perftrack/runner/record"
)

// A label says nothing of what it accepts. What it accepts is therefore what was shown
// when it was set: the comment keeps, in a line that no reader sees, which regressions of
// which head it shows, and GitHub says when the comment was last written and when and by
// whom the label was set. From then on the comment keeps what that label accepted.

// A shownState is what a comment keeps, in a line that no reader sees.
type shownState struct {
	Head    string           `json:"head"`
	Rows    sizes            `json:"rows"`
	Label   *labelGrant      `json:"label,omitempty"`   // what was accepted
	Records map[string]sizes `json:"records,omitempty"` // of each record, by its id, the rows that it covers
	Earlier sizes            `json:"earlier,omitempty"` // where nothing regressed: what did when last something did
}

// sizes are the sizes of regressions, by the keys of their rows.
type sizes map[string]string

// covers reports whether the regression of a row was shown, and as no smaller than it is.
func (s sizes) covers(r *compare.Row) bool {
	most, err := compare.ParseSize(s[rowKey(r)])
	return err == nil && r.Size().Within(most, r.Threshold)
}

// regressedSizes returns the sizes of all regressions, as many as a comment keeps.
func regressedSizes(comparison *compare.Comparison) sizes {
	s := sizes{}
	for r := range comparison.Rows() {
		if r.Verdict == compare.Regressed && len(s) < maxShown {
			s[rowKey(r)] = r.Size().String()
		}
	}
	return s
}

// A labelGrant is what the label accepts: the regressions that were shown when it was set.
type labelGrant struct {
	Event int64  `json:"event"`
	Head  string `json:"head"`
	Rows  sizes  `json:"rows"`
}

// maxShown is how many regressions a comment keeps, and so how many a label accepts.
const maxShown = 200

// maxRecorded is how many bytes of a comment keep what the records of one head accept;
// with what is shown and what the label accepts it leaves the comment room to speak.
const maxRecorded = 24_000

const (
	shownPrefix = "<!-- perftrack:shown:v1 "
	shownSuffix = " -->"
)

// acceptByLabel adds what the label accepts to what is intended. Where that leaves some
// regression open, a note says why.
func (c *job) acceptByLabel(ctx context.Context, comparison *compare.Comparison, intended intention, weakest string) (intention, error) {
	if weakest == config.AcceptRecord {
		c.note("The label %s does not count: perftrack.toml of %s has accept = %q.", acceptLabel, c.pull.BaseName(), weakest)
		return intended, nil
	}
	set, err := findLabelEvent(ctx, c.github, c.pull.Number)
	if err != nil {
		return nil, err
	}
	state, written, err := c.lastShown(ctx)
	if err != nil {
		return nil, err
	}
	switch {
	case set == nil:
	case state.Label != nil && state.Label.Event == set.ID && state.Label.Head == c.pull.Head.SHA:
		c.label = state.Label
	case state.Head == c.pull.Head.SHA && written.Before(set.Time):
		c.label = &labelGrant{Event: set.ID, Head: state.Head, Rows: state.Rows}
	}
	by := "nobody known"
	if set != nil && set.Actor.Login != "" {
		by = set.Actor.Login
	}
	either := intended
	if c.label != nil {
		either = func(r *compare.Row) (string, bool) {
			if reason, ok := intended(r); ok {
				return reason, ok
			}
			return "label " + acceptLabel + ", set by " + by, c.label.Rows.covers(r)
		}
	}
	if hasOpenRegression(comparison, either) {
		c.note("The label %s, set by %s, does not accept all of this: it holds for the head and the sizes that were shown here when it was set. "+
			"To accept what is shown now, take it off and set it again.", acceptLabel, by)
	}
	return either, nil
}

// acceptByRecord returns which regressions the records of the head accept. Each holds up to the
// sizes that were shown when it was first seen here; without a comment that shows any,
// those of now.
func (c *job) acceptByRecord(ctx context.Context, comparison *compare.Comparison, records compare.Accepted) (intention, error) {
	none := func(*compare.Row) (string, bool) { return "", false }
	if len(records) == 0 {
		return none, nil
	}
	state, _, err := c.lastShown(ctx)
	if err != nil {
		return nil, err
	}
	if state.Head != c.pull.Head.SHA {
		state = shownState{Rows: regressedSizes(comparison)}
	}
	c.records = limitRecords(comparison, records, state)
	worse := false
	accepted := func(r *compare.Row) (string, bool) {
		of := records.Of(r.Target, r.BenchmarkID)
		for _, one := range slices.Backward(of) {
			if c.records[record.ShortHash(one.ID())].covers(r) {
				return one.Reason + " (perftrack accept" + byAuthor(one) + ")", true
			}
		}
		worse = worse || len(of) > 0
		return "", false
	}
	for r := range comparison.Rows() {
		if r.Verdict == compare.Regressed {
			accepted(r)
		}
	}
	if worse {
		c.note("A change was accepted at a smaller size than it has now: take that back with `perftrack accept --revoke ID`, and record it again if it is still intended.")
	}
	return accepted, nil
}

// byAuthor names who recorded an acceptance, "" where that is not known.
func byAuthor(one record.Acceptance) string {
	if name := one.AuthorName(); name != "" {
		return ", by " + name
	}
	return ""
}

// limitRecords returns the sizes up to which each record accepts the rows that it covers, of
// as many of the newest records as there is room for. A record without any accepts nothing,
// also later: its sizes are those of when it was first seen.
func limitRecords(comparison *compare.Comparison, records compare.Accepted, state shownState) map[string]sizes {
	shown := state.Rows
	if len(shown) == 0 {
		shown = state.Earlier
	}
	kept, room := map[string]sizes{}, maxRecorded
	for _, one := range slices.Backward(records) {
		id := record.ShortHash(one.ID())
		of := sizes{}
		for r := range comparison.Rows() {
			if len(compare.Accepted{one}.Of(r.Target, r.BenchmarkID)) == 0 {
				continue
			}
			key := rowKey(r)
			if size, ok := shown[key]; ok {
				of[key] = size
			}
		}
		if before, ok := state.Records[id]; ok {
			of = before
		}
		for key, size := range of {
			room -= len(key) + len(size) + len(`"":"",`)
		}
		if room -= len(id) + len(`"":{},`); room < 0 {
			break
		}
		kept[id] = of
	}
	return kept
}

// note adds a sentence to the comment, and to the log.
func (c *job) note(format string, args ...any) {
	text := fmt.Sprintf(format, args...)
	c.notes = append(c.notes, text)
	c.session.Noticef("%s", text)
}

// noteEarlier notes that a change was accepted, but for an earlier head.
func (c *job) noteEarlier(comparison *compare.Comparison, intended intention, earlier compare.Accepted) {
	for r := range comparison.Rows() {
		if _, ok := intended(r); ok || r.Verdict != compare.Regressed {
			continue
		}
		if of := earlier.Of(r.Target, r.BenchmarkID); len(of) > 0 {
			c.note("A change was accepted at %s, and holds for that head alone: record it again with `--commit %s` if it is still intended.",
				record.ShortHash(of[len(of)-1].Commit), record.ShortHash(c.pull.Head.SHA))
			return
		}
	}
}

// hiddenState returns the line that keeps what the comment shows, and what was accepted of the same
// head before, "" where there is neither.
func (c *job) hiddenState(ctx context.Context, comparison *compare.Comparison) string {
	state := shownState{Head: c.pull.Head.SHA, Rows: regressedSizes(comparison), Label: c.label, Records: c.records}
	if state.Label == nil || state.Records == nil {
		before := c.carriedState(ctx)
		state.Label = cmp.Or(state.Label, before.Label)
		if state.Records == nil {
			state.Records = before.Records
		}
		if len(state.Rows) == 0 {
			state.Earlier = before.Earlier
		}
	}
	return state.line()
}

// carriedState returns what a comment on which nothing regressed, or which has no result, still has
// to keep of the one before, if that is of the same head: what is accepted, and up to which
// size, is not forgotten in between.
func (c *job) carriedState(ctx context.Context) (state shownState) {
	before, _, err := c.lastShown(ctx)
	if err != nil {
		c.session.Noticef("what was accepted before: %s", fault.FirstLine(err))
	}
	if err != nil || before.Head != c.pull.Head.SHA {
		return shownState{Head: c.pull.Head.SHA}
	}
	if len(before.Rows) > 0 {
		before.Earlier = before.Rows
	}
	before.Rows = nil
	return before
}

// line returns the state as a line of a comment, "" where there is nothing to keep.
func (s shownState) line() string {
	if len(s.Rows)+len(s.Earlier)+len(s.Records) == 0 && s.Label == nil {
		return ""
	}
	text, err := json.Marshal(s)
	if err != nil {
		return ""
	}
	return shownPrefix + string(text) + shownSuffix
}

// rowKey names a row in a few characters.
func rowKey(r *compare.Row) string {
	sum := sha256.Sum256([]byte(strings.Join([]string{r.Target, string(r.Kind), r.Suite, r.Package, r.Name, r.Unit}, "\x00")))
	return hex.EncodeToString(sum[:6])
}

// lastShown returns what our comment on the pull request keeps, and when it was written.
func (c *job) lastShown(ctx context.Context) (state shownState, written time.Time, err error) {
	own, err := c.github.ListComments(ctx, c.pull.Number, github.Marker(c.opt.Workflow), 0)
	if err != nil || !slices.ContainsFunc(own, func(o githubapi.Comment) bool { return strings.Contains(o.Body, shownPrefix) }) {
		return state, written, err // nobody's, so that there is no need to ask which are ours
	}
	me, err := c.me(ctx)
	own = slices.DeleteFunc(own, func(o githubapi.Comment) bool { return o.User.ID != me })
	if err != nil || len(own) == 0 {
		return state, written, err
	}
	for line := range strings.Lines(own[0].Body) {
		if text, ok := strings.CutPrefix(strings.TrimSpace(line), shownPrefix); ok {
			_ = json.Unmarshal([]byte(strings.TrimSuffix(text, shownSuffix)), &state) // one that somebody edited keeps nothing
			return state, own[0].Updated, nil
		}
	}
	return state, written, nil
}

// A labelEvent is the setting of a label.
type labelEvent struct {
	ID    int64     `json:"id"`
	Event string    `json:"event"`
	Time  time.Time `json:"created_at"`
	Actor struct {
		Login string `json:"login"`
	} `json:"actor"`
	Label struct {
		Name string `json:"name"`
	} `json:"label"`
}

// findLabelEvent returns when the label was set that the pull request has, nil if GitHub does
// not say.
func findLabelEvent(ctx context.Context, g *githubapi.Client, pull int) (set *labelEvent, err error) {
	err = githubapi.Pages(ctx, g, "find who set the label", fmt.Sprintf("issues/%d/events", pull), nil, func(list []labelEvent) {
		for _, e := range list {
			if strings.EqualFold(e.Label.Name, acceptLabel) && e.Event == "labeled" && (set == nil || e.Time.After(set.Time)) {
				set = &e
			}
		}
	})
	return set, err
}
