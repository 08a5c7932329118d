package site

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"encoding/xml"
	"fmt"
	"math"
	"net/url"
	"strings"
	"time"

	"github.com/perftrack/perftrack/reports"
	"github.com/perftrack/perftrack/reports/site/documents"
)

// Feed returns the regressions as an Atom feed (RFC 4287), with the entries in the order of the
// regressions. It depends only on the measurements, so the same data give the same bytes.
func Feed(index *documents.Index, commits *documents.Commits, regressions *documents.Regressions) ([]byte, error) {
	meta := index.Meta
	feed := atomFeed{
		Namespace: "http://www.w3.org/2005/Atom",
		Title:     plainText("Regressions in " + orElse(meta.Title, "this repository")),
		Subtitle:  plainText("Benchmarks that got worse on " + orElse(meta.Branch, "the branch") + ": unresolved, accepted and recovered. A step is a reason to measure both of its sides together, not a proof."),
		ID:        urn("feed", meta.Title, meta.Repository, meta.Branch),
		Author:    atomPerson{reports.Message(orElse(meta.Title, "perftrack"))},
		Generator: &atomGenerator{"perftrack", meta.Version},
		Links:     []atomLink{{"self", "application/atom+xml", FeedPath}, {"alternate", "text/html", "index.html#/regressions"}},
	}
	newest := index.Now.LastRun
	for _, r := range regressions.List {
		entry, updated := atomEntryOf(index, commits, r)
		newest = max(newest, updated)
		feed.Entries = append(feed.Entries, entry)
	}
	feed.Updated = instant(newest)
	text, err := xml.MarshalIndent(feed, "", " ")
	if err != nil {
		return nil, fmt.Errorf("write the feed of regressions: %w", err)
	}
	return append(append([]byte(xml.Header), text...), '\n'), nil
}

type (
	atomFeed struct {
		XMLName   xml.Name       `xml:"feed"`
		Namespace string         `xml:"xmlns,attr"`
		ID        string         `xml:"id"`
		Title     atomText       `xml:"title"`
		Subtitle  atomText       `xml:"subtitle"`
		Updated   string         `xml:"updated"`
		Author    atomPerson     `xml:"author"`
		Generator *atomGenerator `xml:"generator"`
		Links     []atomLink     `xml:"link"`
		Entries   []atomEntry    `xml:"entry"`
	}
	atomEntry struct {
		ID        string       `xml:"id"`
		Title     atomText     `xml:"title"`
		Updated   string       `xml:"updated"`
		Published string       `xml:"published"`
		Authors   []atomPerson `xml:"author"`
		Link      atomLink     `xml:"link"`
		Category  atomCategory `xml:"category"`
		Content   atomText     `xml:"content"`
	}
	atomText struct {
		Type string `xml:"type,attr"`
		Text string `xml:",chardata"`
	}
	atomPerson struct {
		Name string `xml:"name"`
	}
	atomGenerator struct {
		Name    string `xml:",chardata"`
		Version string `xml:"version,attr,omitempty"`
	}
	atomLink struct {
		Rel  string `xml:"rel,attr"`
		Type string `xml:"type,attr"`
		Href string `xml:"href,attr"`
	}
	atomCategory struct {
		Term string `xml:"term,attr"`
	}
)

func atomEntryOf(index *documents.Index, commits *documents.Commits, r documents.Regression) (e atomEntry, updated int64) {
	b := index.Benchmarks[r.Benchmark]
	published := commitTime(commits, r.UpTo)
	updated = max(published, commitTime(commits, r.Until))
	title := fmt.Sprintf("%s: %s %s", b.Path, r.Unit, sizeWords(r))
	if in := float64(r.Total); r.State == documents.RegressionOpen && in != 0 && in-in == 0 && reports.PlainChange(in) != sizeWords(r) {
		title += ", in all " + reports.PlainChange(in)
	}
	if r.State != documents.RegressionOpen {
		title = r.State + ": " + title
	}
	e = atomEntry{
		ID: urn("regression", r.ID), Title: plainText(title),
		Updated: instant(updated), Published: instant(published),
		Link:     atomLink{"alternate", "text/html", "index.html#" + pageAddress("b", b.Path)},
		Category: atomCategory{r.State}, Content: plainText(entryWords(index, commits, r)),
	}
	for _, name := range r.Authors {
		e.Authors = append(e.Authors, atomPerson{reports.Message(name)})
	}
	return e, updated
}

// plainText returns text without characters that hide or reorder other text.
func plainText(text string) atomText { return atomText{"text", reports.Message(text)} }

// entryWords returns the text of an entry, in several lines.
func entryWords(index *documents.Index, commits *documents.Commits, r documents.Regression) string {
	b := index.Benchmarks[r.Benchmark]
	lines := []string{
		fmt.Sprintf("%s: %s to %s, %s.", b.Path, shown(r.Unit, float64(r.From)), shown(r.Unit, float64(r.To)), sizeWords(r)),
		rangeWords(commits, r),
	}
	switch r.State {
	case documents.RegressionAccepted:
		lines = append(lines, "Accepted: "+orElse(r.Reason, "no reason given"))
	case documents.RegressionRecovered:
		lines = append(lines, "It has recovered since.")
	default:
		if now := float64(r.Now); now-now == 0 {
			lines = append(lines, "Now: "+reports.PlainChange(now)+" from the level before.")
		}
	}
	if r.Bisect != "" {
		lines = append(lines, "Find out more: "+r.Bisect)
	}
	if r.Accept != "" && r.State == documents.RegressionOpen {
		lines = append(lines, "Accept it: "+r.Accept)
	}
	return strings.Join(lines, "\n")
}

func rangeWords(commits *documents.Commits, r documents.Regression) string {
	after, upTo := commitWords(commits, r.After), commitWords(commits, r.UpTo)
	many := ""
	if r.Commits > 0 {
		many = fmt.Sprintf(" (%s)", reports.Plural(r.Commits, "commit"))
	}
	if r.Drift > 0 {
		return fmt.Sprintf("It drifted over %d runs, after %s up to %s%s.", r.Drift, after, upTo, many)
	}
	return fmt.Sprintf("It began after %s and by %s%s.", after, upTo, many)
}

// sizeWords returns the size of a step, such as "+12.0 %". It returns "worse" for a change from 0,
// which has no ratio.
func sizeWords(r documents.Regression) string {
	change := float64(r.Change)
	if math.IsNaN(change) || math.IsInf(change, 0) {
		return "worse"
	}
	return reports.PlainChange(change)
}

func shown(unit string, x float64) string { return reports.ScaleFor(unit, x).Format(x) + " " + unit }

func commitWords(commits *documents.Commits, i int) string {
	if i < 0 || i >= len(commits.List) {
		return "a run without a known commit"
	}
	c := commits.List[i]
	return strings.TrimSpace(c.SHA[:min(10, len(c.SHA))] + " " + c.Subject)
}

func commitTime(commits *documents.Commits, i int) int64 {
	if i < 0 || i >= len(commits.List) {
		return 0
	}
	return commits.List[i].Time
}

func instant(seconds int64) string { return time.Unix(seconds, 0).UTC().Format(time.RFC3339) }

func orElse(text, other string) string {
	if text == "" {
		return other
	}
	return text
}

// Feeds returns the files that a site offers to other programs, by path.
func Feeds(ctx context.Context, s documents.Source) (map[string][]byte, error) {
	index, err := s.Index(ctx)
	if err != nil {
		return nil, err
	}
	commits, err := s.Commits(ctx)
	if err != nil {
		return nil, err
	}
	regressions, err := s.Regressions(ctx)
	if err != nil {
		return nil, err
	}
	feed, err := Feed(index, commits, regressions)
	if err != nil {
		return nil, err
	}
	document, err := RegressionsJSON(index, commits, regressions)
	return map[string][]byte{FeedPath: feed, RegressionsPath: document}, err
}

// These are the paths of the files for other programs.
const (
	FeedPath        = "feed.atom"
	RegressionsPath = "regressions.json"
)

// urn returns a UUID of version 8 (RFC 9562), derived from the words.
func urn(words ...string) string {
	sum := sha256.Sum256([]byte("perftrack\x00" + strings.Join(words, "\x00")))
	u := sum[:16]
	u[6], u[8] = u[6]&0x0f|0x80, u[8]&0x3f|0x80
	return fmt.Sprintf("urn:uuid:%x-%x-%x-%x-%x", u[:4], u[4:6], u[6:8], u[8:10], u[10:])
}

// pageAddress returns the address of a page within the site, escaped for use in an IRI.
func pageAddress(page, path string) string {
	parts := strings.Split(path, "/")
	for i := range parts {
		parts[i] = url.PathEscape(parts[i])
	}
	return "/" + page + "/" + strings.Join(parts, "/")
}

// RegressionsSchema is the version of the document returned by RegressionsJSON.
const RegressionsSchema = 1

// RegressionsJSON returns the regressions in a form for other programs, with names and hashes
// instead of indices. The format is described in docs/views.md.
func RegressionsJSON(index *documents.Index, commits *documents.Commits, regressions *documents.Regressions) ([]byte, error) {
	type jsonCommit struct {
		SHA     string `json:"sha"`
		Subject string `json:"subject"`
		Author  string `json:"author"`
		Time    int64  `json:"time"`
	}
	type jsonRegression struct {
		ID          string           `json:"id"`
		State       string           `json:"state"`
		Target      string           `json:"target"`
		Package     string           `json:"package"`
		Suite       string           `json:"suite"`
		Benchmark   string           `json:"benchmark"`
		Unit        string           `json:"unit"`
		Environment string           `json:"environment"`
		After       *jsonCommit      `json:"after"`
		UpTo        *jsonCommit      `json:"up_to"`
		Until       *jsonCommit      `json:"recovered_at"`
		Commits     int              `json:"commits"`
		Authors     []string         `json:"authors"`
		Found       string           `json:"found_by_bisection,omitempty"`
		Drift       int              `json:"drift_runs"`
		From        documents.Number `json:"from"`
		To          documents.Number `json:"to"`
		Change      documents.Number `json:"change"`
		Lo          documents.Number `json:"change_lo"`
		Hi          documents.Number `json:"change_hi"`
		Now         documents.Number `json:"now"`
		Total       documents.Number `json:"total"`
		Reason      string           `json:"reason"`
		Accept      string           `json:"accept_command"`
		Find        string           `json:"find_command"`
		Page        string           `json:"page"`
	}
	commit := func(i int) *jsonCommit {
		if i < 0 || i >= len(commits.List) {
			return nil
		}
		c := commits.List[i]
		return &jsonCommit{c.SHA, c.Subject, c.Author, c.Time}
	}
	list := []jsonRegression{}
	for _, r := range regressions.List {
		b := index.Benchmarks[r.Benchmark]
		one := jsonRegression{
			ID: r.ID, State: r.State, Target: b.Target, Package: b.Package, Suite: b.Suite, Benchmark: b.Name, Unit: r.Unit,
			After: commit(r.After), UpTo: commit(r.UpTo), Until: commit(r.Until), Commits: r.Commits, Authors: append([]string{}, r.Authors...), Found: r.Found, Drift: r.Drift,
			From: r.From, To: r.To, Change: r.Change, Lo: r.Lo, Hi: r.Hi, Now: r.Now, Total: r.Total,
			Reason: r.Reason, Accept: r.Accept, Find: r.Bisect, Page: "index.html#" + pageAddress("b", b.Path),
		}
		if e := r.Environment; e >= 0 && e < len(index.Environments) {
			one.Environment = index.Environments[e].ID
		}
		list = append(list, one)
	}
	text, err := json.MarshalIndent(struct {
		Schema      int              `json:"schema_version"`
		Kind        string           `json:"kind"`
		Title       string           `json:"title"`
		Repository  string           `json:"repository"`
		Branch      string           `json:"branch"`
		Head        string           `json:"head"`
		Lines       int              `json:"lines"`
		TooFew      int              `json:"lines_with_too_few_runs"`
		Regressions []jsonRegression `json:"regressions"`
	}{RegressionsSchema, "regressions", index.Meta.Title, index.Meta.Repository, index.Meta.Branch, index.Meta.Head, regressions.Lines, regressions.TooFew, list}, "", "  ")
	if err != nil {
		return nil, fmt.Errorf("write the regressions: %w", err)
	}
	return append(text, '\n'), nil
}
