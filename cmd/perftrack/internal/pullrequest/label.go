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
	"github.com/perftrack/perftrack/compare/acceptance"
	"github.com/perftrack/perftrack/reports/github"
	"github.com/perftrack/perftrack/runner/config"
	"github.com/perftrack/perftrack/runner/record"
)

// The label for accepting regressions does not name them. It accepts the regressions shown in the
// comment when the label was set. A hidden line in the comment contains the head and its
// regressions. GitHub reports when the comment was last written, and when and by whom the label was
// set. Once the label has accepted regressions, the hidden line also records the acceptance.

// A shownState is the content of the hidden line in a comment.
type shownState struct {
	Head    string           `json:"head"`
	Rows    sizes            `json:"rows"`
	Label   *labelGrant      `json:"label,omitempty"`
	Records map[string]sizes `json:"records,omitempty"` // accepted rows of each record, by record id
	Earlier sizes            `json:"earlier,omitempty"` // last regressions shown, if Rows is empty
}

// sizes maps the keys of rows to the sizes of their regressions.
type sizes map[string]string

// covers reports whether the row's regression was shown at its present size or larger.
func (s sizes) covers(r *compare.Row) bool {
	most, err := acceptance.ParseSize(s[rowKey(r)])
	return err == nil && acceptance.SizeOf(r).Within(most, r.Threshold)
}

// regressedSizes returns the sizes of the regressions, but at most maxShown of them.
func regressedSizes(comparison *compare.Comparison) sizes {
	s := sizes{}
	for r := range comparison.Rows() {
		if r.Verdict == compare.Regressed && len(s) < maxShown {
			s[rowKey(r)] = acceptance.SizeOf(r).String()
		}
	}
	return s
}

// A labelGrant records the regressions accepted by the label.
type labelGrant struct {
	Event int64  `json:"event"`
	Head  string `json:"head"`
	Rows  sizes  `json:"rows"`
}

// maxShown is the maximum number of regressions recorded in a comment and accepted by a label.
const maxShown = 200

// maxRecorded is the maximum number of bytes in the hidden line for the records of a head. It
// leaves most of the comment to its readers.
const maxRecorded = 24_000

const (
	shownPrefix = "<!-- perftrack:shown:v1 "
	shownSuffix = " -->"
)

// acceptByLabel adds the regressions accepted by the label to the intended ones. If some
// regressions remain open, it adds a note with the reason.
func (c *job) acceptByLabel(ctx context.Context, comparison *compare.Comparison, intended intention, weakest string) (intention, error) {
	if weakest == config.AcceptRecord {
		c.note("The label %s does not count, because perftrack.toml on %s has accept = %q.", acceptLabel, c.pull.BaseName(), weakest)
		return intended, nil
	}
	set, err := c.github.LastLabeling(ctx, c.pull.Number, acceptLabel)
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
	by := "an unknown user"
	if set != nil && set.By != "" {
		by = set.By
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
		c.note("The label %s, set by %s, does not accept all of these changes: it covers only the head and the sizes shown when it was set. "+
			"To accept the current sizes, remove the label and set it again.", acceptLabel, by)
	}
	return either, nil
}

// acceptByRecord returns a function that reports which regressions the head's records accept. A
// record accepts regressions up to the sizes shown in the comment when the record was first seen,
// or up to the present sizes if there was no comment.
func (c *job) acceptByRecord(ctx context.Context, comparison *compare.Comparison, records acceptance.List) (intention, error) {
	if len(records) == 0 {
		return func(*compare.Row) (string, bool) { return "", false }, nil
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
				return one.Reason + " (perftrack ci accept" + byAuthor(one) + ")", true
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
		c.note("A change is larger now than when it was accepted: revoke the acceptance with `perftrack ci accept --revoke ID`, and accept the change again if it is still intended.")
	}
	return accepted, nil
}

// byAuthor returns a phrase with the author of an acceptance, or "" if the author is unknown.
func byAuthor(one record.Acceptance) string {
	if name := one.AuthorName(); name != "" {
		return ", by " + name
	}
	return ""
}

// limitRecords returns the largest accepted sizes of each record's rows. It includes as many of the
// newest records as there is room for. The sizes are fixed when a record is first seen, so a record
// without rows then accepts nothing later.
func limitRecords(comparison *compare.Comparison, records acceptance.List, state shownState) map[string]sizes {
	shown := state.Rows
	if len(shown) == 0 {
		shown = state.Earlier
	}
	kept, room := map[string]sizes{}, maxRecorded
	for _, one := range slices.Backward(records) {
		id := record.ShortHash(one.ID())
		of := sizes{}
		for r := range comparison.Rows() {
			if len(acceptance.List{one}.Of(r.Target, r.BenchmarkID)) == 0 {
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

// note adds a sentence to the comment and prints it to the log.
func (c *job) note(format string, args ...any) {
	text := fmt.Sprintf(format, args...)
	c.notes = append(c.notes, text)
	c.session.Noticef("%s", text)
}

// noteEarlier adds a note if a regression was accepted only for an earlier head.
func (c *job) noteEarlier(comparison *compare.Comparison, intended intention, earlier acceptance.List) {
	for r := range comparison.Rows() {
		if _, ok := intended(r); ok || r.Verdict != compare.Regressed {
			continue
		}
		if of := earlier.Of(r.Target, r.BenchmarkID); len(of) > 0 {
			c.note("A change was accepted only for the head %s: accept it again with `--commit %s` if it is still intended.",
				record.ShortHash(of[len(of)-1].Commit), record.ShortHash(c.pull.Head.SHA))
			return
		}
	}
}

// hiddenState returns the hidden line for the comment, with the regressions shown and the
// acceptances for this head so far. It returns "" if there are neither.
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

// carriedState returns the state for a comment without regressions or without a result. It takes
// over the state of the previous comment on the same head, to keep acceptances and their sizes.
func (c *job) carriedState(ctx context.Context) (state shownState) {
	before, _, err := c.lastShown(ctx)
	if err != nil {
		c.session.Noticef("read earlier acceptances: %s", fault.FirstLine(err))
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

// line returns the state as a hidden line, or "" if the state is empty.
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

// rowKey returns a short hash that identifies a row.
func rowKey(r *compare.Row) string {
	sum := sha256.Sum256([]byte(strings.Join([]string{r.Target, string(r.Kind), r.Suite, r.Package, r.Name, r.Unit}, "\x00")))
	return hex.EncodeToString(sum[:6])
}

// lastShown returns the state in our comment on the pull request, and the time when it was written.
func (c *job) lastShown(ctx context.Context) (state shownState, written time.Time, err error) {
	own, err := c.github.ListComments(ctx, c.pull.Number, github.Marker(c.opt.Workflow), 0)
	if err != nil || !slices.ContainsFunc(own, func(o githubapi.Comment) bool { return strings.Contains(o.Body, shownPrefix) }) {
		return state, written, err // no comment has a state, regardless of our user id
	}
	me, err := c.me(ctx)
	own = slices.DeleteFunc(own, func(o githubapi.Comment) bool { return o.User.ID != me })
	if err != nil || len(own) == 0 {
		return state, written, err
	}
	for line := range strings.Lines(own[0].Body) {
		if text, ok := strings.CutPrefix(strings.TrimSpace(line), shownPrefix); ok {
			_ = json.Unmarshal([]byte(strings.TrimSuffix(text, shownSuffix)), &state) // an edited line counts as empty
			return state, own[0].Updated, nil
		}
	}
	return state, written, nil
}
