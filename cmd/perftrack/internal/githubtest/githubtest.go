// Package githubtest fakes the part of GitHub's API used by perftrack, for tests.
//
// A test sets pull requests, runs and artifacts, and inspects the resulting comments and statuses.
// Start with githubtest.go; trial.go creates the trials of a measuring workflow.
package githubtest

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
)

// Constants for every Fake.
const (
	Token      = "canary-3f9a"
	Repository = "owner/repo"
	ActionsBot = 41898282 // id of the user of a job's token
)

// A Fake behaves like GitHub's API for a single repository with the id 1. Its fields may be changed
// between requests.
type Fake struct {
	Me           int64             // id of the token's user
	Pulls        []map[string]any  // see [Pull]
	Artifact     string            // name of each run's artifact
	Zip          []byte            // content of each run's artifact; nil for no artifact
	Zips         map[string][]byte // the same for individual runs, by run id; takes precedence over Zip
	Parts        map[string][]byte // additional artifacts of every run, by name
	Expired      bool              // all artifacts have expired
	ExpiredParts bool              // the artifacts in Parts have expired
	Tips         map[string]string // newest commit on each branch; default: the base of the first pull request
	Comments     []Comment         // comments on all pull requests
	Issues       []*Issue          // all issues
	Login        string            // author of new issues; "" means BotLogin
	Statuses     []map[string]string
	Checks       []string             // names of the jobs for every head
	Requests     []string             // "METHOD path"
	Fail         map[string][]Failure // failures to answer requests with, in turn, by "METHOD prefix of path"
	Hook         func(method, path string)
	Config       string            // perftrack.toml at the base of every pull request, or ""
	MergeBase    string            // merge base of any two commits
	MergeBases   map[string]string // by "base...head" or by base; takes precedence over MergeBase
	// Permissions contains the permission of each user. All other users are unknown.
	Permissions map[string]string
	Files       []string          // files that differ between any two commits
	Message     string            // message of every commit
	Trees       map[string]string // hash of each commit's tree; default: a unique hash for each commit
	Commits     []string
	// Git is the path of a bare repository, or "", used to answer requests for references, trees,
	// blobs, files, commits and merge bases.
	Git string

	runs    []map[string]any // see [Fake.Run]
	events  []labelEvent
	minutes int
	t       testing.TB
	api     *httptest.Server
	blobs   *httptest.Server // another host, not allowed to see the token
	mu      sync.Mutex
	nextID  int64
}

// A Comment is a comment on a pull request.
type Comment struct {
	ID      int64  `json:"id"`
	Body    string `json:"body"`
	Updated string `json:"updated_at"`
	Pull    int    `json:"-"` // 0 for every pull request
	User    struct {
		ID    int64  `json:"id"`
		Login string `json:"login"`
	} `json:"user"`
}

// A Failure replaces a response; if Status is 0, the connection is broken. If Done is set, the
// request is carried out anyway.
type Failure struct {
	Status  int
	Header  http.Header
	Message string // default: "injected" followed by the status
	Done    bool
}

// New starts an empty Fake and stops it at the end of the test.
func New(t testing.TB) *Fake {
	f := &Fake{t: t, Me: ActionsBot, Fail: map[string][]Failure{}, nextID: 1000}
	f.blobs = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Authorization") != "" {
			t.Error("the token went to another host")
		}
		_, _ = w.Write(f.archive(r.URL.Path))
	}))
	f.api = httptest.NewServer(http.HandlerFunc(f.serve))
	t.Cleanup(func() { f.api.Close(); f.blobs.Close() })
	return f
}

// URL returns the value to set GITHUB_API_URL to.
func (f *Fake) URL() string { return f.api.URL }

// Pull returns an open pull request with its head in the repository with the id headRepo. The base
// repository has the id 1.
func Pull(number int, base, head string, headRepo int) map[string]any {
	return map[string]any{
		"number": number, "state": "open",
		"head": map[string]any{"sha": head, "repo": map[string]any{"id": headRepo}},
		"base": map[string]any{"ref": "main", "sha": base, "repo": map[string]any{"id": 1}},
	}
}

// Settle waits until every request has been handled, including those on broken connections, and
// drops the remaining failures.
func (f *Fake) Settle() {
	f.mu.Lock()
	defer f.mu.Unlock()
	clear(f.Fail)
}

func (f *Fake) serve(w http.ResponseWriter, r *http.Request) {
	if f.Hook != nil {
		f.Hook(r.Method, r.URL.Path)
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.Requests = append(f.Requests, r.Method+" "+r.URL.Path)
	if r.Header.Get("Authorization") != "Bearer "+Token {
		http.Error(w, `{"message":"Bad credentials"}`, http.StatusUnauthorized)
		return
	}
	path, ok := strings.CutPrefix(r.URL.Path, "/repos/"+Repository+"/")
	if !ok {
		f.t.Errorf("request for %s", r.URL.Path)
	}
	for key, list := range f.Fail {
		method, prefix, _ := strings.Cut(key, " ")
		if r.Method != method || !strings.HasPrefix(path, prefix) || len(list) == 0 {
			continue
		}
		f.Fail[key] = list[1:]
		if list[0].Done {
			f.answer(httptest.NewRecorder(), r, path)
		}
		if list[0].Status == 0 { // looks like a timeout
			panic(http.ErrAbortHandler)
		}
		for k, v := range list[0].Header {
			w.Header()[k] = v
		}
		w.WriteHeader(list[0].Status)
		message := list[0].Message
		if message == "" {
			message = fmt.Sprintf("injected %d", list[0].Status)
		}
		fmt.Fprintf(w, `{"message":%q}`, message)
		return
	}
	f.answer(w, r, path)
}

func (f *Fake) answer(w http.ResponseWriter, r *http.Request, path string) {
	part := strings.Split(path, "/")
	switch {
	case path == "pulls":
		f.page(w, r, f.pullsOf(r.URL.Query().Get("head")))
	case part[0] == "pulls" && len(part) == 3:
		f.page(w, r, f.commitsOf(part[1]))
	case part[0] == "pulls":
		if p := f.pull(part[1]); p != nil {
			f.json(w, 200, p)
			return
		}
		http.NotFound(w, r)
	case f.Git != "" && f.answerFromGit(w, r, part):
	case part[0] == "contents" && f.Config != "":
		if ref := r.URL.Query().Get("ref"); len(f.Pulls) > 0 && ref != sha(f.Pulls[0], "base") && f.Tips == nil {
			f.t.Errorf("configuration of %q", ref)
		}
		_, _ = io.WriteString(w, f.Config)
	case part[0] == "compare":
		base, _, _ := strings.Cut(part[1], "...")
		at, ok := f.MergeBases[part[1]]
		if !ok {
			at, ok = f.MergeBases[base]
		}
		if !ok {
			at = f.MergeBase
		}
		f.json(w, 200, map[string]any{"merge_base_commit": map[string]string{"sha": at}, "files": filesOf(f.Files)})
	case strings.HasPrefix(path, "git/commits/"):
		tree, ok := f.Trees[part[2]]
		if !ok {
			tree = "tree of " + part[2]
		}
		f.json(w, 200, map[string]any{"message": f.Message, "author": map[string]string{"name": "A. Uthor"}, "tree": map[string]string{"sha": tree}})
	case strings.HasPrefix(path, "git/matching-refs/"):
		f.json(w, 200, []string{})
	case strings.HasPrefix(path, "git/ref/heads/"):
		tip, ok := f.Tips[strings.TrimPrefix(path, "git/ref/heads/")]
		if !ok {
			tip = sha(f.Pulls[0], "base")
		}
		f.json(w, 200, map[string]any{"object": map[string]string{"sha": tip}})
	case part[0] == "collaborators" && len(part) == 3:
		if f.Permissions[part[1]] == "" {
			f.json(w, 404, map[string]string{"message": "Not Found"})
			return
		}
		f.json(w, 200, map[string]string{"permission": f.Permissions[part[1]]})
	case part[0] == "actions":
		f.answerRuns(w, r, part)
	case part[0] == "commits" && len(part) == 3 && part[2] == "check-runs":
		f.checkRuns(w, r.URL.Query().Get("check_name"))
	case part[0] == "commits" && len(part) == 3 && part[2] == "statuses":
		f.page(w, r, f.statusesOf(part[1]))
	case part[0] == "statuses":
		var status map[string]string
		f.read(r, &status)
		f.setStatus(part[1], status)
		f.json(w, 201, f.statusAnswer(status))
	case part[0] == "issues" && (len(part) == 1 || len(part) == 2):
		f.answerIssues(w, r, part)
	case part[0] == "issues":
		f.comment(w, r, part)
	default:
		http.NotFound(w, r)
	}
}

// filesOf lists changed files. Like GitHub, it lists at most 300.
func filesOf(names []string) []map[string]string {
	list := []map[string]string{}
	for _, name := range names[:min(len(names), 300)] {
		list = append(list, map[string]string{"filename": name})
	}
	return list
}

// pullsOf returns the pull requests with the branch "owner:name" as their head. A head without a
// label matches any branch.
func (f *Fake) pullsOf(branch string) (list []map[string]any) {
	for _, p := range f.Pulls {
		if label := p["head"].(map[string]any)["label"]; label == nil || label == branch {
			list = append(list, p)
		}
	}
	return list
}

func (f *Fake) pull(number string) map[string]any {
	for _, p := range f.Pulls {
		if fmt.Sprint(p["number"]) == number {
			return p
		}
	}
	return nil
}

// sha returns the commit on one side of a pull request, "base" or "head".
func sha(pull map[string]any, side string) string { return pull[side].(map[string]any)["sha"].(string) }

// comment serves issues/12/comments, issues/12/events and issues/comments/1001.
func (f *Fake) comment(w http.ResponseWriter, r *http.Request, part []string) {
	if part[1] != "comments" {
		pull, _ := strconv.Atoi(part[1])
		if part[2] == "events" {
			f.page(w, r, f.eventsOf(pull))
			return
		}
		if r.Method == http.MethodGet {
			f.page(w, r, f.commentsOf(pull))
			return
		}
		var c Comment
		f.read(r, &c)
		f.nextID++
		c.ID, c.User.ID, c.User.Login, c.Pull, c.Updated = f.nextID, f.Me, BotLogin, pull, f.clock()
		f.Comments = append(f.Comments, c)
		f.json(w, 201, c)
		return
	}
	for i, c := range f.Comments {
		if strconv.FormatInt(c.ID, 10) != part[2] {
			continue
		}
		if c.User.ID != f.Me {
			f.json(w, 403, map[string]string{"message": "not yours"})
			return
		}
		if r.Method == http.MethodDelete {
			f.Comments = append(f.Comments[:i:i], f.Comments[i+1:]...)
			w.WriteHeader(204)
			return
		}
		f.read(r, &f.Comments[i])
		f.Comments[i].Updated = f.clock()
		f.json(w, 200, f.Comments[i])
		return
	}
	http.NotFound(w, r)
}

func (f *Fake) commentsOf(pull int) (list []Comment) {
	for _, c := range f.Comments {
		if c.Pull == 0 || c.Pull == pull {
			list = append(list, c)
		}
	}
	return list
}

func (f *Fake) read(r *http.Request, v any) {
	body, err := io.ReadAll(r.Body)
	if err == nil {
		err = json.Unmarshal(body, v)
		r.Body = io.NopCloser(bytes.NewReader(body))
	}
	if err != nil {
		f.t.Error(err)
	}
}

func (f *Fake) json(w http.ResponseWriter, status int, v any) {
	w.WriteHeader(status)
	if err := json.NewEncoder(w).Encode(v); err != nil {
		f.t.Error(err)
	}
}

// page answers with one page of list and a link to the next page.
func (f *Fake) page(w http.ResponseWriter, r *http.Request, list any) {
	text, _ := json.Marshal(list)
	var all []json.RawMessage
	_ = json.Unmarshal(text, &all)
	n, _ := strconv.Atoi(r.URL.Query().Get("page"))
	per, _ := strconv.Atoi(r.URL.Query().Get("per_page"))
	from := min(len(all), max(0, n-1)*per)
	to := min(len(all), from+per)
	if to < len(all) {
		w.Header().Set("Link", fmt.Sprintf(`<%s/next>; rel="next", <x>; rel="last"`, f.api.URL))
	}
	f.json(w, 200, append([]json.RawMessage{}, all[from:to]...))
}

// Add adds a comment by a user and returns its id.
func (f *Fake) Add(user int64, body string) int64 {
	f.nextID++
	c := Comment{ID: f.nextID, Body: body, Updated: f.clock()}
	c.User.ID = user
	f.Comments = append(f.Comments, c)
	return c.ID
}

// Ours returns perftrack's comments.
func (f *Fake) Ours() (out []Comment) {
	for _, c := range f.Comments {
		if c.User.ID == f.Me && strings.HasPrefix(c.Body, "<!-- perftrack:v1:") {
			out = append(out, c)
		}
	}
	return out
}

// Event writes the event file for a job and returns its path. It also adds the event's workflow
// run, if there is one.
func (f *Fake) Event(e map[string]any) string {
	f.t.Helper()
	e["repository"] = map[string]any{"id": 1, "full_name": Repository, "owner": map[string]string{"login": "owner"}}
	if run, ok := e["workflow_run"].(map[string]any); ok {
		f.Run(run)
	}
	text, err := json.Marshal(e)
	if err != nil {
		f.t.Fatal(err)
	}
	path := filepath.Join(f.t.TempDir(), "event.json")
	if err := os.WriteFile(path, text, 0o600); err != nil {
		f.t.Fatal(err)
	}
	return path
}

// Archive returns a zip archive with one file.
func Archive(t testing.TB, name, text string) []byte {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	w, err := z.Create(name)
	if err == nil {
		_, err = io.WriteString(w, text)
	}
	if err == nil {
		err = z.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}
