package githubtest

import (
	"cmp"
	"net/http"
	"slices"
	"strconv"
)

// BotLogin is the login of the user of a job's token.
const BotLogin = "github-actions[bot]"

// An Issue is an issue, or a pull request in the list of issues.
type Issue struct {
	Number      int       `json:"number"`
	Title       string    `json:"title"`
	Body        string    `json:"body"`
	State       string    `json:"state"`
	PullRequest *struct{} `json:"pull_request,omitempty"`
	User        struct {
		Login string `json:"login"`
	} `json:"user"`
	Edits int `json:"-"` // number of edits through the API
}

// Issue adds an issue written by a user.
func (f *Fake) Issue(login, title, body string) *Issue {
	f.mu.Lock()
	defer f.mu.Unlock()
	i := &Issue{Number: len(f.Issues) + 1, Title: title, Body: body, State: "open"}
	i.User.Login = login
	f.Issues = append(f.Issues, i)
	return i
}

// answerIssues serves issues and issues/12.
func (f *Fake) answerIssues(w http.ResponseWriter, r *http.Request, part []string) {
	switch {
	case len(part) == 1 && r.Method == http.MethodPost:
		i := &Issue{Number: len(f.Issues) + 1, State: "open"}
		f.read(r, i)
		i.User.Login = cmp.Or(f.Login, BotLogin)
		f.Issues = append(f.Issues, i)
		f.json(w, 201, i)
	case len(part) == 1:
		q := r.URL.Query()
		f.page(w, r, slices.DeleteFunc(slices.Clone(f.Issues), func(i *Issue) bool {
			return q.Get("state") != "all" && i.State != "open" // the fake does not filter by author, so callers must check it
		}))
	case r.Method == http.MethodPatch:
		n, _ := strconv.Atoi(part[1])
		if n < 1 || n > len(f.Issues) {
			http.NotFound(w, r)
			return
		}
		f.read(r, f.Issues[n-1])
		f.Issues[n-1].Edits++
		f.json(w, 200, f.Issues[n-1])
	default:
		http.NotFound(w, r)
	}
}

// CommentsOn returns the comments on an issue or a pull request.
func (f *Fake) CommentsOn(number int) []Comment {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.commentsOf(number)
}
