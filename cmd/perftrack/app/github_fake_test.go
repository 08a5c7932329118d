package app

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

const (
	testToken = "canary-3f9a"
	testRepo  = "owner/repo"
	baseSHA   = "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
	headSHA   = "bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb"
	runID7    = 7
)

// A fakeGitHub behaves as GitHub's API does, as far as perftrack uses it.
type fakeGitHub struct {
	t      *testing.T
	api    *httptest.Server
	blobs  *httptest.Server // another host, which must not see the token
	mu     sync.Mutex
	me     int64 // who the token belongs to
	pulls  []map[string]any
	config string // perftrack.toml of the base branch; "" is none
	zip    []byte // the artifact; nil is none
	base   string // merge base
	head   string // message of the head commit

	comments []githubComment
	nextID   int64
	statuses []map[string]string
	requests []string
	fail     map[string][]failure // "METHOD suffix" -> what to answer instead, in turn
	hook     func(method, path string)
}

// A failure is an answer in place of the real one; with done the request is
// carried out all the same.
type failure struct {
	status int
	header http.Header
	done   bool
}

func newFake(t *testing.T) *fakeGitHub {
	f := &fakeGitHub{t: t, me: actionsBot, base: baseSHA, fail: map[string][]failure{}, nextID: 1000}
	f.blobs = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Authorization") != "" {
			t.Error("the token went to another host")
		}
		_, _ = w.Write(f.zip)
	}))
	f.api = httptest.NewServer(http.HandlerFunc(f.serve))
	t.Cleanup(func() { f.api.Close(); f.blobs.Close() })
	f.pulls = []map[string]any{f.pullOf(12, headSHA, 2)}
	f.zip = archive(t, ArtifactFile, trialText(1.0))
	return f
}

// pullOf is a pull request; its head is in the repository with the id, 1 being
// the base's own.
func (f *fakeGitHub) pullOf(number int, sha string, headRepo int) map[string]any {
	return map[string]any{
		"number": number, "state": "open",
		"head": map[string]any{"sha": sha, "repo": map[string]any{"id": headRepo}},
		"base": map[string]any{"sha": baseSHA, "repo": map[string]any{"id": 1}},
	}
}

func (f *fakeGitHub) serve(w http.ResponseWriter, r *http.Request) {
	if f.hook != nil {
		f.hook(r.Method, r.URL.Path)
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.requests = append(f.requests, r.Method+" "+r.URL.Path)
	if r.Header.Get("Authorization") != "Bearer "+testToken {
		http.Error(w, `{"message":"Bad credentials"}`, http.StatusUnauthorized)
		return
	}
	path, ok := strings.CutPrefix(r.URL.Path, "/repos/"+testRepo+"/")
	if !ok {
		f.t.Errorf("request for %s", r.URL.Path)
	}
	for key, list := range f.fail {
		method, prefix, _ := strings.Cut(key, " ")
		if r.Method != method || !strings.HasPrefix(path, prefix) || len(list) == 0 {
			continue
		}
		f.fail[key] = list[1:]
		if list[0].done {
			f.answer(httptest.NewRecorder(), r, path)
		}
		if list[0].status == 0 { // a timeout, or what looks like one
			panic(http.ErrAbortHandler)
		}
		for k, v := range list[0].header {
			w.Header()[k] = v
		}
		w.WriteHeader(list[0].status)
		fmt.Fprintf(w, `{"message":"injected %d"}`, list[0].status)
		return
	}
	f.answer(w, r, path)
}

func (f *fakeGitHub) answer(w http.ResponseWriter, r *http.Request, path string) {
	part := strings.Split(path, "/")
	switch {
	case path == "pulls":
		f.page(w, r, f.pulls)
	case part[0] == "pulls":
		for _, p := range f.pulls {
			if fmt.Sprint(p["number"]) == part[1] {
				f.json(w, 200, p)
				return
			}
		}
		http.NotFound(w, r)
	case part[0] == "contents" && f.config != "":
		if r.URL.Query().Get("ref") != baseSHA {
			f.t.Errorf("configuration of %q", r.URL.Query().Get("ref"))
		}
		_, _ = io.WriteString(w, f.config)
	case part[0] == "compare":
		f.json(w, 200, map[string]any{"merge_base_commit": map[string]string{"sha": f.base}})
	case part[0] == "git":
		f.json(w, 200, map[string]string{"message": f.head})
	case strings.HasSuffix(path, "/artifacts"):
		var list []map[string]any
		if f.zip != nil {
			list = append(list, map[string]any{"id": 55, "name": ArtifactName}, map[string]any{"id": 99, "name": "other"})
		}
		f.json(w, 200, map[string]any{"artifacts": list})
	case path == "actions/artifacts/55/zip":
		http.Redirect(w, r, f.blobs.URL+"/blob?sig=x", http.StatusFound)
	case part[0] == "statuses":
		var status map[string]string
		f.read(r, &status)
		status["sha"] = part[1]
		f.statuses = append(f.statuses, status)
		f.json(w, 201, status)
	case part[0] == "issues":
		f.comment(w, r, part)
	default:
		http.NotFound(w, r)
	}
}

// comment serves issues/12/comments and issues/comments/1001.
func (f *fakeGitHub) comment(w http.ResponseWriter, r *http.Request, part []string) {
	if part[1] != "comments" {
		if r.Method == http.MethodGet {
			f.page(w, r, f.comments)
			return
		}
		var c githubComment
		f.read(r, &c)
		f.nextID++
		c.ID, c.User.ID = f.nextID, f.me
		f.comments = append(f.comments, c)
		f.json(w, 201, c)
		return
	}
	for i, c := range f.comments {
		if strconv.FormatInt(c.ID, 10) != part[2] {
			continue
		}
		if c.User.ID != f.me {
			f.json(w, 403, map[string]string{"message": "not yours"})
			return
		}
		if r.Method == http.MethodDelete {
			f.comments = append(f.comments[:i:i], f.comments[i+1:]...)
			w.WriteHeader(204)
			return
		}
		f.read(r, &f.comments[i])
		f.json(w, 200, f.comments[i])
		return
	}
	http.NotFound(w, r)
}

func (f *fakeGitHub) read(r *http.Request, v any) {
	body, err := io.ReadAll(r.Body)
	if err == nil {
		err = json.Unmarshal(body, v)
		r.Body = io.NopCloser(bytes.NewReader(body))
	}
	if err != nil {
		f.t.Error(err)
	}
}

func (f *fakeGitHub) json(w http.ResponseWriter, status int, v any) {
	w.WriteHeader(status)
	if err := json.NewEncoder(w).Encode(v); err != nil {
		f.t.Error(err)
	}
}

// page answers with one page of list, and says whether there is another.
func (f *fakeGitHub) page(w http.ResponseWriter, r *http.Request, list any) {
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

func (f *fakeGitHub) add(user int64, body string) int64 {
	f.nextID++
	c := githubComment{ID: f.nextID, Body: body}
	c.User.ID = user
	f.comments = append(f.comments, c)
	return c.ID
}

// ours returns the comments that perftrack wrote.
func (f *fakeGitHub) ours() (out []githubComment) {
	for _, c := range f.comments {
		if c.User.ID == f.me && strings.HasPrefix(c.Body, "<!-- perftrack:v1:") {
			out = append(out, c)
		}
	}
	return out
}

// event writes the event of a job and returns its path.
func (f *fakeGitHub) event(e map[string]any) string {
	f.t.Helper()
	e["repository"] = map[string]any{"id": 1, "full_name": testRepo}
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

// workflowRun is the event of the trusted job: a fork's run of the measuring
// workflow has ended.
func (f *fakeGitHub) workflowRun() string {
	return f.event(map[string]any{"workflow_run": map[string]any{
		"id": runID7, "event": "pull_request", "conclusion": "failure", "head_branch": "main", "head_sha": headSHA,
		"head_repository": map[string]any{"id": 2, "owner": map[string]string{"login": "fork"}}, "pull_requests": []any{},
	}})
}

// trialText is an export of a trial in which one benchmark is slower by factor.
func trialText(factor float64) string { return noisyTrial(factor, 0.01) }

// noisyTrial is one in which samples scatter by the given part.
func noisyTrial(factor, spread float64) string {
	var b strings.Builder
	for _, side := range []struct {
		name, sha string
		factor    float64
	}{{"base", baseSHA, 1}, {"head", headSHA, factor}} {
		fmt.Fprintf(&b, "perftrack-run: 1\ntarget: lib\ncommit: %s\nstatus: complete\ntrial: 20260101T000000-0b6f00\nside: %s\n"+
			"perftrack-version: test\ngoos: linux\ngoarch: amd64\ngomaxprocs: 2\npkg: example.com/lib\n", side.sha, side.name)
		for i := range 20 {
			noise := 1 + spread*(float64(i*7%20)/19-0.5)
			fmt.Fprintf(&b, "round: %d\norder: 0\nBenchmarkDecode-2 100 %.6g ns/op\norder: 1\nBenchmarkEncode-2 100 %.6g ns/op\n",
				i+1, 1000*noise*side.factor, 500*noise)
		}
	}
	return b.String()
}

func archive(t *testing.T, name, text string) []byte {
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
