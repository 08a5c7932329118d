package site

import (
	"encoding/json"
	"encoding/xml"
	"flag"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/perftrack/perftrack/reports/environments"
	"github.com/perftrack/perftrack/reports/site/documents"
)

const hostileName = "<img/src=x onerror=alert(1)>\x1b[31m\u202e]]>&\"'"

// regressed returns the documents of a site with a regression in each state and names with a
// special meaning to other programs.
func regressed() (*documents.Index, *documents.Commits, *documents.Regressions) {
	index := &documents.Index{
		Meta:         documents.Meta{Title: "sorty " + hostileName, Repository: "https://example.com/sorty", Branch: "main", Head: strings.Repeat("e", 40)},
		Now:          documents.Now{LastRun: 1767312000},
		Environments: []environments.Environment{{ID: "0123456789ab"}, {ID: "cafecafecafe"}},
		Benchmarks: []documents.BenchmarkRow{
			{ID: "a1", Path: "sorty/Sort/n=1000", Target: "go", Package: "example.com/sorty", Name: "Sort/n=1000"},
			{ID: "b2", Path: "sorty/" + hostileName, Target: "go", Package: "example.com/sorty", Name: hostileName},
		},
	}
	commits := &documents.Commits{}
	for i, author := range []string{"Ada", "Ada", "Grace <grace@example.com>", hostileName, "Ada"} {
		commits.List = append(commits.List, documents.Commit{SHA: strings.Repeat(string("abcdef"[i]), 40), Subject: "Subject " + hostileName, Author: author, Time: 1767225600 + int64(i)*3600})
	}
	l := documents.NewRegressionList(index, commits)
	l.Add(&documents.Benchmark{ID: "a1", Lines: []documents.Line{{
		Unit: "sec/op", Better: -1, Commit: []int{0, 1, 2, 3, 4}, Enough: true,
		Steps: []documents.Step{
			{Last: 0, First: 1, From: 1e-6, To: 1.5e-6, Change: 0.5, Lo: 0.4, Hi: 0.6, Now: 0, State: "recovered", Commits: 1},
			{Last: 1, First: 2, From: 1.5e-6, To: 1e-6, Change: -1. / 3, State: "improved", Commits: 1},
			{Last: 2, First: 4, From: 1e-6, To: 1.25e-6, Change: 0.25, Lo: 0.2, Hi: 0.3, Now: 0.25, State: "regressed", Commits: 7, Accept: "perftrack ci accept x", Bisect: "perftrack bisect-helper auto a..b"},
		},
	}, {Unit: "B/op", Better: -1, Environment: 1, Commit: []int{0, 1}}, {Unit: "sec/op", Branch: "other", Commit: []int{0}}}})
	l.Add(&documents.Benchmark{ID: "b2", Lines: []documents.Line{{
		Unit: "MB/s", Better: 1, Environment: 1, Commit: []int{0, 3}, Enough: true,
		Steps: []documents.Step{
			{Last: 0, First: 1, Drift: 3, From: 200, To: 100, Change: -0.5, Lo: -0.6, Hi: -0.4, Now: -0.5, State: "accepted", Reason: hostileName},
			{Last: 0, First: 1, From: 100, To: 200, Change: 1, State: "accepted"}, // for the better, so it is not a regression
		},
	}, {Unit: "allocs/op", Better: -1, Commit: []int{1, 2}, Enough: true, Steps: []documents.Step{
		{Last: 0, First: 1, From: 0, To: 3, Change: 3, Lo: 2, Hi: 4, Absolute: true, Now: documents.Number(math.Inf(1)), State: "regressed"},
	}}}})
	l.Add(&documents.Benchmark{ID: "nobody"})
	return index, commits, l.Document()
}

func TestRegressions(t *testing.T) {
	_, _, doc := regressed()
	if doc.Lines != 4 || doc.TooFew != 1 {
		t.Errorf("%d lines, %d with too few runs, want 4 and 1: lines of other branches are none", doc.Lines, doc.TooFew)
	}
	var got []string
	for _, r := range doc.List {
		got = append(got, strings.Join([]string{r.State, r.Unit, hashOf(r.After), hashOf(r.UpTo), hashOf(r.Until), strings.Join(r.Authors, "+")}, " "))
	}
	want := []string{
		"open sec/op c e - " + hostileName + "+Ada",
		"open allocs/op b c - Grace <grace@example.com>",
		"accepted MB/s a d - Ada+Grace <grace@example.com>+" + hostileName,
		"recovered sec/op a b c Ada",
	}
	if !slices.Equal(got, want) {
		t.Errorf("regressions\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	ids := map[string]bool{}
	for _, r := range doc.List {
		ids[r.ID] = true
	}
	if len(ids) != len(doc.List) {
		t.Error("two regressions have one id")
	}
}

func hashOf(commit int) string {
	if commit < 0 {
		return "-"
	}
	return string("abcde"[commit])
}

// A parsedFeed is an Atom feed as a feed reader parses it.
type parsedFeed struct {
	XMLName xml.Name
	ID      []string `xml:"http://www.w3.org/2005/Atom id"`
	Title   []string `xml:"http://www.w3.org/2005/Atom title"`
	Updated []string `xml:"http://www.w3.org/2005/Atom updated"`
	Author  []struct {
		Name []string `xml:"name"`
	} `xml:"http://www.w3.org/2005/Atom author"`
	Link []struct {
		Rel  string `xml:"rel,attr"`
		Type string `xml:"type,attr"`
		Href string `xml:"href,attr"`
	} `xml:"http://www.w3.org/2005/Atom link"`
	Entry []struct {
		ID      []string `xml:"id"`
		Title   []string `xml:"title"`
		Updated []string `xml:"updated"`
		Author  []struct {
			Name []string `xml:"name"`
		} `xml:"author"`
		Content []struct {
			Type string `xml:"type,attr"`
			Text string `xml:",chardata"`
		} `xml:"content"`
		Link []struct {
			Rel  string `xml:"rel,attr"`
			Href string `xml:"href,attr"`
		} `xml:"link"`
	} `xml:"http://www.w3.org/2005/Atom entry"`
}

var (
	uuid = regexp.MustCompile(`^urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$`)
	iri  = regexp.MustCompile(`^[A-Za-z0-9._~:/?#@!$&'()*+,;=%-]+$`) // the characters that RFC 3986 allows, except [ and ]
)

// checkFeed parses a feed and checks the rules of RFC 4287 that a program can break. Sections 4.1.1
// and 4.1.2 name the elements that must occur exactly once, 3.3 defines the format of dates, and
// 4.2.6 requires ids to be IRIs and to be unique.
func checkFeed(t *testing.T, text []byte) parsedFeed {
	t.Helper()
	var f parsedFeed
	if err := xml.Unmarshal(text, &f); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	if f.XMLName.Space != "http://www.w3.org/2005/Atom" || f.XMLName.Local != "feed" {
		t.Errorf("the root is %v", f.XMLName)
	}
	ids := map[string]bool{}
	once := func(what string, values []string) {
		t.Helper()
		if len(values) != 1 || values[0] == "" {
			t.Errorf("%s: %q, want one", what, values)
		}
	}
	check := func(what string, id, title, updated []string) {
		t.Helper()
		once(what+" id", id)
		once(what+" title", title)
		once(what+" updated", updated)
		if !uuid.MatchString(id[0]) || ids[id[0]] {
			t.Errorf("%s has the id %q", what, id[0])
		}
		ids[id[0]] = true
		if _, err := time.Parse(time.RFC3339, updated[0]); err != nil {
			t.Errorf("%s: %v", what, err)
		}
	}
	check("feed", f.ID, f.Title, f.Updated)
	rels := map[string]string{}
	for _, l := range f.Link {
		if rels[l.Rel+l.Type] != "" || !iri.MatchString(l.Href) {
			t.Errorf("link %+v", l)
		}
		rels[l.Rel+l.Type] = l.Href
	}
	if rels["selfapplication/atom+xml"] != FeedPath {
		t.Errorf("links %v", rels)
	}
	if len(f.Author) != 1 {
		t.Error("a feed whose entries need no author needs one itself")
	}
	for _, e := range f.Entry {
		check("entry", e.ID, e.Title, e.Updated)
		if e.Updated[0] > f.Updated[0] {
			t.Errorf("an entry of %s in a feed of %s", e.Updated[0], f.Updated[0])
		}
		if len(e.Content) != 1 || e.Content[0].Type != "text" || len(e.Link) != 1 || !iri.MatchString(e.Link[0].Href) {
			t.Errorf("entry %+v", e)
		}
		for _, a := range e.Author {
			once("author", a.Name)
		}
	}
	return f
}

func TestFeed(t *testing.T) {
	index, commits, regressions := regressed()
	text, err := Feed(index, commits, regressions)
	if err != nil {
		t.Fatal(err)
	}
	f := checkFeed(t, text)
	if len(f.Entry) != 4 {
		t.Errorf("%d entries", len(f.Entry))
	}
	golden(t, "feed.atom", text)
	if strings.ContainsAny(string(text), "\u202e\x1b") {
		t.Error("the feed has characters that hide or reorder others")
	}
	index.Meta.Generated, index.Meta.Version = 1, ""
	again, err := Feed(index, commits, regressions)
	if err != nil || string(again) != string(text) {
		t.Errorf("the feed of the same data differs (%v)", err)
	}
	index.Now.LastRun = 0
	if text, err = Feed(index, commits, regressions); err != nil {
		t.Fatal(err)
	}
	checkFeed(t, text) // the feed is as new as its newest entry
	empty, err := Feed(&documents.Index{}, &documents.Commits{}, &documents.Regressions{})
	if err != nil {
		t.Fatal(err)
	}
	if f := checkFeed(t, empty); len(f.Entry) != 0 {
		t.Errorf("%d entries of nothing", len(f.Entry))
	}
	// New data must not change any id.
	commits.List = append([]documents.Commit{{SHA: strings.Repeat("9", 40)}}, commits.List...)
	before := f
	for i := range regressions.List {
		regressions.List[i].After++
		regressions.List[i].UpTo++
	}
	text, err = Feed(index, commits, regressions)
	if err != nil {
		t.Fatal(err)
	}
	for i, e := range checkFeed(t, text).Entry {
		if e.ID[0] != before.Entry[i].ID[0] {
			t.Errorf("entry %d has another id", i)
		}
	}
}

func TestRegressionsJSON(t *testing.T) {
	index, commits, regressions := regressed()
	text, err := RegressionsJSON(index, commits, regressions)
	if err != nil {
		t.Fatal(err)
	}
	golden(t, "regressions.json", text)
	var doc struct {
		Schema      int `json:"schema_version"`
		Regressions []struct {
			Benchmark string   `json:"benchmark"`
			Change    *float64 `json:"change"`
			Authors   []string `json:"authors"`
		} `json:"regressions"`
	}
	if err := json.Unmarshal(text, &doc); err != nil {
		t.Fatal(err)
	}
	if doc.Schema != RegressionsSchema || len(doc.Regressions) != 4 || doc.Regressions[1].Change != nil || doc.Regressions[1].Benchmark != hostileName {
		t.Errorf("document %+v", doc)
	}
	text, err = RegressionsJSON(&documents.Index{}, &documents.Commits{}, &documents.Regressions{})
	if err != nil || !strings.Contains(string(text), `"regressions": []`) {
		t.Errorf("of nothing: %v, %s", err, text)
	}
}

var update = flag.Bool("update", false, "write the golden files")

func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(path, got, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != string(want) {
		t.Errorf("%s is\n%s\nwant\n%s", name, got, want)
	}
}
