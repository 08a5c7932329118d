// Package gitlabtest fakes the part of GitLab's API used by perftrack, for tests: merge requests,
// notes, commit statuses, and their failures.
package gitlabtest

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
)

// Constants for every Fake.
const (
	Token   = "glpat-canary-71c2"
	Project = "42"
	Bot     = 77 // id of the token's user
)

// A Fake behaves like GitLab's API for one project. Its fields may be changed between requests.
type Fake struct {
	Requests map[int]Request // merge requests by number
	Commits  map[int]string  // commits of pipelines, by pipeline id
	Notes    []Note
	Statuses []map[string]any
	Log      []string             // "METHOD path" of each request
	Fail     map[string][]Failure // failures to answer requests with, in turn, by "METHOD prefix of path"

	t      testing.TB
	api    *httptest.Server
	mu     sync.Mutex
	nextID int64
}

// A Request is a merge request.
type Request struct{ State, SHA string }

// A Note is a note on a merge request.
type Note struct {
	ID      int64  `json:"id"`
	Body    string `json:"body"`
	System  bool   `json:"system"`
	Author  Author `json:"author"`
	Request int    `json:"-"`
}

// An Author is the author of a note.
type Author struct {
	ID int64 `json:"id"`
}

// A Failure replaces a response. If Status is 0, the connection is broken; if Cut is set, only the
// first half of the response is sent. If Done or Cut is set, the request is carried out anyway.
type Failure struct {
	Status int
	Header http.Header
	Body   string // default: a message with the status
	Done   bool
	Cut    bool
}

// New starts an empty Fake and stops it at the end of the test.
func New(t testing.TB) *Fake {
	f := &Fake{t: t, Requests: map[int]Request{}, Commits: map[int]string{}, Fail: map[string][]Failure{}, nextID: 1000}
	f.api = httptest.NewServer(http.HandlerFunc(f.serve))
	t.Cleanup(f.api.Close)
	return f
}

// URL returns the value to set CI_API_V4_URL to.
func (f *Fake) URL() string { return f.api.URL + "/api/v4" }

// Add adds a note by a user to a merge request and returns its id.
func (f *Fake) Add(request int, user int64, body string) int64 {
	f.nextID++
	f.Notes = append(f.Notes, Note{ID: f.nextID, Body: body, Author: Author{user}, Request: request})
	return f.nextID
}

// Seen returns copies of the current Log and Statuses. Tests must use it if other processes send
// requests, because only its lock synchronizes the test with them.
func (f *Fake) Seen() (log []string, statuses []map[string]any) {
	f.mu.Lock()
	defer f.mu.Unlock()
	return slices.Clone(f.Log), slices.Clone(f.Statuses)
}

// Ours returns the notes by the token's user.
func (f *Fake) Ours() (out []Note) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, n := range f.Notes {
		if n.Author.ID == Bot {
			out = append(out, n)
		}
	}
	return out
}

func (f *Fake) serve(w http.ResponseWriter, r *http.Request) {
	f.mu.Lock()
	defer f.mu.Unlock()
	path, ok := strings.CutPrefix(r.URL.Path, "/api/v4/")
	if !ok {
		f.t.Errorf("request for %s", r.URL.Path)
	}
	f.Log = append(f.Log, r.Method+" "+path)
	if r.Header.Get("PRIVATE-TOKEN") != Token {
		f.json(w, http.StatusUnauthorized, map[string]string{"message": "401 Unauthorized"})
		return
	}
	for key, list := range f.Fail {
		method, prefix, _ := strings.Cut(key, " ")
		if r.Method == method && strings.HasPrefix(path, prefix) && len(list) > 0 {
			f.Fail[key] = list[1:]
			f.fail(w, r, path, list[0])
			return
		}
	}
	f.answer(w, r, path)
}

func (f *Fake) fail(w http.ResponseWriter, r *http.Request, path string, with Failure) {
	full := httptest.NewRecorder()
	if with.Done || with.Cut {
		f.answer(full, r, path)
	}
	for k, v := range with.Header {
		w.Header()[k] = v
	}
	switch {
	case with.Cut:
		w.Header().Set("Content-Length", strconv.Itoa(full.Body.Len()))
		w.WriteHeader(full.Code)
		_, _ = w.Write(full.Body.Bytes()[:full.Body.Len()/2])
	case with.Status == 0:
		panic(http.ErrAbortHandler)
	case with.Body != "":
		w.WriteHeader(with.Status)
		_, _ = w.Write([]byte(with.Body))
	default:
		f.json(w, with.Status, map[string]string{"message": fmt.Sprintf("%d %s", with.Status, http.StatusText(with.Status))})
	}
}

func (f *Fake) answer(w http.ResponseWriter, r *http.Request, path string) {
	part := strings.Split(strings.TrimPrefix(path, "projects/"+Project+"/"), "/")
	switch {
	case path == "user":
		f.json(w, http.StatusOK, Author{Bot})
	case part[0] == "statuses" && r.Method == http.MethodPost:
		var status map[string]any
		f.read(r, &status)
		if id, ok := status["pipeline_id"].(float64); ok && f.Commits[int(id)] != part[1] {
			f.json(w, http.StatusNotFound, map[string]string{"message": "404 Pipeline Not Found"})
			return
		}
		status["sha"] = part[1]
		f.Statuses = append(f.Statuses, status)
		f.json(w, http.StatusCreated, status)
	case part[0] == "merge_requests":
		f.request(w, r, part[1:])
	default:
		f.json(w, http.StatusNotFound, map[string]string{"error": "404 Not Found"})
	}
}

// request serves merge_requests/12, merge_requests/12/notes and merge_requests/12/notes/1001.
func (f *Fake) request(w http.ResponseWriter, r *http.Request, part []string) {
	n, _ := strconv.Atoi(part[0])
	m, ok := f.Requests[n]
	switch {
	case !ok:
		f.json(w, http.StatusNotFound, map[string]string{"message": "404 Not found"})
	case len(part) == 1:
		f.json(w, http.StatusOK, map[string]any{"iid": n, "state": m.State, "sha": m.SHA})
	case len(part) == 2 && r.Method == http.MethodGet:
		f.page(w, r, n)
	case len(part) == 2:
		var made Note
		f.read(r, &made)
		f.Add(n, Bot, made.Body)
		f.json(w, http.StatusCreated, f.Notes[len(f.Notes)-1])
	default:
		f.change(w, r, part[2])
	}
}

func (f *Fake) change(w http.ResponseWriter, r *http.Request, id string) {
	for i, n := range f.Notes {
		if strconv.FormatInt(n.ID, 10) != id {
			continue
		}
		switch {
		case n.Author.ID != Bot:
			f.json(w, http.StatusForbidden, map[string]string{"message": "403 Forbidden"})
		case r.Method == http.MethodDelete:
			f.Notes = append(f.Notes[:i:i], f.Notes[i+1:]...)
			w.WriteHeader(http.StatusNoContent)
		default:
			f.read(r, &f.Notes[i])
			f.json(w, http.StatusOK, f.Notes[i])
		}
		return
	}
	f.json(w, http.StatusNotFound, map[string]string{"message": "404 Not found"})
}

func (f *Fake) page(w http.ResponseWriter, r *http.Request, request int) {
	all := []Note{}
	for _, n := range f.Notes {
		if n.Request == request {
			all = append(all, n)
		}
	}
	page, _ := strconv.Atoi(r.URL.Query().Get("page"))
	per, _ := strconv.Atoi(r.URL.Query().Get("per_page"))
	from := min(len(all), max(0, page-1)*per)
	to := min(len(all), from+per)
	if to < len(all) {
		w.Header().Set("Link", fmt.Sprintf(`<%s/next>; rel="next"`, f.api.URL))
	}
	f.json(w, http.StatusOK, all[from:to])
}

func (f *Fake) read(r *http.Request, v any) {
	if err := json.NewDecoder(r.Body).Decode(v); err != nil {
		f.t.Error(err)
	}
}

func (f *Fake) json(w http.ResponseWriter, status int, v any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	if err := json.NewEncoder(w).Encode(v); err != nil {
		f.t.Error(err)
	}
}
