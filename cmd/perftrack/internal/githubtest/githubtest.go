// Package githubtest is GitHub's API as far as perftrack uses it, for tests that
// must not reach the real one. It stands beside the flow engine -> runner -> store
// -> compare -> reports, at the place that perftrack comment talks to.
//
// A test puts pull requests, runs and artifacts in, and finds comments and statuses in
// it. Begin with githubtest.go; trial.go makes what a measuring workflow leaves.
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

// What every Fake is about.
const (
	Token      = "canary-3f9a"
	Repository = "owner/repo"
	ActionsBot = 41898282 // user that a job's token writes as
)

// A Fake behaves as GitHub's API does for one repository, whose id is 1. Its fields
// may be changed while no request is under way.
type Fake struct {
	Me           int64             // who the token belongs to
	Pulls        []map[string]any  // see [Pull]
	Artifact     string            // name of the artifact of every run of a workflow
	Zip          []byte            // what is in it; nil is none
	Zips         map[string][]byte // the same for the runs with these ids
	Parts        map[string][]byte // more artifacts of every run, by their names
	Expired      bool              // no artifact can be had any more
	ExpiredParts bool              // those of Parts cannot
	Tips         map[string]string // newest commit of a branch, where it is not the base of the first pull request
	Comments     []Comment         // of every pull request
	Issues       []*Issue          // and of every issue
	Login        string            // of who makes issues; "" is BotLogin
	Statuses     []map[string]string
	Checks       []string             // names of the jobs of every head
	Requests     []string             // "METHOD path"
	Fail         map[string][]Failure // "METHOD prefix of path" -> what to answer instead, in turn
	Hook         func(method, path string)
	Config       string            // perftrack.toml at the base of every pull request; "" is none
	MergeBase    string            // of whatever is compared
	MergeBases   map[string]string // of what is compared with these, or of these pairs "base...head"
	// Permissions are what users may do; others are not known.
	Permissions map[string]string
	Files       []string          // that are changed between any commits
	Message     string            // of every commit
	Trees       map[string]string // files of a commit; without one they are like those of no other
	Commits     []string
	// Git is a bare repository, of which references, trees, blobs and, where it is
	// not empty, also files, commits and merge bases are told.
	Git string

	runs    []map[string]any // see [Fake.Run]
	events  []labelEvent
	minutes int
	t       testing.TB
	api     *httptest.Server
	blobs   *httptest.Server // another host, which must not see the token
	mu      sync.Mutex
	nextID  int64
}

// A Comment is one of a pull request.
type Comment struct {
	ID      int64  `json:"id"`
	Body    string `json:"body"`
	Updated string `json:"updated_at"`
	Pull    int    `json:"-"` // whose it is; 0: of every one
	User    struct {
		ID    int64  `json:"id"`
		Login string `json:"login"`
	} `json:"user"`
}

// A Failure is an answer in place of the real one, a broken connection if Status is
// 0; with Done the request is carried out all the same.
type Failure struct {
	Status  int
	Header  http.Header
	Message string // "" is "injected" and the status
	Done    bool
}

// New starts a Fake that knows nothing yet and ends with the test.
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

// URL is what a job finds in GITHUB_API_URL.
func (f *Fake) URL() string { return f.api.URL }

// Pull is an open pull request; its head is in the repository with the id, 1 being the
// base's own.
func Pull(number int, base, head string, headRepo int) map[string]any {
	return map[string]any{
		"number": number, "state": "open",
		"head": map[string]any{"sha": head, "repo": map[string]any{"id": headRepo}},
		"base": map[string]any{"ref": "main", "sha": base, "repo": map[string]any{"id": 1}},
	}
}

// Settle waits until every request has been answered, also one whose connection broke, and forgets
// the failures that none met.
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
		if list[0].Status == 0 { // a timeout, or what looks like one
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

// filesOf lists changed files, as GitHub does at most 300 of them.
func filesOf(names []string) []map[string]string {
	list := []map[string]string{}
	for _, name := range names[:min(len(names), 300)] {
		list = append(list, map[string]string{"filename": name})
	}
	return list
}

// pullsOf returns the pull requests of a branch, "owner:name"; those without a label
// are of any.
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

// sha is the commit of a side of a pull request.
func sha(pull map[string]any, side string) string { return pull[side].(map[string]any)["sha"].(string) }

// comment serves issues/12/comments and issues/comments/1001.
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

// page answers with one page of list, and says whether there is another.
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

// Add adds a comment of a user, and returns its id.
func (f *Fake) Add(user int64, body string) int64 {
	f.nextID++
	c := Comment{ID: f.nextID, Body: body, Updated: f.clock()}
	c.User.ID = user
	f.Comments = append(f.Comments, c)
	return c.ID
}

// Ours returns the comments that perftrack wrote.
func (f *Fake) Ours() (out []Comment) {
	for _, c := range f.Comments {
		if c.User.ID == f.Me && strings.HasPrefix(c.Body, "<!-- perftrack:v1:") {
			out = append(out, c)
		}
	}
	return out
}

// Event writes the event of a job and returns its path.
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

// Archive is a zip archive with one file.
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
